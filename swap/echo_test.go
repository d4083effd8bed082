package swap_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/swap"
)

// TestQuoteGoesBackByteForByte: spaces, escapes, duplicate members, numbers
// that no float holds and members that nobody knows included, whatever the
// caller did to the typed fields.
func TestQuoteGoesBackByteForByte(t *testing.T) {
	raw := strings.TrimSpace(wiretest.File(t, "GetQuote.json"))
	c, wire := carriedClient(t, keyed(), map[string][]answer{
		"/quote":             {{Status: 200, Body: " " + raw + "\n\n"}},
		"/swap":              {{Status: 200, Body: wiretest.File(t, "BuildSwap.json")}},
		"/swap-instructions": {{Status: 200, Body: wiretest.File(t, "BuildSwapInstructions.json")}},
	})
	q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000})
	require.NoError(t, err)
	q.OutAmount, q.RoutePlan = 7, nil
	req := swap.BuildRequest{Owner: user, Quote: q}
	require.NoError(t, wiretest.Error(c.BuildSwap(t.Context(), req)))
	require.NoError(t, wiretest.Error(c.BuildSwapInstructions(t.Context(), req)))
	for _, sent := range wire.Seen[1:] {
		require.Equal(t, `{"userPublicKey":"`+user+`","quoteResponse":`+raw+`}`, sent.Body)
	}
}

func TestIntentGoesBackByteForByte(t *testing.T) {
	raw := wiretest.File(t, "BuildIntent.json")
	c, wire := carriedClient(t, keyed(), map[string][]answer{"/submit-intent": {{Status: 200, Body: `{"orderId":"o"}`}}})
	i := builtIntent(t)
	i.InAmount = 3
	_, err := c.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signedTransaction(), Intent: i})
	require.NoError(t, err)
	require.Equal(t, `{"signedTransaction":"`+signedTransaction().String()+`","intentResponse":`+raw+`}`, wire.Seen[0].Body)
}

// TestSubmitIntentOfAnother: the signature of an order is that of the bytes that were sent.
func TestSubmitIntentOfAnother(t *testing.T) {
	another := answer{Status: 200, Body: `{"orderId":"o","openSignature":"` + wiretest.Signature(8) + `"}`}
	c, _ := carriedClient(t, keyed(), map[string][]answer{"/submit-intent": {another}})
	_, err := c.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: signedTransaction(), Intent: builtIntent(t)})
	require.ErrorIs(t, err, walletfi.ErrMismatch)
}

// TestEchoKeepsLiveWords: a deployment translates what is read and the rest of
// the body, never what is echoed.
func TestEchoKeepsLiveWords(t *testing.T) {
	cfg := keyed()
	cfg.Deployment = wiretest.Words{Keys: map[string]string{"outAmount": "liveOut", "userPublicKey": "liveUser", "quoteResponse": "liveQuote"}}.Of("swap")
	raw := strings.Replace(wiretest.FileWith(t, "GetQuote.json",
		`{"inAmount":"1","outAmount":"2","minOutAmount":"2","otherAmountThreshold":"2","userPublicKey":"kept"}`), "outAmount", "liveOut", 1)
	c, wire := carriedClient(t, cfg, map[string][]answer{
		"/quote": {{Status: 200, Body: raw}},
		"/swap":  {{Status: 200, Body: wiretest.File(t, "BuildSwap.json")}},
	})
	q, err := c.GetQuote(t.Context(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1})
	require.NoError(t, err)
	require.Equal(t, walletfi.Amount(2), q.OutAmount)
	require.NoError(t, wiretest.Error(c.BuildSwap(t.Context(), swap.BuildRequest{Owner: user, Quote: q})))
	require.Equal(t, `{"liveUser":"`+user+`","liveQuote":`+raw+`}`, wire.Seen[1].Body)
}

// TestStored: the service's JSON of a quote and of an intent can be read, and what is
// stored goes back as it was, with what was asked for.
func TestStored(t *testing.T) {
	quote, intent := plainQuote(t), builtIntent(t)
	var q swap.Quote
	require.NoError(t, json.Unmarshal(quote.Raw, &q))
	require.Equal(t, quote.Raw, q.Raw)
	require.Equal(t, quote.OutAmount, q.OutAmount)
	require.True(t, q.ReceivedAt.IsZero())
	_, known := q.Age()
	require.False(t, known)

	var i swap.BuiltIntent
	require.NoError(t, json.Unmarshal(intent.Raw, &i))
	require.Equal(t, intent.Raw, i.Raw)
	require.Equal(t, walletfi.Intent{
		Service: "swap", Spend: []walletfi.Asset{{Mint: sol, Amount: maxAmount}},
		Receive: []walletfi.Asset{{Mint: usdc, Amount: 150_000_000}}, ReceiveAfter: new(time.Duration(0)),
	}, i.Unsigned().Intent)

	for _, value := range []any{&q, &i, quote, intent} {
		text, err := json.Marshal(value)
		require.NoError(t, err)
		again := reflect.New(reflect.TypeOf(value).Elem()).Interface()
		require.NoError(t, json.Unmarshal(text, again))
		if read, ok := again.(*swap.Quote); ok {
			require.WithinDuration(t, value.(*swap.Quote).ReceivedAt, read.ReceivedAt, 0)
			read.ReceivedAt = value.(*swap.Quote).ReceivedAt // without a monotonic clock
		}
		require.Equal(t, value, again)
	}
	for _, made := range []any{swap.Quote{InAmount: 1}, swap.BuiltIntent{Transaction: "AQID"}} {
		require.ErrorContains(t, wiretest.Error(json.Marshal(made)), "did not come from the service")
	}
}

// TestInstructionMarshals: as the service wrote it, or from the typed accounts.
func TestInstructionMarshals(t *testing.T) {
	const text = `{"programId":"` + user + `","accounts":["A1"],"data":"AQI="}`
	var i swap.Instruction
	require.NoError(t, json.Unmarshal([]byte(text), &i))
	again, err := json.Marshal(i)
	require.NoError(t, err)
	require.JSONEq(t, text, string(again))

	made, err := json.Marshal(swap.Instruction{ProgramID: "P", Accounts: []swap.AccountMeta{{PublicKey: "A", IsSigner: true}}, Data: []byte{0}})
	require.NoError(t, err)
	require.JSONEq(t, `{"programId":"P","accounts":[{"pubkey":"A","isSigner":true,"isWritable":false}],"data":"AA=="}`, string(made))
}

// TestChangedQuoteIsRefused: a stored quote that contradicts its request, or lacks a
// part, is read as nothing else.
func TestChangedQuoteIsRefused(t *testing.T) {
	text, err := json.Marshal(plainQuote(t))
	require.NoError(t, err)
	for name, row := range map[string]struct {
		part string
		to   any
		is   error
	}{
		"no answer":       {"answer", nil, walletfi.ErrDecode},
		"no bytes":        {"raw", nil, walletfi.ErrDecode},
		"other bytes":     {"raw", 5, walletfi.ErrDecode},
		"no request":      {"request", "x", walletfi.ErrDecode},
		"an empty one":    {"request", map[string]any{"amount": "7"}, walletfi.ErrInvalidRequest},
		"another amount":  {"request", map[string]any{"inputMint": sol, "outputMint": usdc, "amount": "7"}, walletfi.ErrMismatch},
		"another mint":    {"request", map[string]any{"inputMint": sol, "outputMint": user, "amount": maxAmount}, walletfi.ErrMismatch},
		"a negative":      {"request", map[string]any{"inputMint": sol, "outputMint": usdc, "amount": "-7"}, walletfi.ErrDecode},
		"no time":         {"receivedAt", "yesterday", walletfi.ErrDecode},
		"an older intent": {"request", []int{1}, walletfi.ErrDecode},
	} {
		var form map[string]any
		require.NoError(t, json.Unmarshal(text, &form))
		require.Contains(t, form, row.part)
		form[row.part] = row.to
		changed, err := json.Marshal(form)
		require.NoError(t, err)
		require.ErrorIs(t, json.Unmarshal(changed, new(swap.Quote)), row.is, name)
	}
}
