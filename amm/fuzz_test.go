package amm_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

func seeds(f *testing.F) {
	for _, file := range []string{"QuoteBaseIn.json", "QuoteBaseOut.json", "BuildSwap.json", "GetAutoFee.json", "ListPools.json"} {
		f.Add([]byte(wiretest.File(f, file)))
	}
	for _, text := range []string{``, `null`, `[]`, `{"success":false,"msg":"x"}`, `{"data":{"M1":{"price":1}}}`, `[{"transaction":"AQID"}]`, "{\"msg\":\"\xff\"}"} {
		f.Add([]byte(text))
	}
}

// FuzzDecode: no decoder panics, and what a type accepted it writes again.
func FuzzDecode(f *testing.F) {
	seeds(f)
	wiretest.FuzzDecode(f, json.Unmarshal, func() []any {
		return []any{new(amm.Transaction), new(amm.PoolPage), new(amm.MintPrices), new(amm.AutoFee)}
	})
}

// FuzzAnswer: whatever comes for a quote is a quote that goes back as it came,
// or a typed error.
func FuzzAnswer(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		c, wire := carried(t, amm.Config{Pause: new(time.Duration(0)), Options: once}, func(n int, _ sent) (int, string) {
			if n == 1 {
				return 200, string(body)
			}
			return 200, `{"success":true,"data":[{"transaction":"AQID"}]}`
		})
		q, err := c.QuoteBaseIn(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(0)})
		if err != nil {
			wiretest.As[*walletfi.ResponseError](t, err)
			return
		}
		require.True(t, bytes.Contains(body, q.SwapResponse()))
		require.NoError(t, wiretest.Error(c.BuildSwap(t.Context(), amm.BuildRequest{Quote: q, Owner: owner})))
		require.Contains(t, wire.Seen[1].Body, `"swapResponse":`+q.SwapResponse().String()+`}`)
	})
}

// FuzzQuery: what was asked for arrives, whatever it holds.
func FuzzQuery(f *testing.F) {
	f.Add("P1", uint64(1))
	f.Add("a+b/=&?%", uint64(1<<64-1))
	f.Fuzz(func(t *testing.T, id string, amount uint64) {
		c, wire := carried(t, amm.Config{Pause: new(time.Duration(0)), Options: once}, func(int, sent) (int, string) { return 200, `{"success":true,"data":[]}` })
		if _, err := c.ListPoolsByIDs(t.Context(), amm.PoolsByIDsRequest{IDs: []string{id}}); err == nil {
			target, err := url.Parse(wire.Seen[0].Target)
			require.NoError(t, err)
			require.Equal(t, url.Values{"ids": {id}}, target.Query())
		}
		_, _ = c.QuoteBaseIn(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: walletfi.Amount(amount), Slippage: walletfi.SlippageBps(0)})
		if amount > 0 {
			target, err := url.Parse(wire.Seen[len(wire.Seen)-1].Target)
			require.NoError(t, err)
			require.Equal(t, walletfi.Amount(amount).String(), target.Query().Get("amount"))
		}
	})
}
