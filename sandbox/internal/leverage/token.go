package leverage

import (
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
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
