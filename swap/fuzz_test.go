package swap_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

func FuzzAnswers(f *testing.F) {
	wiretest.FuzzDecode(f, wire.Unmarshal, func() []any {
		return []any{
			new(swap.OrderQuote), new(swap.Order), new(swap.OrderStatus), new(swap.Quote), new(swap.Transaction),
			new(swap.Instructions), new(swap.Instruction), new(swap.BuiltIntent), new(swap.SubmittedIntent),
			new(swap.Token), new(swap.Venue), new(swap.PredictionMarketInit),
		}
	}, ``, `null`, `[]`, `{"instructions":[[]]}`, `{"inAmount":-1}`, `{"accounts":{}}`, "{\"requestId\":\"\xff\"}")
}

// FuzzEcho: whatever JSON a quote is, it goes back as it came.
func FuzzEcho(f *testing.F) {
	f.Add([]byte(quoted(f, `"inAmount":"1","outAmount":"2"`)))
	f.Add([]byte("{ \"inAmount\" : 1,\n\"outAmount\":2, \"x\":\"\\u003c<\u2028\" }"))
	f.Add([]byte(`{"inAmount":1,"outAmount":2,"inAmount":3,"n":1e-7,"m":1.000}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, wire := carriedClient(t, keyed(), map[string][]answer{
			"/quote": {{Status: 200, Body: string(b)}}, "/swap": {{Status: 200, Body: wiretest.File(t, "BuildSwap.json")}},
		})
		q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1})
		if err != nil {
			require.ErrorIs(t, err, walletfi.ErrDecode)
			return
		}
		require.NoError(t, wiretest.Error(c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: q})))
		require.Equal(t, `{"userPublicKey":"`+user+`","quoteResponse":`+q.Raw.String()+`}`, wire.Seen[1].Body)
		require.Contains(t, string(b), q.Raw.String())
		require.True(t, json.Valid(q.Raw))
	})
}

// FuzzOrderQuery: the query says what the request did, and nothing of it
// leaves its parameter.
func FuzzOrderQuery(f *testing.F) {
	f.Add(uint64(1), 50, uint64(5000), 1.5, uint8(3))
	f.Add(uint64(1<<64-1), 10_000, uint64(0), 1e300, uint8(5))
	f.Add(uint64(0), -1, uint64(1<<64-1), -1.5, uint8(5))
	f.Fuzz(func(t *testing.T, amount uint64, bps int, lamports uint64, multiplier float64, form uint8) {
		fee := []swap.PrioritizationFee{
			{}, swap.PriorityAuto(), swap.PriorityDisabled(), swap.PriorityAt(swap.LevelHigh), swap.PriorityLamports(walletfi.Amount(lamports)),
			swap.PriorityMultiplied(multiplier, walletfi.Amount(lamports)), swap.PriorityBundleTip(walletfi.Amount(lamports)),
		}[form%7]
		c, wire := carriedClient(t, keyed(), map[string][]answer{"/order": {{Status: 200, Body: ordered(t, `"outAmount":"1","minOutAmount":"1"`)}}})
		_, err := c.QuoteOrder(t.Context(), swap.OrderRequest{
			InputMint: sol, OutputMint: usdc, Amount: walletfi.Amount(amount), Slippage: walletfi.SlippageBps(bps), PrioritizationFee: fee,
		})
		if err != nil {
			require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
			require.Empty(t, wire.Seen)
			return
		}
		sent, err := url.Parse(wire.Seen[0].Target)
		require.NoError(t, err)
		q := sent.Query()
		require.Equal(t, walletfi.Amount(amount).String(), q.Get("amount"))
		require.Equal(t, walletfi.SlippageBps(bps).String(), q.Get("slippageBps"))
		text, err := fee.Text()
		require.NoError(t, err)
		require.Equal(t, text, q.Get("prioritizationFeeLamports"))
		require.Equal(t, !fee.IsZero(), q.Has("prioritizationFeeLamports"))
		if body, err := json.Marshal(fee); err == nil && fee != swap.PriorityAuto() && fee != swap.PriorityDisabled() {
			require.Equal(t, string(body), text)
		}
	})
}
