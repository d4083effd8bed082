package amm

import (
	"slices"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

type iDsRequest struct {
	IDs string `query:"ids,required" form:"keys"` // separated by commas
}

// poolsByID answers in the order of the ids. The place of one that is
// unknown is not documented: null, or nothing.
func (a *Service) poolsByID(c *kit.Call, in iDsRequest) any {
	shape := c.Shape(2)
	found := []any{}
	for id := range strings.SplitSeq(in.IDs, ",") {
		p, ok := a.book.Pool(id)
		switch {
		case ok && own(p):
			found = append(found, a.info(p, shape))
		case shape == 0:
			found = append(found, nil)
		}
	}
	if shape == 0 {
		return found
	}
	return map[string]any{"pools": found}
}

type mintRequest struct {
	First  string  `query:"mint1,required" form:"key"`
	Second *string `query:"mint2" form:"key"`
}

func (a *Service) poolsByMint(c *kit.Call, in mintRequest) any {
	shape := c.Shape(2)
	mints := []string{in.First}
	if in.Second != nil {
		mints = append(mints, *in.Second)
	}
	for _, mint := range mints {
		a.traded(mint)
	}
	found := []any{}
	for _, p := range a.own() {
		if !slices.ContainsFunc(mints, func(mint string) bool {
			return p.Tokens[0].Mint != mint && p.Tokens[1].Mint != mint
		}) {
			found = append(found, a.info(p, shape))
		}
	}
	return paged(found, len(found), false, shape)
}

type listRequest struct {
	PageSize *int `query:"pageSize"`
	Page     *int `query:"page"`
}

// pageSize is the default size of a page of pools.
const pageSize = 100

func (a *Service) listPools(c *kit.Call, in listRequest) any {
	all := a.own()
	size := min(kit.Or(in.PageSize, pageSize), max(pageSize, len(all)+1))
	page := min(max(kit.Or(in.Page, 1), 1), len(all)+1) // whether pages count from 0 is not documented
	shape, start := c.Shape(2), (page-1)*size
	found := kit.List(kit.Page(all, start, &size, size), func(p *market.Pool) any { return a.info(p, shape) })
	return paged(found, len(all), start+len(found) < len(all), shape)
}

// paged is a page in one of two shapes.
func paged(pools []any, total int, more bool, shape int) any {
	if shape == 0 {
		return map[string]any{"count": total, "data": pools, "hasNextPage": more}
	}
	return map[string]any{"pools": pools, "total": total}
}

func (a *Service) own() (pools []*market.Pool) {
	for _, p := range a.book.Current() {
		if own(p) {
			pools = append(pools, p)
		}
	}
	return pools
}

// info describes a pool in one of two shapes.
func (a *Service) info(p *market.Pool, shape int) any {
	if shape == 0 {
		return map[string]any{
			"id": p.Address, "type": "Standard", "mintA": mintInfo(p.Tokens[0]), "mintB": mintInfo(p.Tokens[1]),
			"mintAmountA": whole(p.Reserves[0], p.Tokens[0]), "mintAmountB": whole(p.Reserves[1], p.Tokens[1]),
			"feeRate": float64(p.FeeRate()) / 1e6, "price": a.spot(p),
		}
	}
	return map[string]any{
		"poolId": p.Address, "baseMint": p.Tokens[0].Mint, "quoteMint": p.Tokens[1].Mint,
		"baseReserve": strconv.FormatUint(p.Reserves[0], 10), "quoteReserve": strconv.FormatUint(p.Reserves[1], 10),
		"feeBps": float64(p.FeeRate()) / 100,
	}
}

// whole is an amount in whole tokens.
func whole(amount uint64, t build.Token) float64 { return float64(amount) / unit(t) }

func unit(t build.Token) float64 {
	f, _ := build.TenTo(t.Decimals).Float64()
	return f
}

// spot is the price of a pool's first token in its second, whole tokens.
func (a *Service) spot(p *market.Pool) float64 {
	return p.Curve.Spot(p.Reserves, 0) * unit(p.Tokens[0]) / unit(p.Tokens[1])
}
