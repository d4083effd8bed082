package wallet_test

import (
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// field is a wallet on a sandbox's node that simulates what it signs. It runs
// in a synctest bubble, and the sandbox's clock follows the bubble's.
type field struct {
	*sandbox.Sandbox
	node   *rpcnode.Client
	wallet *wallet.Wallet
	shop   solana.PublicKey
}

// onSandbox starts a sandbox and runs test in a bubble.
func onSandbox(t *testing.T, test func(t *testing.T, f *field)) {
	t.Helper()
	box, err := sandbox.Start(sandbox.Config{ManualClock: true})
	require.NoError(t, err)
	t.Cleanup(box.Close)
	synctest.Test(t, func(t *testing.T) { test(t, newField(t, box)) })
}

func newField(t *testing.T, s *sandbox.Sandbox) *field {
	t.Helper()
	node, err := rpcnode.New(rpcnode.Config{
		URL: walletfi.NewSecret(s.URL(sandbox.RPC)), HTTPClient: &http.Client{Transport: &clocked{
			// The bubble's time does not advance while a goroutine in it reads from a
			// connection.
			RoundTripper: &http.Transport{DisableKeepAlives: true}, box: s, moved: time.Now(),
		}},
	})
	require.NoError(t, err)
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{Simulator: node, Resolver: node}),
		Submitter: node, Confirmer: node, Heights: node,
	})
	require.NoError(t, err)
	return &field{s, node, w, solana.NewWallet().PublicKey()}
}

// clocked moves the sandbox's clock to the bubble's before each request.
type clocked struct {
	http.RoundTripper
	box   *sandbox.Sandbox
	mu    sync.Mutex
	moved time.Time
}

func (c *clocked) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	now := time.Now()
	c.box.Advance(now.Sub(c.moved))
	c.moved = now
	c.mu.Unlock()
	return c.RoundTripper.RoundTrip(r)
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
		Owner: me.String(), PayTo: []string{f.shop.String()},
		Spend: []walletfi.Asset{{Mint: walletfi.NativeMint}},
	}}
	for _, n := range lamports {
		u.Intent.Spend[0].Amount += walletfi.Amount(n)
		built, err := solana.NewTransaction([]solana.Instruction{system.NewTransferInstruction(n, me, f.shop).Build()},
			solana.MustHashFromBase58(blockhash), solana.TransactionPayer(me))
		require.NoError(t, err)
		tx, err := solanago.FromSolana(built)
		require.NoError(t, err)
		u.Transactions = append(u.Transactions, tx.Base64())
	}
	return u
}

// open lists what is not settled.
func (f *field) open(t *testing.T) []wallet.Unsettled {
	t.Helper()
	all, err := f.wallet.Unsettled(t.Context())
	require.NoError(t, err)
	return all
}

func (f *field) balance() uint64 { return f.Ledger().Balance(f.shop.String()) }

func TestSetOnTheSandbox(t *testing.T) { onSandbox(t, setOnTheSandbox) }

func setOnTheSandbox(t *testing.T, f *field) {
	result, err := f.wallet.Execute(t.Context(), f.pay(t, 2_000_000, 3_000_000), wallet.ExecuteOptions{})
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
// nothing of it, however often it is asked.
func TestAnswerLostAfterHandling(t *testing.T) {
	for name, fault := range map[string]sandbox.Fault{
		"reset": {Handled: true, Reset: true}, "500": {Handled: true, Status: 500}, "garbage": {Garbage: true},
	} {
		t.Run(name, func(t *testing.T) {
			onSandbox(t, func(t *testing.T, f *field) {
				f.fault("sendTransaction", fault)
				result, err := f.wallet.Execute(t.Context(), f.pay(t, 2_000_000), wallet.ExecuteOptions{})
				require.NoError(t, err)
				require.True(t, result.Confirmed())
				require.EqualValues(t, 2_000_000, f.balance(), "once")
				require.Empty(t, f.open(t))
			})
		})
	}
}

func TestStatusIsAskedUntilTheNodeAnswers(t *testing.T) {
	onSandbox(t, func(t *testing.T, f *field) {
		f.fault("getSignatureStatuses", sandbox.Fault{Status: 503, Times: 5})
		result, err := f.wallet.Execute(t.Context(), f.pay(t, 2_000_000), wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.True(t, result.Confirmed())
	})
}

// TestNeverSentExpires: the node loses the transaction, and the ledger moves on.
func TestNeverSentExpires(t *testing.T) {
	onSandbox(t, func(t *testing.T, f *field) {
		f.fault("sendTransaction", sandbox.Fault{Status: 502})
		u := f.pay(t, 2_000_000)
		begun := time.Now()
		result, err := f.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{})
		require.ErrorIs(t, err, wallet.ErrExpired)
		require.Equal(t, []wallet.State{wallet.StateExpired}, states(result))
		require.Greater(t, time.Since(begun), 150*400*time.Millisecond, "a blockhash lives 150 slots")
		require.Zero(t, f.balance())
		require.Empty(t, f.open(t))

		_, err = f.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{})
		require.ErrorIs(t, err, wallet.ErrExpired, "an expired transaction is not signed again")
		require.NotErrorIs(t, err, signing.ErrRefused, "and not called an attack")
	})
}

// TestNodeAway: without a height nothing is signed.
func TestNodeAway(t *testing.T) {
	onSandbox(t, func(t *testing.T, f *field) {
		u := f.pay(t, 2_000_000)
		f.fault("getEpochInfo", sandbox.Fault{Status: 401})
		result, err := f.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{})
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		require.Nil(t, result)
		require.Zero(t, f.balance())
	})
}

// TestSimulatorAway: a guard that should simulate and cannot does not sign.
func TestSimulatorAway(t *testing.T) {
	onSandbox(t, func(t *testing.T, f *field) {
		f.fault("simulateTransaction", sandbox.Fault{Status: 401})
		result, err := f.wallet.Execute(t.Context(), f.pay(t, 2_000_000), wallet.ExecuteOptions{})
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		require.Empty(t, result.Steps)
		require.Zero(t, f.balance())
	})
}
