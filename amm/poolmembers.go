package amm

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
)

// poolMembers are the members of a pool that repeat a request, under usual names.
type poolMembers struct {
	ID        string   `json:"id"`
	PoolID    string   `json:"poolId"`
	MintA     poolMint `json:"mintA"`
	MintB     poolMint `json:"mintB"`
	BaseMint  poolMint `json:"baseMint"`
	QuoteMint poolMint `json:"quoteMint"`
}

// poolMint is a mint, or an object with its address.
type poolMint string

func (m *poolMint) UnmarshalJSON(b []byte) error {
	var token struct{ Address string }
	if json.Unmarshal(b, (*string)(m)) != nil && json.Unmarshal(b, &token) == nil {
		*m = poolMint(token.Address)
	}
	return nil // another shape has no name for it
}

func membersOf(pool walletfi.Document) (m poolMembers) {
	_ = json.Unmarshal(pool, &m) // a pool may be null
	return m
}

// mismatch reports a pool that was not asked for.
func (l *PoolPage) mismatch(ids []string) error {
	return echo.Each(l.Items, func(pool walletfi.Document) error {
		m := membersOf(pool)
		return echo.All(echo.AmongKeys("id", ids, m.ID), echo.AmongKeys("poolId", ids, m.PoolID))
	})
}

// mismatch reports a pool that has two mints, but not those that were asked for.
func (r PoolsByMintsRequest) mismatch(page *PoolPage) error {
	return echo.Each(page.Items, func(pool walletfi.Document) error {
		m := membersOf(pool)
		a, b := string(cmp.Or(m.MintA, m.BaseMint)), string(cmp.Or(m.MintB, m.QuoteMint))
		if a == "" || b == "" {
			return nil
		}
		has := func(mint string) bool { return echo.Mint("", mint, a) == nil || echo.Mint("", mint, b) == nil }
		return echo.That(has(r.Mint1) && has(r.Mint2), "mintA or baseMint, mintB or quoteMint",
			r.Mint1+", "+r.Mint2, a+", "+b)
	})
}

// mismatch reports a price of a mint that was not asked for.
func (p *MintPrices) mismatch(mints []string) error {
	if p.Prices == nil { // UnmarshalJSON failed, which transport takes for an unknown shape
		return errNoPrices
	}
	for mint := range p.Prices {
		asked := slices.ContainsFunc(mints, func(m string) bool { return echo.Mint("", m, mint) == nil })
		if err := echo.That(asked || check.Address("mint", mint) != nil, "mint", mints, mint); err != nil {
			return err
		}
	}
	return nil
}
