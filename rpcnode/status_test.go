package rpcnode_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
)

func contextOf(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), d)
}

func TestSignatureStatus(t *testing.T) {
	signature := solana.Signature{7}.String()
	for name, c := range map[string]struct {
		value string
		want  walletfi.SignatureStatus
	}{
		"not found": {`null`, walletfi.SignatureStatus{}},
		"processed": {`{"slot":5,"confirmations":0,"err":null,"confirmationStatus":"processed"}`,
			walletfi.SignatureStatus{Found: true, Slot: 5, Commitment: walletfi.CommitmentProcessed}},
		"confirmed": {`{"slot":5,"confirmations":3,"err":null,"confirmationStatus":"confirmed"}`,
			walletfi.SignatureStatus{Found: true, Slot: 5, Commitment: walletfi.CommitmentConfirmed}},
		"finalized": {`{"slot":5,"confirmations":null,"err":null,"confirmationStatus":"finalized"}`,
			walletfi.SignatureStatus{Found: true, Slot: 5, Commitment: walletfi.CommitmentFinalized}},
		"confirmed, without a count": {`{"slot":5,"confirmations":null,"err":null,"confirmationStatus":"confirmed"}`,
			walletfi.SignatureStatus{Found: true, Slot: 5, Commitment: walletfi.CommitmentConfirmed}},
		"not rooted, of an old node": {`{"slot":5,"confirmations":3,"err":null}`,
			walletfi.SignatureStatus{Found: true, Slot: 5}},
		"rooted, of an old node": {`{"slot":5,"confirmations":null,"err":null}`,
			walletfi.SignatureStatus{Found: true, Slot: 5, Commitment: walletfi.CommitmentFinalized}},
		"failed": {`{"slot":5,"confirmations":null,"err":{"InstructionError":[0,{"Custom":6001}]},"confirmationStatus":"finalized"}`,
			walletfi.SignatureStatus{Found: true, Slot: 5, Commitment: walletfi.CommitmentFinalized, Err: `{"InstructionError":[0,{"Custom":6001}]}`}},
	} {
		t.Run(name, func(t *testing.T) {
			node := onFake(t, func(w http.ResponseWriter, method string, params []json.RawMessage) {
				require.Equal(t, "getSignatureStatuses", method)
				require.JSONEq(t, `["`+signature+`"]`, string(params[0]))
				require.JSONEq(t, `{"searchTransactionHistory":true}`, string(params[1]))
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"extra":1,"result":{"context":{"slot":9},"value":[%s]}}`, c.value)
			})
			got, err := node.SignatureStatus(t.Context(), signature)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestSignatureStatusOfNoSignature(t *testing.T) {
	node := onFake(t, says(500, ""))
	_, err := node.SignatureStatus(t.Context(), "abc")
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "signature", invalid.Field)
}

func TestStatusOnTheSandbox(t *testing.T) {
	b := onSandbox(t, sandbox.Config{ManualClock: true})
	tx := b.payment(t, 2_000_000)
	status, err := b.SignatureStatus(t.Context(), tx.Signature)
	require.NoError(t, err)
	require.False(t, status.Found)
	_, err = b.Submit(t.Context(), tx)
	require.NoError(t, err)
	for _, step := range []struct {
		slots int
		want  walletfi.Commitment
	}{{0, walletfi.CommitmentProcessed}, {1, walletfi.CommitmentConfirmed}, {40, walletfi.CommitmentFinalized}} {
		b.s.Advance(time.Duration(step.slots) * 400 * time.Millisecond)
		status, err := b.SignatureStatus(t.Context(), tx.Signature)
		require.NoError(t, err)
		require.Equal(t, step.want, status.Commitment)
	}
	height, err := b.BlockHeight(t.Context())
	require.NoError(t, err)
	require.Equal(t, b.s.Ledger().BlockHeight()-1, height, "confirmed is a slot behind")
	_, last, err := b.LatestBlockhash(t.Context())
	require.NoError(t, err)
	require.InDelta(t, height+150, last, 5)
}

func TestLatestBlockhashWithoutOne(t *testing.T) {
	blockhash := solana.Hash{7}.String()
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"result":null}`, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":null}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":{"blockhash":"` + blockhash + `","lastValidBlockHeight":0}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":{"blockhash":"` + blockhash + `"}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":{"lastValidBlockHeight":7}}}`,
	} {
		got, last, err := onFake(t, says(200, body)).LatestBlockhash(t.Context())
		require.ErrorIs(t, err, walletfi.ErrDecode)
		require.Empty(t, got)
		require.Zero(t, last)
	}
}

// TestNothingSecretIsShown lets a node and the network echo the URL.
func TestNothingSecretIsShown(t *testing.T) {
	synctest.Test(t, nothingSecretIsShown)
}

func nothingSecretIsShown(t *testing.T) {
	echo := `"canary-path canary-query canary-header"`
	key := "canary-key-123"
	var all []error
	for _, a := range []answers{
		says(200, `{"error":{"code":-32002,"message":`+echo+`,"data":{"err":`+echo+`}}}`), says(502, echo), says(200, echo), says(429, echo),
	} {
		node := onFake(t, a)
		_, err := node.Submit(t.Context(), signedOffline(t))
		all = append(all, err)
		_, err = solanago.RPC(node).GetHealth(t.Context())
		all = append(all, err)
		_, err = solanago.RPC(node).RPCCallBatch(t.Context(), jsonrpc.RPCRequests{{Method: "getHealth"}})
		all = append(all, err)
	}
	for _, address := range []string{"http://127.0.0.1:1/" + key, "http://user:" + key + "@localhost:1", "https://" + key + ".invalid/rpc"} {
		node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(address), HTTPClient: &http.Client{Transport: &http.Transport{DialContext: away}}})
		require.NoError(t, err)
		_, err = node.BlockHeight(t.Context())
		all = append(all, err)
	}
	for _, address := range []string{"http://example.com/" + key, "ftp://x/" + key, "://" + key, key} {
		_, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(address)})
		all = append(all, err)
	}
	_, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret("https://example.com"),
		Header: map[string]walletfi.Secret{"X-Key": walletfi.NewSecret(key + "\r\n")}})
	all = append(all, err)
	for i, err := range all {
		require.Error(t, err, i)
		for ; err != nil; err = errors.Unwrap(err) {
			for _, verb := range []string{"%v", "%s", "%q"} {
				require.NotContains(t, fmt.Sprintf(verb, err), "canary")
			}
			if e, ok := err.(*rpcnode.Error); ok {
				require.NotContains(t, string(e.Data), "canary")
			}
		}
	}
}

// away fails as the network does: it quotes the host.
func away(_ context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if net.ParseIP(host) != nil || host == "localhost" {
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
	}
	return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}}
}

func TestCauseCanBeAskedFor(t *testing.T) {
	synctest.Test(t, causeCanBeAskedFor)
}

func causeCanBeAskedFor(t *testing.T) {
	refused := errors.New("the pipe is shut")
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret("https://node.example.com"), HTTPClient: &http.Client{
		Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, refused }},
	}})
	require.NoError(t, err)
	_, err = node.BlockHeight(t.Context())
	require.ErrorIs(t, err, refused)
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
}

func TestRPC(t *testing.T) {
	b := onSandbox(t, sandbox.Config{})
	balance, err := solanago.RPC(b.Client).GetBalance(t.Context(), b.me, rpc.CommitmentConfirmed)
	require.NoError(t, err)
	require.Equal(t, b.s.Ledger().Balance(b.me.String()), balance.Value)
	batch, err := solanago.RPC(b.Client).RPCCallBatch(t.Context(), jsonrpc.RPCRequests{{Method: "getHealth"}, {Method: "getNothing"}})
	require.NoError(t, err)
	require.Equal(t, `"ok"`, string(batch[0].Result))
	require.Equal(t, -32601, batch[1].Error.Code)
	got := 0
	require.NoError(t, solanago.RPC(b.Client).RPCCallWithCallback(t.Context(), "getHealth", nil, func(_ *http.Request, r *http.Response) error {
		got = r.StatusCode
		return nil
	}))
	require.Equal(t, http.StatusOK, got)
}
