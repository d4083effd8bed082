package sandbox

import (
	"strconv"
	"strings"
)

type leverageTokenAnswer struct {
	Symbol   string `json:"symbol"`
	Name     string `json:"name"`
	Decimals uint8  `json:"decimals"`
	PriceUSD string `json:"priceUsd"`
	LogoURI  string `json:"logoUri"`
}

func leverageToken(t Token) *leverageTokenAnswer {
	return &leverageTokenAnswer{
		t.Symbol, t.Name, t.Decimals, strconv.FormatFloat(float64(t.price)/1e6, 'f', -1, 64),
		"https://sandbox.invalid/logo/" + t.Symbol + ".png",
	}
}

// leverageFinds reports whether a search for a name, symbol or mint finds a
// token. An empty one finds all.
func leverageFinds(search string, t Token) bool {
	search = strings.ToLower(search)
	return strings.EqualFold(t.Mint, search) ||
		strings.Contains(strings.ToLower(t.Symbol), search) || strings.Contains(strings.ToLower(t.Name), search)
}

type leverageTokensRequest struct {
	Search string `query:"search"`
}

// listTokens lists the tokens that there are offers for, in one of two shapes.
func (l *leverage) listTokens(c *call, in leverageTokensRequest) (any, error) {
	shape := c.shape(2)
	tokens := []any{}
	for _, t := range l.chain.tokens {
		if !l.deals(t) || !leverageFinds(in.Search, t) {
			continue
		}
		about := leverageToken(t)
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

func (l *leverage) deals(t Token) bool {
	for _, o := range l.offers {
		if o.base == t.Symbol || o.quote == t.Symbol {
			return true
		}
	}
	return false
}
