package sandbox

import (
	"slices"
	"strconv"
	"strings"
)

// autoFee is what priority costs at present, micro-lamports a unit.
func (a *amm) autoFee(*call, nothing) (any, error) {
	busy := a.slot() % 16
	return map[string]any{"default": map[string]uint64{"vh": 400_000 + busy*10_000, "h": 120_000 + busy*3000, "m": 30_000 + busy*1000}}, nil
}

type ammIDsRequest struct {
	IDs string `query:"ids,required"` // separated by commas
}

// poolsByID answers in the order of the ids. What stands for one that is
// unknown is not documented: null, or nothing.
func (a *amm) poolsByID(c *call, in ammIDsRequest) (any, error) {
	shape := c.shape(2)
	found := []any{}
	for id := range strings.SplitSeq(in.IDs, ",") {
		if _, err := c.key(id, "ids"); err != nil {
			return nil, err
		}
		p, ok := a.book.pool(id)
		switch {
		case ok && ammOwn(p):
			found = append(found, a.info(p, shape))
		case shape == 0:
			found = append(found, nil)
		}
	}
	if shape == 0 {
		return found, nil
	}
	return map[string]any{"pools": found}, nil
}

type ammMintRequest struct {
	First  string  `query:"mint1,required"`
	Second *string `query:"mint2"`
}

func (a *amm) poolsByMint(c *call, in ammMintRequest) (any, error) {
	shape := c.shape(2)
	mints := []string{in.First}
	if in.Second != nil {
		mints = append(mints, *in.Second)
	}
	for _, mint := range mints {
		if _, ok := a.book.traded(mint); !ok {
			return nil, a.refuse(ammMint)
		}
	}
	found := []any{}
	for _, p := range a.own() {
		if !slices.ContainsFunc(mints, func(mint string) bool { return p.tokens[0].Mint != mint && p.tokens[1].Mint != mint }) {
			found = append(found, a.info(p, shape))
		}
	}
	return ammPage(found, len(found), false, shape), nil
}

type ammListRequest struct {
	PageSize *int `query:"pageSize" min:"1" max:"1000"`
	Page     *int `query:"page" min:"1"`
}

// ammPageSize is how many pools a page has where the request does not say.
const ammPageSize = 100

func (a *amm) listPools(c *call, in ammListRequest) (any, error) {
	size, page := ammPageSize, 1
	if in.PageSize != nil {
		size = *in.PageSize
	}
	if in.Page != nil {
		page = *in.Page
	}
	shape := c.shape(2)
	all := a.own()
	start := len(all)
	if page-1 <= len(all)/size {
		start = min((page-1)*size, len(all))
	}
	end := min(start+size, len(all))
	found := []any{}
	for _, p := range all[start:end] {
		found = append(found, a.info(p, shape))
	}
	return ammPage(found, len(all), end < len(all), shape), nil
}

// ammPage is a page in one of two shapes.
func ammPage(pools []any, total int, more bool, shape int) any {
	if shape == 0 {
		return map[string]any{"count": total, "data": pools, "hasNextPage": more}
	}
	return map[string]any{"pools": pools, "total": total}
}

func (a *amm) own() (pools []*pool) {
	for _, p := range a.book.current() {
		if ammOwn(p) {
			pools = append(pools, p)
		}
	}
	return pools
}

// info describes a pool in one of two shapes.
func (a *amm) info(p *pool, shape int) any {
	if shape == 0 {
		return map[string]any{
			"id": p.address, "type": "Standard", "mintA": ammMintInfo(p.tokens[0]), "mintB": ammMintInfo(p.tokens[1]),
			"mintAmountA": ammWhole(p.reserves[0], p.tokens[0]), "mintAmountB": ammWhole(p.reserves[1], p.tokens[1]),
			"feeRate": float64(p.feeRate()) / 1e6, "price": a.spot(p),
		}
	}
	return map[string]any{
		"poolId": p.address, "baseMint": p.tokens[0].Mint, "quoteMint": p.tokens[1].Mint,
		"baseReserve": strconv.FormatUint(p.reserves[0], 10), "quoteReserve": strconv.FormatUint(p.reserves[1], 10),
		"feeBps": float64(p.feeRate()) / 100,
	}
}

func ammMintInfo(t Token) any {
	return map[string]any{"address": t.Mint, "symbol": t.Symbol, "name": t.Name, "decimals": t.Decimals, "programId": t.Program}
}

// ammWhole is an amount in whole tokens.
func ammWhole(amount uint64, t Token) float64 { return float64(amount) / ammUnit(t) }

func ammUnit(t Token) float64 {
	f, _ := tenTo(t.Decimals).Float64()
	return f
}

// spot is the price of a pool's first token in its second, whole tokens.
func (a *amm) spot(p *pool) float64 {
	return p.curve.spot(p.reserves, 0) * ammUnit(p.tokens[0]) / ammUnit(p.tokens[1])
}

func (a *amm) listMints(c *call, _ nothing) (any, error) {
	mints := []any{}
	for _, t := range a.book.tokens() {
		mints = append(mints, ammMintInfo(t))
	}
	if c.shape(2) == 0 {
		return map[string]any{"blacklist": []any{}, "mintList": mints}, nil
	}
	return mints, nil
}

type ammPriceRequest struct {
	Mints string `query:"mints,required"` // separated by commas
}

// mintPrices answers dollars: by mint, or as a list. A mint without a price is
// null, or missing.
func (a *amm) mintPrices(c *call, in ammPriceRequest) (any, error) {
	prices := a.prices()
	byMint, list := map[string]any{}, []any{}
	for mint := range strings.SplitSeq(in.Mints, ",") {
		if _, err := c.key(mint, "mints"); err != nil {
			return nil, err
		}
		byMint[mint] = nil
		if price, ok := prices[mint]; ok {
			byMint[mint] = strconv.FormatFloat(price, 'f', -1, 64)
			list = append(list, map[string]any{"mint": mint, "price": price})
		}
	}
	if c.shape(2) == 0 {
		return byMint, nil
	}
	return list, nil
}

// prices goes from the dollar to whatever the pools lead to, the deepest first.
func (a *amm) prices() map[string]float64 {
	prices := map[string]float64{usdcMint.String(): 1}
	for range ammHops {
		for _, p := range a.own() {
			first, second := p.tokens[0].Mint, p.tokens[1].Mint
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
