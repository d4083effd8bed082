package amm

import (
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

func mintInfo(t build.Token) any {
	return map[string]any{
		"address":   t.Mint,
		"symbol":    t.Symbol,
		"name":      t.Name,
		"decimals":  t.Decimals,
		"programId": t.Program,
	}
}

func (a *Service) listMints(c *kit.Call, _ kit.Nothing) any {
	mints := []any{}
	for _, t := range a.book.Tokens() {
		mints = append(mints, mintInfo(t))
	}
	if c.Shape(2) == 0 {
		return map[string]any{"blacklist": []any{}, "mintList": mints}
	}
	return mints
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
	if c.Shape(2) == 0 {
		return byMint
	}
	return list
}

// prices goes from the dollar to whatever the pools lead to, the deepest first.
func (a *Service) prices() map[string]float64 {
	prices := map[string]float64{build.USDCMint.String(): 1}
	for range hops {
		for _, p := range a.own() {
			first, second := p.Tokens[0].Mint, p.Tokens[1].Mint
			dollars, known := prices[second]
			if _, done := prices[first]; known && !done {
				prices[first] = dollars * a.spot(p)
			}
			dollars, known = prices[first]
			if _, done := prices[second]; known && !done {
				prices[second] = dollars / a.spot(p)
			}
		}
	}
	return prices
}
