package chaos

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

var inFlight = flag.Int("inflight", 1000, "intents of TestCost; the figures of landing are for 10000")

// silentNode is a node that takes every transaction, lands none and counts what it
// is asked.
type silentNode struct {
	walletfi.Prover                  // what a payment in flight does not ask for
	begun                  time.Time // of the ledger
	statuses, heads, sends atomic.Int64
	busiest                atomic.Int64 // status and head questions in a second
	second, inSecond       atomic.Int64
}

const (
	slotTime  = 400 * time.Millisecond
	firstSlot = 50_000
)

func (s *silentNode) slot() uint64 { return firstSlot + uint64(time.Since(s.begun)/slotTime) }

func (s *silentNode) ask(n *atomic.Int64) {
	n.Add(1)
	if now := time.Now().Unix(); s.second.Swap(now) != now {
		s.inSecond.Store(0)
	}
	s.busiest.Store(max(s.busiest.Load(), s.inSecond.Add(1)))
}

func (s *silentNode) Submit(_ context.Context, tx walletfi.Signed) (string, error) {
	s.sends.Add(1)
	return tx.Signature, nil
}

func (s *silentNode) SignatureStatus(context.Context, string) (walletfi.SignatureStatus, error) {
	s.ask(&s.statuses)
	return walletfi.SignatureStatus{}, nil
}

func (s *silentNode) SignatureStatuses(_ context.Context, signatures []string) ([]walletfi.SignatureStatus, uint64, error) {
	s.ask(&s.statuses)
	return make([]walletfi.SignatureStatus, len(signatures)), s.slot(), nil
}

func (s *silentNode) Head(context.Context) (slot, height uint64, err error) {
	s.ask(&s.heads)
	return s.slot(), s.slot(), nil
}

func (s *silentNode) BlockHeight(ctx context.Context) (uint64, error) {
	_, height, err := s.Head(ctx)
	return height, err
}

func (s *silentNode) FinalHead(context.Context) (walletfi.Head, error) {
	s.ask(&s.heads)
	final := s.slot() - 32
	return walletfi.Head{Slot: final, Height: final}, nil
}

func (s *silentNode) BlockhashValid(context.Context, string) (bool, uint64, error) {
	return true, s.slot(), nil
}

func (s *silentNode) BlockhashAge(context.Context) (uint64, error) { return 151, nil }

func (s *silentNode) Identity() string { return "silent" }

func (s *silentNode) Genesis(context.Context) (string, error) { return "the ledger", nil }

// payment is the n-th payment of an owner to itself.
func payment(t *testing.T, owner solana.PublicKey, n, height uint64) walletfi.Unsigned {
	t.Helper()
	transfer := system.NewTransferInstruction(n, owner, owner).Build()
	built, err := solana.NewTransaction([]solana.Instruction{transfer}, solana.Hash{1}, solana.TransactionPayer(owner))
	require.NoError(t, err)
	tx, err := rpcnode.FromSolana(built)
	require.NoError(t, err)
	return walletfi.Unsigned{
		LastValidBlockHeight: height + 150, Transactions: []walletfi.EncodedTransaction{tx.Base64()},
		Intent: walletfi.Intent{
			Service: "test", Owner: owner.String(), PayTo: []string{owner.String()},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(n)}},
		},
	}
}

// TestCost has many intents in flight at once: how often a node is asked, how much
// memory that takes, and how many goroutines, beyond the callers' own.
func TestCost(t *testing.T) {
	const perSecond, memory = 45, 84 << 20 // with what nodes have shown of each, and its intent in its report
	synctest.Test(t, func(t *testing.T) {
		node := &silentNode{begun: time.Now()}
		key, err := signing.NewLocalKeyFromSeed(make([]byte, 32))
		require.NoError(t, err)
		w, err := wallet.New(wallet.Config{
			Signer: key, Guard: signing.NewGuard(signing.Policy{}), Submitter: node, Confirmer: node, Heights: node,
		})
		require.NoError(t, err)
		defer w.Close()
		ctx, stop := context.WithCancel(t.Context())
		built := make([]walletfi.Unsigned, *inFlight)
		for i := range built {
			built[i] = payment(t, solana.PublicKey(key.PublicKey()), uint64(i)+1, node.slot())
		}
		before, routines := heap(), runtime.NumGoroutine()
		var all sync.WaitGroup
		for _, u := range built {
			all.Go(func() { _, _ = w.Execute(ctx, u) })
		}
		const watched = 30 * time.Second
		pause.For(t.Context(), 20*time.Second)
		node.busiest.Store(0)
		asked := node.statuses.Load() + node.heads.Load()
		sent := node.sends.Load()
		most := 0
		for range 300 {
			pause.For(t.Context(), watched/300)
			most = max(most, runtime.NumGoroutine())
		}
		rate := float64(node.statuses.Load()+node.heads.Load()-asked) / watched.Seconds()
		used := heap() - before
		extra := most - routines - *inFlight
		fmt.Printf("in flight=%d status and head requests a second=%.1f, in the busiest %d sends a second=%.0f memory=%.1f MiB goroutines beyond the callers'=%d\n",
			*inFlight, rate, node.busiest.Load(), float64(node.sends.Load()-sent)/watched.Seconds(), float64(used)/(1<<20), extra)
		require.Positive(t, node.statuses.Load())
		require.LessOrEqual(t, rate, float64(perSecond))
		require.LessOrEqual(t, node.busiest.Load(), int64(perSecond))
		require.LessOrEqual(t, used*10_000/int64(*inFlight), int64(memory))
		require.NotEmpty(t, built)
		require.LessOrEqual(t, extra, 200)
		stop()
		all.Wait()
	})
}

// heap is the memory in use, after what is not used is gone. The callers' stacks
// are their own.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
