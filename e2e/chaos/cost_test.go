package chaos

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/race"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

var inFlight = flag.Int("inflight", 1000, "intents of TestCost; the figures of landing are for 10000")

// silentNode is a node that takes every transaction, lands none and counts what it
// is asked.
type silentNode struct {
	view
	statuses, heads, sends, others atomic.Int64
	busiest                        atomic.Int64 // status and head questions in a second
	second, inSecond               atomic.Int64
}

func (s *silentNode) ask(n *atomic.Int64) {
	n.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now().Unix(); s.second.Swap(now) != now {
		s.inSecond.Store(0)
	}
	s.busiest.Store(max(s.busiest.Load(), s.inSecond.Add(1)))
}

func (s *silentNode) Submit(_ context.Context, tx walletfi.Signed) (string, error) {
	s.sends.Add(1)
	return tx.Signature, nil
}

func (s *silentNode) SignatureStatuses(_ context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	s.ask(&s.statuses)
	return walletfi.SignatureStatuses{Statuses: make([]walletfi.SignatureStatus, len(signatures)), AsOfSlot: s.slot()}, nil
}

func (s *silentNode) Head(context.Context) (head walletfi.Head, err error) {
	s.ask(&s.heads)
	return walletfi.Head{Slot: s.slot(), Height: s.slot() - skipped}, nil
}

func (s *silentNode) FinalHead(ctx context.Context) (walletfi.Head, error) {
	s.ask(&s.heads)
	return s.view.FinalHead(ctx)
}

func (s *silentNode) BlockhashValid(context.Context, string) (walletfi.BlockhashState, error) {
	s.others.Add(1)
	return walletfi.BlockhashState{Valid: true, AsOfSlot: s.slot()}, nil
}

// TestCost has many intents in flight at once: how often a node is asked, how much
// memory that takes, and how many goroutines, beyond the callers' own.
func TestCost(t *testing.T) {
	const perSecond, memory = 45, race.Factor * 64 << 20 // with what nodes have shown of each
	synctest.Test(t, func(t *testing.T) {
		l := newLedger(1)
		l.calm = true
		node := &silentNode{view: view{ledger: l}}
		key, err := signing.NewLocalKeyFromSeed(make([]byte, 32))
		require.NoError(t, err)
		w, err := wallet.New(wallet.Config{
			Signer: key, Guard: signing.NewGuard(signing.Policy{}), Submitter: node, Confirmer: node, Heights: node,
		})
		require.NoError(t, err)
		defer w.Close()
		s := &memoryRun{ledger: l, key: key}
		ctx, stop := context.WithCancel(t.Context())
		random := rand.New(rand.NewPCG(1, 1))
		built := make([]walletfi.Unsigned, *inFlight)
		for i := range built {
			built[i] = s.build(t, random, 0, &wallet.ExecuteOptions{})
		}
		var all sync.WaitGroup
		begin, routines := make(chan struct{}), runtime.NumGoroutine()
		for _, u := range built {
			all.Go(func() {
				<-begin
				_, _ = w.Execute(ctx, u, wallet.ExecuteOptions{})
			})
		}
		synctest.Wait()
		before := heap()
		close(begin)
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
// are their own, and so are their goroutines, which are there when it is counted at first.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
