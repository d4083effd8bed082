package wallet_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// field is a wallet on a sandbox's node that simulates what it signs.
type field struct {
	*sandbox.Sandbox
	node   *rpcnode.Client
	wallet *wallet.Wallet
	shop   solana.PublicKey
}

func newField(t *testing.T, c sandbox.Config) *field {
	t.Helper()
	s, err := sandbox.Start(c)
	require.NoError(t, err)
	transport := &http.Transport{}
	t.Cleanup(func() { transport.CloseIdleConnections(); s.Close() })
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC)), HTTPClient: &http.Client{Transport: transport}})
	require.NoError(t, err)
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{Simulator: node, Resolver: node}),
		Submitter: node, Confirmer: node, Heights: node, PollEvery: 10 * time.Millisecond,
	})
	require.NoError(t, err)
	return &field{s, node, w, solana.NewWallet().PublicKey()}
}

func (f *field) fault(method string, x sandbox.Fault) {
	f.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: method}, x)
}

// pay builds transactions that pay the shop, each its own amount.
func (f *field) pay(t *testing.T, lamports ...uint64) walletfi.Unsigned {
	t.Helper()
	blockhash, last, err := f.node.LatestBlockhash(t.Context())
	require.NoError(t, err)
	me := solana.MustPublicKeyFromBase58(f.WalletAddress())
	u := walletfi.Unsigned{Blockhash: blockhash, LastValidBlockHeight: last, Intent: walletfi.Intent{
		Owner: me.String(), Destinations: []string{f.shop.String()},
		Spend: []walletfi.Asset{{Mint: walletfi.NativeMint}},
	}}
	for _, n := range lamports {
		u.Intent.Spend[0].Amount += walletfi.Amount(n)
		built, err := solana.NewTransaction([]solana.Instruction{system.NewTransferInstruction(n, me, f.shop).Build()},
			solana.MustHashFromBase58(blockhash), solana.TransactionPayer(me))
		require.NoError(t, err)
		tx, err := rpcnode.FromSolana(built)
		require.NoError(t, err)
		u.Transactions = append(u.Transactions, tx.Base64())
	}
	return u
}

func (f *field) balance() uint64 { return f.Ledger().Balance(f.shop.String()) }

func TestSetOnTheSandbox(t *testing.T) {
	f := newField(t, sandbox.Config{SlotTime: 20 * time.Millisecond})
	result, err := f.wallet.Execute(t.Context(), f.pay(t, 2_000_000, 3_000_000))
	require.NoError(t, err)
	require.True(t, result.Confirmed())
	require.True(t, result.Report.Simulated)
	require.EqualValues(t, 5_000_000, f.balance())
	for _, step := range result.Steps {
		require.Empty(t, f.Ledger().TransactionStatus(step.Signature).Err)
		require.True(t, step.Status.Confirmed(walletfi.CommitmentConfirmed))
	}
	require.Empty(t, f.Violations())
}

// TestAnswerLostAfterHandling: the node sends the transaction on and says
// nothing of it, as often as it is asked.
func TestAnswerLostAfterHandling(t *testing.T) {
	for name, fault := range map[string]sandbox.Fault{
		"reset": {Handled: true, Reset: true}, "500": {Handled: true, Status: 500}, "garbage": {Garbage: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newField(t, sandbox.Config{SlotTime: 20 * time.Millisecond})
			f.fault("sendTransaction", fault)
			result, err := f.wallet.Execute(t.Context(), f.pay(t, 2_000_000))
			require.NoError(t, err)
			require.True(t, result.Confirmed())
			require.EqualValues(t, 2_000_000, f.balance(), "once")
			require.Empty(t, f.wallet.Unsettled())
		})
	}
}

func TestStatusIsAskedUntilItIsTold(t *testing.T) {
	f := newField(t, sandbox.Config{SlotTime: 20 * time.Millisecond})
	f.fault("getSignatureStatuses", sandbox.Fault{Status: 503, Times: 5})
	result, err := f.wallet.Execute(t.Context(), f.pay(t, 2_000_000))
	require.NoError(t, err)
	require.True(t, result.Confirmed())
}

// TestNeverSentExpires: the node loses the transaction, and the ledger moves on.
func TestNeverSentExpires(t *testing.T) {
	f := newField(t, sandbox.Config{ManualClock: true})
	f.fault("sendTransaction", sandbox.Fault{Status: 502})
	u := f.pay(t, 2_000_000)
	f.fault("getSignatureStatuses", sandbox.Fault{Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":[null]}}`), Times: 1})
	var result *wallet.Result
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		result, err = f.wallet.Execute(t.Context(), u)
	}()
	asked := sandbox.Route{Service: sandbox.RPC, Method: http.MethodPost, Pattern: "getSignatureStatuses"}
	require.Eventually(t, func() bool { return f.Hits()[asked] > 0 }, 30*time.Second, time.Millisecond)
	f.Advance(200 * 400 * time.Millisecond)
	<-done
	require.ErrorIs(t, err, wallet.ErrExpired)
	require.Equal(t, []wallet.State{wallet.StateExpired}, states(result))
	require.Zero(t, f.balance())
	require.Empty(t, f.wallet.Unsettled())

	_, err = f.wallet.Execute(t.Context(), u)
	require.ErrorIs(t, err, signing.ErrRefused, "what expired is not signed again as it is")
}

// TestNodeAway: without a height nothing is signed.
func TestNodeAway(t *testing.T) {
	f := newField(t, sandbox.Config{})
	u := f.pay(t, 2_000_000)
	f.fault("getBlockHeight", sandbox.Fault{Status: 401})
	result, err := f.wallet.Execute(t.Context(), u)
	require.ErrorIs(t, err, walletfi.ErrUnauthorized)
	require.Nil(t, result)
	require.Zero(t, f.balance())
}

// TestSimulatorAway: a guard that cannot simulate where it should does not
// sign.
func TestSimulatorAway(t *testing.T) {
	f := newField(t, sandbox.Config{})
	f.fault("simulateTransaction", sandbox.Fault{Status: 401})
	result, err := f.wallet.Execute(t.Context(), f.pay(t, 2_000_000))
	require.ErrorIs(t, err, walletfi.ErrUnauthorized)
	require.Empty(t, result.Steps)
	require.Zero(t, f.balance())
}
