package rpcnode_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a client on a sandbox's node.
type bench struct {
	*rpcnode.Client
	s   *sandbox.Sandbox
	key *signing.LocalKey
	me  solana.PublicKey
}

func onSandbox(t *testing.T, c sandbox.Config) *bench {
	t.Helper()
	s, err := sandbox.Start(c)
	require.NoError(t, err)
	client := httpClient(t, 5*time.Second)
	t.Cleanup(s.Close)
	return benchOf(t, s, client)
}

// inTime runs a test on a sandbox in simulated time.
func inTime(t *testing.T, c sandbox.Config, test func(t *testing.T, b *bench)) {
	t.Helper()
	s, err := sandbox.Start(c)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	synctest.Test(t, func(t *testing.T) { test(t, benchOf(t, s, &http.Client{Transport: s.Transport()})) })
}

func benchOf(t *testing.T, s *sandbox.Sandbox, client *http.Client) *bench {
	t.Helper()
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC)), HTTPClient: client})
	require.NoError(t, err)
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	return &bench{node, s, key, solana.PublicKey(key.PublicKey())}
}

func httpClient(t *testing.T, timeout time.Duration) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: timeout}
}

// fault hits a method of the sandbox's node.
func (b *bench) fault(method string, f sandbox.Fault) {
	b.s.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: method}, f)
}

func (b *bench) hits(method string) int {
	return b.s.Hits()[sandbox.Route{Service: sandbox.RPC, Method: http.MethodPost, Pattern: method}]
}

// build makes an unsigned transaction of the wallet's on a fresh blockhash.
func (b *bench) build(t *testing.T, ins ...solana.Instruction) *signing.Transaction {
	t.Helper()
	blockhash, _, err := b.LatestBlockhash(t.Context())
	require.NoError(t, err)
	built, err := solana.NewTransaction(ins, solana.MustHashFromBase58(blockhash), solana.TransactionPayer(b.me))
	require.NoError(t, err)
	tx, err := solanago.FromSolana(built)
	require.NoError(t, err)
	return tx
}

func (b *bench) sign(t *testing.T, tx *signing.Transaction) walletfi.Signed {
	t.Helper()
	require.NoError(t, signing.SignUnchecked(t.Context(), tx, b.key))
	return tx.Signed()
}

var shop = solana.NewWallet().PublicKey()

func (b *bench) pay(lamports uint64) solana.Instruction {
	return system.NewTransferInstruction(lamports, b.me, shop).Build()
}

// payment is a signed transfer of lamports to the shop.
func (b *bench) payment(t *testing.T, lamports uint64) walletfi.Signed {
	t.Helper()
	return b.sign(t, b.build(t, b.pay(lamports)))
}

// answers are what a made-up node says to a method.
type answers func(w http.ResponseWriter, method string, params []json.RawMessage)

// call is a request to a made-up node.
type call struct {
	ID     json.RawMessage
	Method string
	Params []json.RawMessage
}

// numbers gives the request's id to answers that have id 1.
func (c call) numbers(w http.ResponseWriter) http.ResponseWriter { return numbering{w, c.ID} }

type numbering struct {
	http.ResponseWriter
	id []byte
}

func (n numbering) Write(text []byte) (int, error) {
	_, err := n.ResponseWriter.Write(bytes.Replace(text, []byte(`"id":1,`), []byte(`"id":`+string(n.id)+`,`), 1))
	return len(text), err
}

// onFake is a client on a node that says what a test wants, in memory, so that
// the test can run on a virtual clock.
func onFake(t *testing.T, answer answers) *rpcnode.Client {
	t.Helper()
	return onFakeAt(t, "", answer)
}

// onFakeAt is onFake at a commitment.
func onFakeAt(t *testing.T, commitment walletfi.Commitment, answer answers) *rpcnode.Client {
	t.Helper()
	transport := wiretest.InMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call call
		if json.NewDecoder(r.Body).Decode(&call) == nil {
			answer(call.numbers(w), call.Method, call.Params)
		}
	}))
	node, err := rpcnode.New(rpcnode.Config{
		URL:        walletfi.NewSecret("http://localhost/canary-path/?api-key=canary-query"),
		Header:     map[string]walletfi.Secret{"X-Token": walletfi.NewSecret("canary-header")},
		HTTPClient: &http.Client{Transport: transport, Timeout: time.Second},
		Commitment: commitment,
	})
	require.NoError(t, err)
	return node
}

// says answers every call with one status and text.
func says(status int, text string) answers {
	return func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
		w.WriteHeader(status)
		w.Write([]byte(text))
	}
}

// signedOffline is a signed transaction that no ledger knows.
func signedOffline(t *testing.T) walletfi.Signed {
	t.Helper()
	key, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	built, err := solana.NewTransaction(
		[]solana.Instruction{system.NewTransferInstruction(1, solana.PublicKey(key.PublicKey()), shop).Build()},
		solana.Hash{1}, solana.TransactionPayer(solana.PublicKey(key.PublicKey())))
	require.NoError(t, err)
	tx, err := solanago.FromSolana(built)
	require.NoError(t, err)
	require.NoError(t, signing.SignUnchecked(t.Context(), tx, key))
	return tx.Signed()
}

// inMemory is a node without a network.
type inMemory answers

func (a inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	var call call
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	a(call.numbers(w), call.Method, call.Params)
	return w.Result(), nil
}
