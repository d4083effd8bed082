package leverage

import (
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
)

func token(t build.Token) map[string]any {
	return map[string]any{
		"symbol": t.Symbol, "name": t.Name, "decimals": t.Decimals,
		"priceUsd": strconv.FormatFloat(float64(t.Price)/1e6, 'f', -1, 64),
		"logoUri":  "https://sandbox.invalid/logo/" + t.Symbol + ".png",
	}
}

// finds reports whether a search for a name, symbol or mint finds a
// token. An empty one finds all.
func finds(search string, t build.Token) bool {
	search = strings.ToLower(search)
	return strings.EqualFold(t.Mint, search) ||
		strings.Contains(strings.ToLower(t.Symbol), search) || strings.Contains(strings.ToLower(t.Name), search)
}
