package chaos

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestChaos pays through every relay of the services, over HTTP, while services,
// gateways and nodes fail in every way that they may, processes die and callers
// retry. The sandbox's ledger counts.
func TestChaos(t *testing.T) {
	var faults, twice, verdicts, unsettled int
	said, kinds, paid := tally{}, map[string]int{}, map[string]int{}
	each := func() bool { return !slices.Contains(slices.Collect(maps.Values(paid)), 0) }
	for seed := *chaosSeed; faults < *chaosHTTP || !each() && seed < *chaosSeed+10; seed++ {
		box, err := sandbox.Start(sandbox.Config{ManualClock: true, NoLimits: true, Seed: seed, Network: &sandbox.Network{Reach: .6, Nodes: []sandbox.Node{
			{}, {Lag: 5}, {Lag: 60}, {Lag: 140}, {SlotForHeight: true},
		}}})
		require.NoError(t, err)
		synctest.Test(t, func(t *testing.T) {
			g := newHTTPRun(t, box, seed)
			a, b, c := g.blow(t)
			if a+b+c > 0 {
				t.Errorf("seed %d: executed twice=%d false verdicts=%d unsettled=%d\n%s", seed, a, b, c, strings.Join(g.why, "\n"))
			}
			g.addTo(said)
			for kind, n := range g.kinds {
				kinds[kind] += n
			}
			for kind := range payments {
				paid[kind] += g.paid[kind]
			}
			faults, twice, verdicts, unsettled = faults+g.faults, twice+a, verdicts+b, unsettled+c
		})
		box.Close()
	}
	for kind, n := range paid {
		require.Positive(t, n, "%s was never paid", kind)
	}
	require.Len(t, paid, len(payments))
	fmt.Printf("%v\npaid: %v\nfaults: %v\nseeds %d.. faults=%d executed twice=%d false verdicts=%d unsettled=%d\n",
		said, paid, kinds, *chaosSeed, faults, twice, verdicts, unsettled)
}

// httpRun is a sandbox, the network around it, and processes that pay.
type httpRun struct {
	*network
	verdicts
	box     *sandbox.Sandbox
	patron  *signing.LocalKey
	journal *wallet.MemoryJournal
	crews   [2]atomic.Pointer[payer]
	stop    chan struct{}
	built   atomic.Uint64

	books sync.Mutex
	paid  map[string]int    // by kind of payment
	shops map[string]string // what the sponsor made of a transaction, by its signature
}

func newHTTPRun(t *testing.T, box *sandbox.Sandbox, seed uint64) *httpRun {
	t.Helper()
	g := &httpRun{
		network: newNetwork(box, 5, seed), box: box, journal: wallet.NewMemoryJournal(), stop: make(chan struct{}),
		paid: map[string]int{}, shops: map[string]string{},
	}
	var err error
	g.patron, err = signing.GenerateLocalKey()
	require.NoError(t, err)
	require.NoError(t, box.Ledger().FundWallet(g.patron.PublicKey().String(), 1_000_000_000))
	require.NoError(t, box.Ledger().FundToken(box.WalletAddress(), box.Mint("DUST"), 1_000_000))
	g.names = g.countersigned
	for i := range g.crews {
		g.board(t, i)
	}
	return g
}

// board starts a process.
func (g *httpRun) board(t *testing.T, i int) {
	c := newPayer(t, g)
	g.crews[i].Store(c)
	t.Cleanup(c.end)
}

// blow runs the payments, calms down and counts.
func (g *httpRun) blow(t *testing.T) (twice, wrong, unsettled int) {
	go g.pump()
	defer close(g.stop)
	over := make(chan struct{})
	go func() { g.payAll(t); close(over) }()
	random := rand.New(rand.NewPCG(99, uint64(g.upTo(1<<62))))
	for raging := true; raging; {
		select {
		case <-over:
			raging = false
		case <-time.After(20*time.Second + time.Duration(random.Int64N(int64(80*time.Second)))):
			i := random.IntN(len(g.crews))
			g.struck("killed", 1)
			g.crews[i].Load().dead.Store(true)
			g.board(t, i)
		}
	}
	g.settle(t)
	twice, wrong = g.verdicts.count(func(signature string) (landed, failed bool) {
		status := g.box.Ledger().TransactionStatus(signature)
		return status.Found, status.Err != ""
	})
	return twice, wrong, openKeys(g.journal)
}

// pump moves the sandbox's time with the bubble's.
func (g *httpRun) pump() {
	const step = 200 * time.Millisecond
	for {
		select {
		case <-g.stop:
			return
		case <-time.After(step):
			g.box.Advance(step)
		}
	}
}

// payAll makes two payments of each kind.
func (g *httpRun) payAll(t *testing.T) {
	kinds := make([]string, 0, len(payments))
	for kind := range payments {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	var all sync.WaitGroup
	for i, kind := range slices.Concat(kinds, kinds) {
		for range 2 { // callers, of which neither knows the other
			random := rand.New(rand.NewPCG(uint64(i), uint64(g.upTo(1<<62))))
			all.Go(func() { g.payment(t, kind, fmt.Sprintf("%s %d", kind, i), random) })
		}
	}
	all.Wait()
}

// payment tries a key some times, building again each time.
func (g *httpRun) payment(t *testing.T, kind, key string, random *rand.Rand) {
	pause.For(t.Context(), time.Duration(random.Int64N(int64(time.Minute))))
	for range 7 {
		if g.try(t, kind, key, random) == nil {
			return
		}
		pause.For(t.Context(), time.Duration(random.Int64N(int64(30*time.Second))))
	}
}

func (g *httpRun) try(t *testing.T, kind, key string, random *rand.Rand) error {
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.Int64N(int64(4*time.Minute))))
	defer cancel()
	c := g.crews[random.IntN(len(g.crews))].Load()
	p := payments[kind]
	u, err := p.build(ctx, c, g.built.Add(1)) // no two transactions are the same
	if err != nil {
		return err // nothing was asked for yet
	}
	w := c.wallets[p.wallet]
	o := wallet.ExecuteOptions{Key: key}
	var result *wallet.Result
	if p.bundle {
		result, err = w.ExecuteBundle(ctx, u, c.leverage, o)
	} else {
		result, err = w.Execute(ctx, u, o)
	}
	g.hear(key, c.dead.Load(), result, err)
	g.books.Lock()
	defer g.books.Unlock()
	if err == nil {
		g.paid[kind]++
	}
	return err
}

// settle ends the faults and has new processes settle what is left.
func (g *httpRun) settle(t *testing.T) {
	g.mu.Lock()
	g.calm = true
	g.mu.Unlock()
	for i := range g.crews {
		g.crews[i].Load().dead.Store(true)
	}
	pause.For(t.Context(), 5*time.Minute) // the leases end, and what was on its way arrives
	g.board(t, 0)
	for range 5 {
		settled := true
		for _, w := range g.crews[0].Load().wallets {
			_, err := w.Settle(t.Context())
			settled = settled && err == nil
		}
		if settled && openKeys(g.journal) == 0 {
			return
		}
		pause.For(t.Context(), time.Minute)
	}
}

// processNetwork is the network of a process until that dies.
type processNetwork struct {
	*network
	*life
}

func (b processNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.dead.Load() {
		return nil, errDead
	}
	return b.network.RoundTrip(r)
}
