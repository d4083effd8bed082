package amm

import (
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

func mintInfo(t build.Token) any {
	return map[string]any{
		"address": t.Mint, "symbol": t.Symbol, "name": t.Name, "decimals": t.Decimals, "programId": t.Program,
	}
}

func (a *Service) listMints(c *kit.Call, _ kit.Nothing) any {
	mints := kit.List(a.book.Tokens(), mintInfo)
	return c.Either(map[string]any{"blacklist": []any{}, "mintList": mints}, mints)
}

type priceRequest struct {
	Mints string `query:"mints,required" form:"keys"` // separated by commas
}

// mintPrices answers dollars: by mint, or as a list. A mint without a price is
// null, or missing.
func (a *Service) mintPrices(c *kit.Call, in priceRequest) any {
	prices := a.prices()
	byMint, list := map[string]any{}, []any{}
	for mint := range strings.SplitSeq(in.Mints, ",") {
		byMint[mint] = nil
		if price, ok := prices[mint]; ok {
			byMint[mint] = strconv.FormatFloat(price, 'f', -1, 64)
			list = append(list, map[string]any{"mint": mint, "price": price})
		}
	}
	return c.Either(byMint, list)
}

// prices goes from the dollar to whatever the pools lead to, the deepest first.
func (a *Service) prices() map[string]float64 {
	prices := map[string]float64{build.USDCMint.String(): 1}
	for range hops {
		for _, p := range a.own() {
			lead := func(from, to int, times, by float64) {
				dollars, known := prices[p.Tokens[from].Mint]
				if _, done := prices[p.Tokens[to].Mint]; known && !done {
					prices[p.Tokens[to].Mint] = dollars * times / by
				}
			}
			lead(1, 0, a.spot(p), 1)
			lead(0, 1, 1, a.spot(p))
		}
	}
	return prices
}
