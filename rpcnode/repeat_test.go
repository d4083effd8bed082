package rpcnode_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
)

func TestReadsAreRepeated(t *testing.T) {
	for name, f := range map[string]sandbox.Fault{
		"reset": {Reset: true, Times: 2}, "429": {Status: 429, Times: 1}, "503": {Status: 503, Times: 2},
	} {
		t.Run(name, func(t *testing.T) {
			b := onSandbox(t, sandbox.Config{})
			pauses := b.SkipPauses()
			b.fault("getBlockHeight", f)
			height, err := b.BlockHeight(t.Context())
			require.NoError(t, err)
			require.NotZero(t, height)
			require.EqualValues(t, f.Times, pauses.Load())
		})
	}
}

func TestReadsThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		kind   error
	}{
		"garbage":      {200, "<html>", walletfi.ErrDecode},
		"wrong type":   {200, `{"jsonrpc":"2.0","id":1,"result":"many"}`, walletfi.ErrDecode},
		"unauthorized": {401, "", walletfi.ErrUnauthorized},
		"no method":    {200, `{"error":{"code":-32601,"message":"Method not found"}}`, walletfi.ErrInvalidRequest},
		"always busy":  {503, "", walletfi.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				node := onFake(t, func(w http.ResponseWriter, method string, params []json.RawMessage) {
					calls++
					says(c.status, c.body)(w, method, params)
				})
				height, err := node.BlockHeight(t.Context())
				require.ErrorIs(t, err, c.kind)
				require.Zero(t, height)
				if c.status == 503 {
					require.Equal(t, 4, calls, "and three repeats")
				} else {
					require.Equal(t, 1, calls)
				}
				blockhash, last, err := node.LatestBlockhash(t.Context())
				require.ErrorIs(t, err, c.kind)
				require.Empty(t, blockhash)
				require.Zero(t, last)
				got, err := node.SignatureStatuses(t.Context(), []string{solana.Signature{7}.String()})
				require.ErrorIs(t, err, c.kind)
				require.Nil(t, got.Statuses)
				require.Zero(t, got.AsOfSlot)
			})
		})
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		node := onFake(t, says(503, ""))
		ctx, cancel := contextOf(t, time.Microsecond)
		defer cancel()
		begun := time.Now()
		_, err := node.BlockHeight(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, walletfi.ErrUnavailable, "the last failure")
		require.NotContains(t, err.Error(), "\n")
		require.Equal(t, time.Microsecond, time.Since(begun))
	})
}

// TestSubmitIsRepeated: three times, and no more.
func TestSubmitIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		_, err := onFake(t, func(w http.ResponseWriter, method string, params []json.RawMessage) {
			calls++
			says(http.StatusTooManyRequests, "")(w, method, params)
		}).Submit(t.Context(), signedOffline(t))
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		require.Equal(t, 4, calls)
	})
}

func TestSubmitRetryAfterTooLong(t *testing.T) {
	calls := 0
	node := onFake(t, func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
		calls++
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	_, err := node.Submit(t.Context(), signedOffline(t))
	var limited *rpcnode.Error
	require.ErrorAs(t, err, &limited)
	require.Equal(t, time.Hour, limited.RetryAfter)
	require.Equal(t, http.StatusTooManyRequests, limited.StatusCode)
	require.Equal(t, 1, calls)
}

// A node that hangs costs an attempt, not the call.
func TestReadThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hung []time.Duration
		answering := inMemory(says(200, `{"jsonrpc":"2.0","id":1,"result":7}`))
		transport := roundTripper(func(r *http.Request) (*http.Response, error) {
			begun := time.Now()
			if len(hung) == 2 {
				return answering.RoundTrip(r)
			}
			<-r.Context().Done()
			hung = append(hung, time.Since(begun))
			return nil, r.Context().Err()
		})
		node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret("http://localhost"), HTTPClient: &http.Client{Transport: transport}})
		require.NoError(t, err)
		height, err := node.BlockHeight(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 7, height)
		require.Equal(t, []time.Duration{4 * time.Second, 8 * time.Second}, hung, "the second attempt may take longer")
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
