package rpcnode_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
)

func TestSubmitLands(t *testing.T) {
	b := onSandbox(t, sandbox.Config{InstantConfirmation: true})
	tx := b.payment(t, 2_000_000)
	signature, err := b.Submit(t.Context(), tx)
	require.NoError(t, err)
	require.Equal(t, tx.Signature, signature)
	require.EqualValues(t, 2_000_000, b.s.Ledger().Balance(shop.String()))
	status, err := b.SignatureStatus(t.Context(), signature)
	require.NoError(t, err)
	require.True(t, status.Confirmed(walletfi.CommitmentFinalized))
	require.NotZero(t, status.Slot)

	again, err := b.Submit(t.Context(), tx)
	require.NoError(t, err, "what the ledger has is a success")
	require.Equal(t, signature, again)
	require.EqualValues(t, 2_000_000, b.s.Ledger().Balance(shop.String()))
}

func TestSubmitRefusedInPreflight(t *testing.T) {
	b := onSandbox(t, sandbox.Config{})
	_, err := b.Submit(t.Context(), b.payment(t, 1_000_000_000_000))
	require.ErrorIs(t, err, walletfi.ErrRejected)
	require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	var refused *rpcnode.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, -32002, refused.Code)
	require.Equal(t, "sendTransaction", refused.Method)
	var data struct{ Logs []string }
	require.NoError(t, refused.Data.Decode(&data))
	require.Contains(t, strings.Join(data.Logs, "\n"), "custom program error: 0x1")
	require.Equal(t, 1, b.hits("sendTransaction"))
}

func TestSubmitBlockhashNotFound(t *testing.T) {
	b := onSandbox(t, sandbox.Config{ManualClock: true})
	paid := b.payment(t, 2_000_000)
	b.s.Advance(2 * time.Minute)
	_, err := b.Submit(t.Context(), paid)
	require.ErrorIs(t, err, walletfi.ErrBlockhashNotFound)
	require.ErrorIs(t, err, walletfi.ErrRejected)
	require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	require.Equal(t, 1, b.hits("sendTransaction"))
	_, err = b.Submit(t.Context(), b.payment(t, 1_000_000_000_000))
	require.NotErrorIs(t, err, walletfi.ErrBlockhashNotFound, "refused for its amount")
}

func TestSubmitRefusesWhatIsNotSigned(t *testing.T) {
	b := onSandbox(t, sandbox.Config{})
	unsigned := b.build(t, b.pay(1))
	mixed := b.payment(t, 2_000_000)
	mixed.Signature = b.payment(t, 3_000_000).Signature
	for _, tx := range []walletfi.Signed{{}, unsigned.Signed(), {Transaction: "!"}, mixed} {
		_, err := b.Submit(t.Context(), tx)
		var invalid *walletfi.ValidationError
		require.ErrorAs(t, err, &invalid)
	}
	require.Zero(t, b.hits("sendTransaction"))
}

func TestSubmitSurvivesALostAnswer(t *testing.T) {
	for name, fault := range map[string]sandbox.Fault{
		"reset before":  {Reset: true, Times: 1},
		"reset after":   {Reset: true, Handled: true, Times: 1},
		"500 after":     {Status: 500, Handled: true, Times: 1},
		"503 before":    {Status: 503, Times: 1},
		"429":           {Status: 429, Times: 1},
		"HTML with 502": {Status: 502, Body: []byte("<html>bad gateway</html>"), Times: 1},
	} {
		t.Run(name, func(t *testing.T) {
			b := onSandbox(t, sandbox.Config{})
			pauses := b.SkipPauses()
			tx := b.payment(t, 2_000_000)
			b.fault("sendTransaction", fault)
			signature, err := b.Submit(t.Context(), tx)
			require.NoError(t, err)
			require.Equal(t, tx.Signature, signature)
			require.EqualValues(t, 2_000_000, b.s.Ledger().Balance(shop.String()), "executed once")
			require.EqualValues(t, 1, pauses.Load())
		})
	}
}

func TestSubmitUnreadableAnswerIsUnknown(t *testing.T) {
	b := onSandbox(t, sandbox.Config{})
	tx := b.payment(t, 2_000_000)
	b.fault("sendTransaction", sandbox.Fault{Garbage: true})
	_, err := b.Submit(t.Context(), tx)
	var unknown *walletfi.OutcomeUnknownError
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, tx.Signature, unknown.Signature)
	require.ErrorIs(t, err, walletfi.ErrDecode)
	require.EqualValues(t, 2_000_000, b.s.Ledger().Balance(shop.String()), "it did land")
}

// TestSubmitSentOrNot says for each answer whether the transaction may have
// been sent on.
func TestSubmitSentOrNot(t *testing.T) {
	other := solana.Signature{1}.String()
	code := func(code int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"no"}}`, code)
	}
	for name, c := range map[string]struct {
		status  int
		body    string
		kind    error
		unknown bool
	}{
		"bad params":              {200, code(-32602), walletfi.ErrInvalidRequest, false},
		"parse error":             {200, code(-32700), walletfi.ErrInvalidRequest, false},
		"bad signature":           {200, code(-32003), walletfi.ErrInvalidRequest, false},
		"no such version":         {200, code(-32015), walletfi.ErrInvalidRequest, false},
		"no such method":          {200, code(-32601), walletfi.ErrInvalidRequest, false},
		"key refused":             {401, `{"message":"who are you"}`, walletfi.ErrUnauthorized, false},
		"forbidden":               {403, "no", walletfi.ErrForbidden, false},
		"not found":               {404, "", walletfi.ErrInvalidRequest, false},
		"another signature":       {200, `{"jsonrpc":"2.0","id":1,"result":"` + other + `"}`, walletfi.ErrDecode, true},
		"null":                    {200, `{"jsonrpc":"2.0","id":1,"result":null}`, walletfi.ErrDecode, true},
		"no result":               {200, `{}`, walletfi.ErrDecode, true},
		"empty":                   {200, ``, walletfi.ErrDecode, true},
		"HTML":                    {200, `<html>`, walletfi.ErrDecode, true},
		"a list":                  {200, `[]`, walletfi.ErrDecode, true},
		"unknown code":            {200, code(-32050), walletfi.ErrUnavailable, true},
		"internal error":          {500, code(-32603), walletfi.ErrUnavailable, true},
		"unhealthy":               {200, code(-32005), walletfi.ErrUnavailable, false},
		"rate limit by code":      {200, code(429), walletfi.ErrRateLimited, false},
		"rate limit by status":    {429, code(-32050), walletfi.ErrRateLimited, false},
		"rate limit without JSON": {429, "slow down", walletfi.ErrRateLimited, false},
	} {
		t.Run(name, func(t *testing.T) {
			tx := signedOffline(t)
			var err error
			synctest.Test(t, func(t *testing.T) { _, err = onFake(t, says(c.status, c.body)).Submit(t.Context(), tx) })
			require.ErrorIs(t, err, c.kind)
			var unknown *walletfi.OutcomeUnknownError
			if !c.unknown {
				require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
				return
			}
			require.ErrorAs(t, err, &unknown)
			require.Equal(t, tx.Signature, unknown.Signature)
		})
	}
}

func TestSubmitAmbiguousThenRefused(t *testing.T) {
	synctest.Test(t, ambiguousThenRefused)
}

func ambiguousThenRefused(t *testing.T) {
	calls := 0
	node := onFake(t, func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
		if calls++; calls == 1 {
			says(502, "")(w, "", nil)
			return
		}
		says(200, `{"error":{"code":-32002,"message":"Blockhash not found","data":{"err":"BlockhashNotFound"}}}`)(w, "", nil)
	})
	_, err := node.Submit(t.Context(), signedOffline(t))
	require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "the first may have landed")
	require.ErrorIs(t, err, walletfi.ErrRejected)
	require.Equal(t, 2, calls)
}

func TestSubmitNodeAway(t *testing.T) {
	synctest.Test(t, nodeAway)
}

func nodeAway(t *testing.T) {
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret("http://127.0.0.1:1/canary-path"), HTTPClient: &http.Client{Transport: &http.Transport{DialContext: away}}})
	require.NoError(t, err)
	_, err = node.Submit(t.Context(), signedOffline(t))
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	var lost *walletfi.TransportError
	require.ErrorAs(t, err, &lost)
	require.Equal(t, "sendTransaction", lost.Op)
}

func TestSubmitTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := make(chan struct{})
		node := onFake(t, func(http.ResponseWriter, string, []json.RawMessage) { <-held })
		defer close(held)
		ctx, cancel := contextOf(t, 50*time.Millisecond)
		defer cancel()
		_, err := node.Submit(ctx, signedOffline(t))
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.ErrorIs(t, err, ctx.Err())
	})
}

func TestSubmitRedirectIsRefused(t *testing.T) {
	node := onFake(t, func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
		w.Header().Set("Location", "http://127.0.0.1:1/thief")
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	_, err := node.Submit(t.Context(), signedOffline(t))
	require.ErrorIs(t, err, walletfi.ErrRedirect)
	require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
}

// TestSubmitReasonAnywhere: why preflight failed decides what the caller does,
// so that it is found in an answer of any length, though little of it is kept.
func TestSubmitReasonAnywhere(t *testing.T) {
	filler := strings.Repeat("x", 100<<10)
	for name, body := range map[string]string{
		"in a long message": `{"error":{"code":-32002,"message":"` + filler + ` This transaction has already been processed"}}`,
		"in long data":      `{"error":{"code":-32002,"message":"no","data":{"logs":["` + filler + `"],"err":"AlreadyProcessed"}}}`,
	} {
		tx := signedOffline(t)
		signature, err := onFake(t, says(200, body)).Submit(t.Context(), tx)
		require.NoError(t, err, name)
		require.Equal(t, tx.Signature, signature, name)
	}
	long := `{"error":{"code":-32002,"message":"` + filler + ` Blockhash not found","data":"` + filler + `"}}`
	_, err := onFake(t, says(200, long)).Submit(t.Context(), signedOffline(t))
	require.ErrorIs(t, err, walletfi.ErrBlockhashNotFound)
	require.Less(t, len(err.Error()), 500)
	var refused *rpcnode.Error
	require.ErrorAs(t, err, &refused)
	require.Empty(t, refused.Data)
}
