package swap_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/swap"
)

var (
	lostAnswer = answer{Err: io.ErrUnexpectedEOF}
	taken      = answer{Status: 200, Body: `{"orderId":"o-1","status":"submitted","openSignature":"` + signature + `"}`}
	unknown    = answer{Status: 404}
	submitted  = &swap.SubmittedIntent{OrderID: "o-1", Status: swap.OrderSubmitted, OpenSignature: signature}
	recovered  = &swap.SubmittedIntent{Status: swap.OrderOpen, OpenSignature: signature, Recovered: true}
	opened     = answer{Status: 200, Body: `{"status":"open"}`}
)

const submit, ask = "/submit-intent", "/order-status"

func submitRequest(t *testing.T) swap.SubmitIntentRequest {
	return swap.SubmitIntentRequest{Transaction: signedTransaction(), Intent: builtIntent(t)}
}

// TestSubmitIntentLost: before the same bytes go out again, the service is
// asked whether it knows the order.
func TestSubmitIntentLost(t *testing.T) {
	for name, row := range map[string]struct {
		submits, asks []answer
		options       walletfi.Options
		want          *swap.SubmittedIntent // nil where the outcome stays unknown
		paths         []string
	}{
		"known after a lost answer": {
			submits: []answer{lostAnswer}, asks: []answer{opened}, want: recovered, paths: []string{submit, ask},
		},
		"known after a 503": {
			submits: []answer{{Status: 503}}, asks: []answer{opened}, want: recovered, paths: []string{submit, ask},
		},
		"known after half an answer": {
			submits: []answer{{Status: 200, Body: `{"orderId":`}}, asks: []answer{opened}, want: recovered, paths: []string{submit, ask},
		},
		"known after an answer without an order": {
			submits: []answer{{Status: 200, Body: `{"status":"submitted"}`}}, asks: []answer{opened}, want: recovered, paths: []string{submit, ask},
		},
		"known after another transaction's signature": {
			submits: []answer{{Status: 200, Body: `{"orderId":"o-1","status":"submitted","openSignature":"` + wiretest.Signature(8) + `"}`}},
			asks:    []answer{opened}, want: recovered, paths: []string{submit, ask},
		},
		"not known, after another transaction's signature": {
			submits: []answer{{Status: 200, Body: `{"orderId":"o-1","status":"submitted","openSignature":"` + wiretest.Signature(8) + `"}`}},
			asks:    []answer{unknown}, paths: []string{submit, ask},
		},
		"not known, then taken": {
			submits: []answer{lostAnswer, taken}, asks: []answer{unknown}, want: submitted, paths: []string{submit, ask, submit},
		},
		"not known, then known": {
			submits: []answer{{Status: 500}, lostAnswer}, asks: []answer{unknown, opened}, want: recovered,
			paths: []string{submit, ask, submit, ask},
		},
		"never known": {
			submits: []answer{lostAnswer}, asks: []answer{unknown},
			paths: []string{submit, ask, submit, ask, submit, ask, submit, ask},
		},
		"nobody to ask": {
			submits: []answer{lostAnswer}, asks: []answer{{Status: 401}}, paths: []string{submit, ask},
		},
		"a status that nobody documented": {
			submits: []answer{lostAnswer}, asks: []answer{state("resting")}, paths: []string{submit, ask},
		},
		"no status": {
			submits: []answer{lostAnswer}, asks: []answer{{Status: 200, Body: `{"error":"upstream timed out"}`}}, paths: []string{submit, ask},
		},
		"an error for an answer, and no status": {
			submits: []answer{{Status: 200, Body: `{"success":false}`}}, asks: []answer{{Status: 200, Body: `{}`}}, paths: []string{submit, ask},
		},
		"a page that is not found": {
			submits: []answer{lostAnswer}, asks: []answer{{Status: 404, Body: `<html>no such host</html>`}}, paths: []string{submit, ask},
		},
		"the answer to the question lost too": {
			submits: []answer{lostAnswer}, asks: []answer{{Status: 500}}, paths: []string{submit, ask, ask, ask, ask},
		},
		"no repeat allowed, known": {
			submits: []answer{lostAnswer}, asks: []answer{opened}, want: recovered, paths: []string{submit, ask},
			options: walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
		},
		"no repeat allowed, not known": {
			submits: []answer{lostAnswer}, asks: []answer{unknown}, paths: []string{submit, ask},
			options: walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
		},
		"a limit before it was carried out": {
			submits: []answer{{Status: 429, Header: map[string]string{"Retry-After": "1"}}, taken}, want: submitted, paths: []string{submit, submit},
		},
	} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			cfg := keyed()
			cfg.Options = row.options
			c, wire := carriedClient(t, cfg, map[string][]answer{submit: row.submits, ask: row.asks})
			order, err := c.SubmitIntent(t.Context(), submitRequest(t))
			require.Equal(t, row.paths, wire.Paths())
			for _, r := range wire.Seen {
				if r.Method == "POST" {
					require.Equal(t, wire.Seen[0].Body, r.Body, "the same bytes at most")
					continue
				}
				require.Equal(t, ask+"?lastValidBlockHeight=312&signature="+signature, r.Target)
			}
			if row.want != nil {
				require.NoError(t, err)
				require.Equal(t, row.want, order)
				return
			}
			require.Nil(t, order)
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			require.NotErrorIs(t, err, walletfi.ErrUnavailable, "which would promise that nothing happened")
			require.NotErrorIs(t, err, walletfi.ErrUnauthorized, "which is the question's")
			lost := wiretest.As[*walletfi.OutcomeUnknownError](t, err)
			require.Equal(t, signature, lost.Signature)
		})
	}
}

// TestSubmitIntentRefused: a refusal is final, and the status is not asked for.
func TestSubmitIntentRefused(t *testing.T) {
	for status, kind := range map[int]error{400: walletfi.ErrInvalidRequest, 401: walletfi.ErrUnauthorized, 404: walletfi.ErrNotFound} {
		c, wire := carriedClient(t, keyed(), map[string][]answer{submit: {{Status: status}}})
		_, err := c.SubmitIntent(t.Context(), submitRequest(t))
		require.ErrorIs(t, err, kind)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Equal(t, []string{submit}, wire.Paths())
	}
}

// TestSubmitIntentHidesWhatWasSent, should the service repeat it.
func TestSubmitIntentHidesWhatWasSent(t *testing.T) {
	echo := string(signedTransaction())
	c, _ := carriedClient(t, keyed(), map[string][]answer{submit: {{Status: 400, Body: `{"error":"cannot read ` + echo + `"}`}}})
	_, err := c.SubmitIntent(t.Context(), submitRequest(t))
	r := wiretest.As[*walletfi.ResponseError](t, err)
	require.NotContains(t, string(r.Body)+r.Message+err.Error(), echo[:20])
}

// TestSubmitIntentUnasked: a transaction that the fee payer has yet to sign has
// no signature to ask by, so that a lost answer is not followed by the bytes.
func TestSubmitIntentUnasked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, keyed(), map[string][]answer{
			submit: {lostAnswer}, "/intent": {{Status: 200, Body: intended(t, `"transaction":"`+coSigned(0, 0).String()+`"`)}},
		})
		intent, err := c.BuildIntent(t.Context(), swap.IntentRequest{InputMint: sol, OutputMint: usdc, Amount: 1, Owner: second})
		require.NoError(t, err)
		wire.Seen = nil
		sponsored := swap.SubmitIntentRequest{Transaction: coSigned(0, 7), Intent: intent}
		_, err = c.SubmitIntent(t.Context(), sponsored)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.ErrorContains(t, err, "no signature of its fee payer")
		require.Equal(t, []string{submit}, wire.Paths())
	})
}

func TestSubmitIntentCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cfg := keyed()
		cfg.Observer = observe.OnAttempt(func(context.Context, observe.Attempt, observe.AttemptEnd) { cancel() })
		c, wire := carriedClient(t, cfg, map[string][]answer{submit: {lostAnswer}, ask: {opened}})
		_, err := c.SubmitIntent(ctx, submitRequest(t))
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, []string{submit}, wire.Paths())
	})
}

// TestSubmitIntentRaw: the captured response is the submit's, not that of the
// question after it.
func TestSubmitIntentRaw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := carriedClient(t, keyed(), map[string][]answer{submit: {{Status: 500, Body: "broken"}}, ask: {opened}})
		var raw walletfi.RawResponse
		order, err := c.SubmitIntent(t.Context(), submitRequest(t), walletfi.WithRawResponse(&raw), walletfi.Urgent())
		require.NoError(t, err)
		require.True(t, order.Recovered)
		require.Equal(t, 500, raw.StatusCode)
		require.Equal(t, "broken", string(raw.Body))
	})
}

func TestSubmitIntentWithoutRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, keyed(), map[string][]answer{submit: {lostAnswer}, ask: {unknown}})
		_, err := c.SubmitIntent(t.Context(), submitRequest(t), walletfi.WithoutRetry())
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.True(t, errors.Is(err, io.ErrUnexpectedEOF))
		require.Equal(t, []string{submit, ask}, wire.Paths())
	})
}

// The signers of coSigned.
var first, second = wiretest.Address(1), wiretest.Address(2)

// coSigned is a transaction of two signers. The fillers are those of their
// signatures; 0 is missing.
func coSigned(paid, signed byte) walletfi.Base64Transaction {
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(wiretest.Pair(1, 2, paid, signed)))
}

// TestSubmitIntentOnlyIts: nothing but the intent's transaction, signed by its
// owner, is sent. Another signer may sign after that.
func TestSubmitIntentOnlyIts(t *testing.T) {
	other := bytes.Replace(wiretest.Pair(1, 2, 7, 7), bytes.Repeat([]byte{2}, 32), bytes.Repeat([]byte{3}, 32), 1)
	for name, row := range map[string]struct {
		owner   string // "" if the intent is the service's JSON, which does not name it
		signed  walletfi.Base64Transaction
		problem string
	}{
		"the owner pays":                    {first, coSigned(7, 0), ""},
		"a sponsor pays":                    {second, coSigned(0, 7), ""},
		"all have signed":                   {first, coSigned(7, 8), ""},
		"of an unknown owner":               {"", coSigned(0, 7), ""},
		"of an unknown owner, stored":       {"", coSigned(0, 7), ""},
		"the owner pays, stored":            {first, coSigned(7, 0), ""},
		"as it was built":                   {first, coSigned(0, 0), "lacks the signature of the owner, " + first},
		"as it was built, stored":           {first, coSigned(0, 0), "lacks the signature of the owner, " + first},
		"as it was built, of nobody":        {"", coSigned(0, 0), "without another signature"},
		"the sponsor alone":                 {second, coSigned(7, 0), "lacks the signature of the owner, " + second},
		"another transaction":               {first, walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(other)), "another message was signed"},
		"another transaction of one signer": {first, signedTransaction(), "another message was signed"},
		"no transaction":                    {first, "AQID", "is not a well-formed transaction"},
	} {
		t.Run(name, func(t *testing.T) {
			c, wire := carriedClient(t, keyed(), map[string][]answer{
				submit: {taken}, "/intent": {{Status: 200, Body: intended(t, `"transaction":"`+coSigned(0, 0).String()+`"`)}},
			})
			intent, err := c.BuildIntent(t.Context(), swap.IntentRequest{InputMint: sol, OutputMint: usdc, Amount: 1, Owner: cmp.Or(row.owner, first)})
			require.NoError(t, err)
			if row.owner == "" {
				raw := intent.Raw
				intent = &swap.BuiltIntent{}
				require.NoError(t, json.Unmarshal(raw, intent))
			}
			if strings.HasSuffix(name, "stored") {
				text, err := json.Marshal(intent)
				require.NoError(t, err)
				intent = &swap.BuiltIntent{}
				require.NoError(t, json.Unmarshal(text, intent))
			}
			wire.Seen = nil
			_, err = c.SubmitIntent(t.Context(), swap.SubmitIntentRequest{Transaction: row.signed, Intent: intent})
			if row.problem == "" {
				require.NoError(t, err)
				require.Equal(t, []string{submit}, wire.Paths())
				return
			}
			wiretest.Refused(t, err, "signedTransaction")
			require.ErrorContains(t, err, row.problem)
			require.Empty(t, wire.Seen)
		})
	}
}
