package main

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

// trouble disturbs a bot: prices move, answers are lost, services are busy,
// the feed breaks, the node goes away.
type trouble struct {
	s *sandbox.Sandbox

	mu     sync.Mutex
	prices *rand.Rand // of the walk. Each has its own, so that none shifts another
	hours  *rand.Rand // of what happens as time passes
	sends  *rand.Rand // of what happens to a send
	sol    float64    // price of SOL, USDC
	seen   map[string]bool
	counts map[string]int // what happened
}

func newTrouble(s *sandbox.Sandbox, seed uint64) *trouble {
	draw := func(number uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, number)) }
	return &trouble{
		s:      s,
		prices: draw(16),
		hours:  draw(17),
		sends:  draw(18),
		sol:    150,
		seen:   map[string]bool{},
		counts: map[string]int{},
	}
}

// every does something each time so much has passed, first after a wait. The waits are
// such that nothing happens at the moment at which the bot asks for candles: it would
// be chance who comes first.
func (t *trouble) every(first, again time.Duration, do func()) {
	t.s.Options().Clock.AfterFunc(first, func() {
		do()
		t.every(again, again, do)
	})
}

// walk moves the price of SOL at random, every hour.
func (t *trouble) walk() {
	t.every(7*time.Minute, time.Hour, func() { t.move(0.008 * t.normal()) })
}

func (t *trouble) normal() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.prices.NormFloat64()
}

// move changes the price of SOL by a share, pulled back to 150 USDC.
func (t *trouble) move(by float64) {
	t.mu.Lock()
	t.sol *= 1 + by + 0.02*(150/t.sol-1)
	micros := uint64(t.sol * 1e6)
	t.mu.Unlock()
	if err := t.s.Market().SetPrice(t.s.Mint("SOL"), micros); err != nil {
		panic(err) // a price above 0 of a token that there is
	}
}

// chance reports true with a probability, and counts it.
func (t *trouble) chance(random *rand.Rand, p float64, what string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if random.Float64() >= p {
		return false
	}
	t.counts[what]++
	return true
}

// lasts is how long a service's trouble goes on if nobody meets it.
const lasts = 45 * time.Minute

// begin makes requests fail and feeds break, a few times a day, for so long. The clock
// goes on while the bot writes its report, and what happens then depends on the machine.
func (t *trouble) begin(days time.Duration) {
	end := t.s.Now().Add(days)
	fault := func(p float64, what string, r sandbox.Route, f sandbox.Fault) {
		if t.chance(t.hours, p, what) {
			t.s.Options().Clock.AfterFunc(lasts, t.s.Fault(r, f))
		}
	}
	t.every(23*time.Minute, 30*time.Minute, func() {
		if t.s.Now().After(end) {
			return
		}
		fault(0.08, "429 of the swap service", sandbox.Route{Service: sandbox.Swap, Pattern: "/order"}, sandbox.Fault{
			Status: 429,
			Times:  2,
		})
		fault(0.02, "429 of the swap service, for long",
			sandbox.Route{Service: sandbox.Swap, Pattern: "/order"}, sandbox.Fault{Status: 429})
		fault(0.06, "503 of the markets", sandbox.Route{Service: sandbox.PredictMeta}, sandbox.Fault{Status: 503, Times: 5})
		fault(0.15, "an order's status lost", sandbox.Route{Service: sandbox.Swap, Pattern: "/order-status"}, sandbox.Fault{
			Reset: true,
			Times: 3,
		})
		if t.chance(t.hours, 0.06, "feed cut") {
			t.s.PredictMeta().Feed().Drop()
		}
	})
}

// disturb returns a submitter that has things go wrong at the worst time: between
// signing and the answer of the node.
func (t *trouble) disturb(node walletfi.Submitter) walletfi.Submitter { return disturbed{node, t} }

type disturbed struct {
	walletfi.Submitter
	t *trouble
}

func (d disturbed) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	if d.t.first(tx) {
		rpc := sandbox.Route{Service: sandbox.RPC}
		switch {
		case d.t.chance(d.t.sends, 0.10, "price jump before execution"):
			d.t.move(0.03)
		case d.t.chance(d.t.sends, 0.10, "price fall before execution"):
			d.t.move(-0.03)
		case d.t.chance(d.t.sends, 0.15, "answer of the node lost"):
			d.t.s.Fault(sandbox.Route{Service: sandbox.RPC, Pattern: "sendTransaction"}, sandbox.Fault{
				Handled: true,
				Reset:   true,
				Times:   1,
			})
		case d.t.chance(d.t.sends, 0.06, "node away after sending"):
			defer func() {
				back := d.t.s.Fault(rpc, sandbox.Fault{Status: 503})
				d.t.s.Options().Clock.AfterFunc(4*time.Minute, back)
			}()
		case d.t.chance(d.t.sends, 0.04, "node away before sending"):
			back := d.t.s.Fault(rpc, sandbox.Fault{Status: 503})
			d.t.s.Options().Clock.AfterFunc(4*time.Minute, back)
		}
	}
	return d.Submitter.Submit(ctx, tx)
}

// first reports whether a transaction is sent for the first time.
func (t *trouble) first(tx walletfi.Signed) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := tx.Signature
	if t.seen[key] {
		return false
	}
	t.seen[key] = true
	return true
}
