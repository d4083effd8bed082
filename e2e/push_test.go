package e2e

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// pushed is a wallet that asks for statuses when it is told to, and else not
// within a test.
type pushed struct {
	box     *sandbox.Sandbox
	node    *rpcnode.Client
	watcher *rpcnode.Watcher
	wallet  *wallet.Wallet
	gaps    atomic.Int32
}

func newPushed(t *testing.T, network sandbox.Network, pollEvery time.Duration) *pushed {
	t.Helper()
	p := &pushed{box: flows.Start(t, sandbox.Config{ManualClock: true, NoLimits: true, Network: &network})}
	url := walletfi.NewSecret(p.box.URL(sandbox.RPC))
	var err error
	p.node, err = rpcnode.New(rpcnode.Config{URL: url, SkipPreflight: true})
	require.NoError(t, err)
	p.watcher, err = rpcnode.NewWatcher(rpcnode.WatcherConfig{URL: url, OnGap: func(rpcnode.Gap) { p.gaps.Add(1) }})
	require.NoError(t, err)
	t.Cleanup(func() { p.watcher.Close() })
	key, err := signing.NewLocalKey(p.box.Wallet())
	require.NoError(t, err)
	p.wallet, err = wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{}), Submitter: p.node, Confirmer: p.node, Heights: p.node, Watcher: p.watcher,
		PollEvery: pollEvery, ConfirmTimeout: 24 * time.Hour, ResendEvery: 24 * time.Hour,
	})
	require.NoError(t, err)
	t.Cleanup(func() { p.wallet.Close() })
	until(t, func() bool { p.box.Advance(400 * time.Millisecond); return p.watcher.Slot() > 0 })
	return p
}

// until waits in real time.
func until(t *testing.T, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for !done() {
		require.NoError(t, pause.For(ctx, 5*time.Millisecond))
	}
}

func (p *pushed) socket() sandbox.NodeSocketHandle { return p.box.Ledger().NodeSocket(0) }

// transfer pays the owner an amount.
func (p *pushed) transfer(t *testing.T, lamports uint64) walletfi.Unsigned {
	t.Helper()
	blockhash, last, err := p.node.LatestBlockhash(t.Context())
	require.NoError(t, err)
	me := solana.MustPublicKeyFromBase58(p.box.WalletAddress())
	built, err := solana.NewTransaction([]solana.Instruction{system.NewTransferInstruction(lamports, me, me).Build()},
		solana.MustHashFromBase58(blockhash), solana.TransactionPayer(me))
	require.NoError(t, err)
	tx, err := solanago.FromSolana(built)
	require.NoError(t, err)
	return walletfi.Unsigned{
		Blockhash: blockhash, LastValidBlockHeight: last, Transactions: []walletfi.EncodedTransaction{tx.Base64()},
		Intent: walletfi.Intent{
			Service: "test", Owner: me.String(), PayTo: []string{me.String()},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(lamports)}},
		},
	}
}

// execute begins a payment and returns what becomes of it.
func (p *pushed) execute(t *testing.T, lamports uint64) <-chan error {
	t.Helper()
	u := p.transfer(t, lamports)
	told := make(chan error, 1)
	go func() {
		_, err := p.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{})
		told <- err
	}()
	until(t, func() bool { return p.socket().Watching() > 0 })
	return told
}

// outcome lets the cluster's time go by until the payment has ended.
func (p *pushed) outcome(t *testing.T, told <-chan error) (err error) {
	t.Helper()
	until(t, func() bool {
		select {
		case err = <-told:
			return true
		default:
			p.box.Advance(400 * time.Millisecond)
			return false
		}
	})
	return err
}

// TestPushConfirms: a notification starts the question that confirms, and
// nothing else would for hours.
func TestPushConfirms(t *testing.T) {
	for name, trouble := range map[string]sandbox.NodeSocketTrouble{
		"on time": {}, "late": {Late: 5 * time.Second}, "twice": {Repeats: 2}, "to others too": {Foreign: true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPushed(t, sandbox.Network{}, time.Hour)
			p.socket().Trouble(trouble)
			require.NoError(t, p.outcome(t, p.execute(t, 1)))
			until(t, func() bool { return p.socket().Watching() == 0 })
			require.Empty(t, p.box.Violations())
		})
	}
}

// TestPushAfterADrop: what was executed while there was no connection is asked
// for when there is one again.
func TestPushAfterADrop(t *testing.T) {
	p := newPushed(t, sandbox.Network{}, time.Hour)
	told := p.execute(t, 1)
	// It is watched before it is sent, and would expire if the minute went by first.
	sent := sandbox.Route{Service: sandbox.RPC, Method: "POST", Pattern: "sendTransaction"}
	until(t, func() bool { return p.box.Hits()[sent] > 0 })
	require.Equal(t, 1, p.socket().Drop())
	p.box.Advance(time.Minute)
	require.NoError(t, p.outcome(t, told))
	require.Positive(t, p.gaps.Load())
}

// TestPushIsNoVerdict: a node that notifies of what was never executed is asked,
// and says no.
func TestPushIsNoVerdict(t *testing.T) {
	p := newPushed(t, sandbox.Network{}, 8*time.Second)
	p.socket().Trouble(sandbox.NodeSocketTrouble{Foreign: true})
	p.box.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: "sendTransaction"}, sandbox.Fault{Body: []byte("?"), Times: 1})
	told := p.execute(t, 1) // never arrives
	asked := func() int {
		return p.box.Hits()[sandbox.Route{Service: sandbox.RPC, Method: "POST", Pattern: "getSignatureStatuses"}]
	}
	until(t, func() bool { return asked() == 1 }) // because the answer was garbled

	// Another transaction is executed, and its notification goes to all.
	key, err := signing.NewLocalKey(p.box.Wallet())
	require.NoError(t, err)
	other := p.transfer(t, 2)
	tx, err := signing.Decode(other.Transactions[0])
	require.NoError(t, err)
	require.NoError(t, signing.SignUnchecked(t.Context(), tx, key))
	var hints atomic.Int32
	p.watcher.Watch(tx.Signed().Signature, func() { hints.Add(1) })
	until(t, func() bool { return p.socket().Watching() == 2 })
	begun := time.Now()
	_, err = p.node.Submit(t.Context(), tx.Signed())
	require.NoError(t, err)
	until(t, func() bool { p.box.Advance(400 * time.Millisecond); return hints.Load() > 0 && asked() == 2 })
	require.Less(t, time.Since(begun), 6*time.Second, "the question is the notification's")
	select {
	case err := <-told:
		require.Fail(t, "a verdict", "%v", err)
	case <-time.After(50 * time.Millisecond):
	}
}

// TestPushLost: polling confirms what no notification tells.
func TestPushLost(t *testing.T) {
	p := newPushed(t, sandbox.Network{}, 20*time.Millisecond)
	p.socket().Trouble(sandbox.NodeSocketTrouble{Lost: true})
	require.NoError(t, p.outcome(t, p.execute(t, 1)))
}
