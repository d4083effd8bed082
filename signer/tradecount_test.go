package signer

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

const token = "8pGUFL4xsQV9cEeHqYJ529q6S3KbDLaWdkXwZEtYmGZa"

func tradingPolicy(t *testing.T) *Policy {
	ceiling := "[[owner.ceiling]]\nmint = %q\nwindow = [{length = \"1h\", most = 0}]\n"
	p, err := ParsePolicy([]byte(bare + fmt.Sprintf(ceiling, "SOL") + fmt.Sprintf(ceiling, token) + `
[owner.trades]
within = 1000
turnover = [{length = "1h", most = 9_000_000_000_000_000_000}]
loss = [{length = "1h", most = 100}]
[prices]
unit = "USD"
sources = ["one"]
age = "1m"
mint = [{mint = "SOL", decimals = 9}, {mint = "` + token + `", decimals = 6}]
`))
	require.NoError(t, err)
	return p
}

func traded(out, least int64, sol, other string) *Trade {
	at := time.Unix(1_800_000_000, 0)
	quote := func(mint, value string) Price {
		return Price{Source: "one", Mint: mint, Value: walletfi.MustDecimal(value), At: at}
	}
	return &Trade{Sold: Mint(walletfi.NativeMint), Out: out, Bought: token, Least: least, At: at,
		Prices: []Price{quote(walletfi.NativeMint, sol), quote(token, other)}}
}

// TestGreatAmountsAreNoTrade: what is worth more than any window can hold counts under the mint's ceiling.
func TestGreatAmountsAreNoTrade(t *testing.T) {
	p := tradingPolicy(t)
	o := &p.Owners[0]
	require.NotNil(t, p.traded(o, traded(1000, 1_000_000, "1", "1")))
	for _, x := range []*Trade{
		traded(math.MaxInt64, math.MaxInt64, "1e20", "1e20"), traded(math.MaxInt64, math.MaxInt64, "1e400", "1e400"),
		traded(math.MaxInt64, 1, "1", "1"), traded(0, 5, "1", "1"), traded(-5, 5, "1", "1"), traded(5, 0, "1", "1"),
		traded(5, 5, "1e-399", "1e-399"),
	} {
		assert.Nil(t, p.traded(o, x), "%v", x)
	}
	assert.Nil(t, p.traded(nil, traded(1000, 1_000_000, "1", "1")))
	least := traded(1000, 1_000_000, "1", "1").least(traded(1000, 7, "1", "1"))
	assert.Equal(t, int64(7), least.Least)
	other := traded(1000, 7, "1", "1")
	other.Bought = Mint(walletfi.NativeMint)
	assert.Nil(t, least.least(other))
	assert.Nil(t, least.least(nil))
}

// TestTheLogHasThePrices: the audit counts each trade again, by the prices and the policy in the log.
func TestTheLogHasThePrices(t *testing.T) {
	p := tradingPolicy(t)
	made := func() *Message {
		x := traded(2_000_000_000, 1_950_000, "1", "1")
		return &Message{ID: "x", Trade: x, Debits: append([]Debit{{Mint: x.Sold, Amount: 5, Cost: 5}}, p.traded(&p.Owners[0], x)...)}
	}
	r := &replay{rules: p}
	require.NoError(t, r.recount("a", made()))
	require.NoError(t, r.recount("a", &Message{Debits: []Debit{{Mint: token, Amount: 5}}}))
	for name, change := range map[string]func(m *Message){
		"another price":  func(m *Message) { m.Trade.Prices[0].Value = walletfi.MustDecimal("1.01") },
		"an old one":     func(m *Message) { m.Trade.Prices[0].At = m.Trade.At.Add(-time.Hour) },
		"no price":       func(m *Message) { m.Trade.Prices = m.Trade.Prices[1:] },
		"no trade":       func(m *Message) { m.Trade = nil },
		"less turnover":  func(m *Message) { m.Debits[2].Amount-- },
		"less loss":      func(m *Message) { m.Debits[3].Amount = 0 },
		"no loss":        func(m *Message) { m.Debits = m.Debits[:3] },
		"no debits":      func(m *Message) { m.Debits = m.Debits[:1] },
		"less is sold":   func(m *Message) { m.Trade.Out-- },
		"more is bought": func(m *Message) { m.Trade.Least++ },
	} {
		m := made()
		change(m)
		assert.Error(t, r.recount("a", m), name)
		assert.Error(t, r.recount("b", made()))
	}
}
