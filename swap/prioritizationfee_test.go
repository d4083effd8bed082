package swap_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

var priorityForms = []struct {
	name  string
	fee   swap.PrioritizationFee
	body  string
	query string
	cap   *walletfi.Amount
	tip   walletfi.Amount
}{
	{"auto", swap.PriorityAuto(), `"auto"`, "auto", nil, 0},
	{"disabled", swap.PriorityDisabled(), `"disabled"`, "disabled", new(walletfi.Amount(20_000)), 0},
	{"medium", swap.PriorityAt(swap.LevelMedium), `{"priorityLevel":"medium"}`, `{"priorityLevel":"medium"}`, nil, 0},
	{"high", swap.PriorityAt(swap.LevelHigh), `{"priorityLevel":"high"}`, `{"priorityLevel":"high"}`, nil, 0},
	{"very high", swap.PriorityAt(swap.LevelVeryHigh), `{"priorityLevel":"veryHigh"}`, `{"priorityLevel":"veryHigh"}`, nil, 0},
	{"exact", swap.PriorityLamports(5000), `5000`, "5000", new(walletfi.Amount(25_000)), 0},
	{"exactly none", swap.PriorityLamports(0), `0`, "0", new(walletfi.Amount(20_000)), 0},
	{"exactly all", swap.PriorityLamports(maxAmount), `18446744073709551615`, "18446744073709551615", new(maxAmount), 0},
	{"multiplied", swap.PriorityMultiplied(2.5, 100), `{"autoMultiplier":2.5,"maxLamports":100}`, `{"autoMultiplier":2.5,"maxLamports":100}`, new(walletfi.Amount(20_100)), 0},
	{"bundle tip", swap.PriorityBundleTip(7), `{"bundleTipLamports":7}`, `{"bundleTipLamports":7}`, nil, 7},
}

func TestPriorityFeeForms(t *testing.T) {
	for _, row := range priorityForms {
		t.Run(row.name, func(t *testing.T) {
			require.False(t, row.fee.IsZero())
			body, err := json.Marshal(row.fee)
			require.NoError(t, err)
			require.Equal(t, row.body, string(body))
			text, err := row.fee.Text()
			require.NoError(t, err)
			require.Equal(t, row.query, text)

			c, wire := carriedClient(t, keyed(), map[string][]answer{
				"/order": {{Status: 200, Body: ordered(t, `"outAmount":"1","minOutAmount":"1"`)}},
				"/swap":  {{Status: 200, Body: wiretest.File(t, "BuildSwap.json")}},
			})
			o, err := c.BuildOrder(t.Context(), swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1, PrioritizationFee: row.fee})
			require.NoError(t, err)
			s, err := c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: plainQuote(t), PrioritizationFee: row.fee})
			require.NoError(t, err)
			sent, err := url.Parse(wire.Seen[0].Target)
			require.NoError(t, err)
			require.Equal(t, []string{row.query}, sent.Query()["prioritizationFeeLamports"])
			require.Contains(t, wire.Seen[1].Body, `"prioritizationFeeLamports":`+row.body+`,`)
			for _, i := range []walletfi.Intent{o.Unsigned().Intent, s.Unsigned().Intent} {
				require.Equal(t, row.cap, i.MaxNetworkFeeLamports)
				require.Equal(t, row.tip, i.TipLamports)
			}
		})
	}
}

func TestPriorityFeeUnset(t *testing.T) {
	var none swap.PrioritizationFee
	require.True(t, none.IsZero())
	text, err := none.Text()
	require.NoError(t, err)
	require.Empty(t, text)
	_, err = json.Marshal(none)
	require.ErrorContains(t, err, "left out")
}

// TestPriorityFeeQuery: the encoder of the query is the caller's to replace,
// and a body is not its concern.
func TestPriorityFeeQuery(t *testing.T) {
	cfg := keyed()
	cfg.PriorityFeeQuery = func(f swap.PrioritizationFee) (url.Values, error) {
		if f == swap.PriorityAuto() {
			return nil, errors.New("no auto here")
		}
		text, err := f.Text()
		return url.Values{"fee[tip]": {text}, "fee[unit]": {"lamports"}}, err
	}
	c, wire := carriedClient(t, cfg, map[string][]answer{"/order": {{Status: 200, Body: ordered(t, `"outAmount":"1","minOutAmount":"1"`)}}})
	req := swap.OrderRequest{Owner: user, InputMint: sol, OutputMint: usdc, Amount: 1, PrioritizationFee: swap.PriorityLamports(3)}
	_, err := c.QuoteOrder(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, "/order?amount=1&fee%5Btip%5D=3&fee%5Bunit%5D=lamports&inputMint="+sol+"&outputMint="+usdc, wire.Seen[0].Target)

	req.PrioritizationFee = swap.PriorityAuto()
	_, err = c.QuoteOrder(t.Context(), req)
	require.EqualError(t, err, "no auto here")
	_, err = c.BuildOrder(t.Context(), req)
	require.EqualError(t, err, "no auto here")
	require.Len(t, wire.Seen, 1)

	req.PrioritizationFee = swap.PrioritizationFee{}
	_, err = c.QuoteOrder(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, "/order?amount=1&inputMint="+sol+"&outputMint="+usdc, wire.Seen[1].Target)
}
