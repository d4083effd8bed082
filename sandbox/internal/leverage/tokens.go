package leverage

import (
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type tokenAnswer struct {
	Symbol   string `json:"symbol"`
	Name     string `json:"name"`
	Decimals uint8  `json:"decimals"`
	PriceUSD string `json:"priceUsd"`
	LogoURI  string `json:"logoUri"`
}

func token(t build.Token) *tokenAnswer {
	return &tokenAnswer{
		t.Symbol, t.Name, t.Decimals, strconv.FormatFloat(float64(t.Price)/1e6, 'f', -1, 64),
		"https://sandbox.invalid/logo/" + t.Symbol + ".png",
	}
}

// finds reports whether a search for a name, symbol or mint finds a
// token. An empty one finds all.
func finds(search string, t build.Token) bool {
	search = strings.ToLower(search)
	return strings.EqualFold(t.Mint, search) ||
		strings.Contains(strings.ToLower(t.Symbol), search) || strings.Contains(strings.ToLower(t.Name), search)
}

type tokensRequest struct {
	Search string `query:"search"`
}

// listTokens lists the tokens that there are offers for, in one of two shapes.
func (l *Service) listTokens(c *kit.Call, in tokensRequest) (any, error) {
	shape := c.Shape(2)
	tokens := []any{}
	for _, t := range l.Chain.Tokens {
		if !l.deals(t) || !finds(in.Search, t) {
			continue
		}
		about := token(t)
		if shape == 0 {
			tokens = append(tokens, map[string]any{
				"address": t.Mint, "symbol": about.Symbol, "name": about.Name, "decimals": about.Decimals,
				"priceUsd": about.PriceUSD, "logoUri": about.LogoURI,
			})
		} else {
			tokens = append(tokens, map[string]any{"mint": t.Mint, "metadata": about})
		}
	}
	if shape == 0 {
		return tokens, nil
	}
	return map[string]any{"tokens": tokens, "total": len(tokens)}, nil
}

func (l *Service) deals(t build.Token) bool {
	for _, o := range l.offers {
		if o.base == t.Symbol || o.quote == t.Symbol {
			return true
		}
	}
	return false
}
