package wallet

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// spendWorld has the true time, and what has left of one mint.
type spendWorld struct {
	t       *testing.T
	random  *rand.Rand
	now     time.Time
	journal *MemoryJournal
	limits  []SpendLimit
	left    []Landed
	keys    int
	blocks  map[uint64]time.Time // by slot, of what has landed
	ahead   time.Duration        // of the clock that is most
	steady  bool                 // nothing fails, and clocks are right
}

// spender is a process, whose clock may be wrong.
type spender struct {
	world *spendWorld
	apart time.Duration
	mute  bool // no node tells the time
	w     *Wallet
}

func (s *spender) Now() time.Time { return s.world.now.Add(s.apart) }

// skewed is the clock of a spender.
type skewed struct {
	walletfi.Clock
	s *spender
}

func (c skewed) Now() time.Time { return c.s.Now() }

// FinalTime is the time of the finalized block, or of a newer one, unless the node does not answer.
func (s *spender) FinalTime(_ context.Context, slot uint64) (time.Time, error) {
	if !s.world.steady && s.world.random.IntN(10) == 0 {
		return time.Time{}, errors.New("down")
	}
	if at, ok := s.world.blocks[slot]; ok {
		return at.Truncate(time.Second), nil
	}
	require.Equal(s.world.t, s.w.tracker.prover.Final().Slot, slot)
	return s.world.now.Add(-13 * time.Second).Truncate(time.Second), nil
}

// begin starts a process, with another clock.
func (s *spender) begin() {
	w := s.world
	if s.apart = 0; !w.steady {
		s.apart = []time.Duration{0, w.ahead, -30 * time.Minute, -time.Minute}[w.random.IntN(4)]
	}
	s.w = &Wallet{
		journal: w.journal, clock: skewed{s: s}, running: map[string]*follower{},
		tracker: &tracker{prover: evidence.NewProver([]any{&Honest{}}, nil)},
	}
	s.grow(1)
	s.w.spend = &spendLimits{w: s.w, limits: w.limits}
	if !s.mute {
		s.w.spend.times = s
	}
	require.NoError(w.t, s.w.spend.load(w.t.Context()))
	s.learn()
	require.NoError(w.t, s.w.spend.repair(w.t.Context()))
}

// grow has the nodes show newer finalized blocks.
func (s *spender) grow(blocks uint64) {
	head := s.w.tracker.prover.Final()
	s.w.tracker.prover.Learn(Head{Slot: head.Slot + blocks, Height: head.Height + blocks})
}

func (s *spender) learn() {
	s.grow(1)
	s.w.spend.learn(s.world.t.Context())
}

// signedDebit is a payment that was signed, and may still land.
type signedDebit struct {
	entry  Entry
	amount walletfi.Amount
	landed bool
	slot   uint64
}

// confirmed is how it is found.
func (p *signedDebit) confirmed(e *Entry) {
	e.State, e.Steps[0].State, e.Steps[0].Slot = KeyConfirmed, KeyConfirmed, p.slot
}

// pay signs a payment, or is refused. Now and then another is made between what counts and what is
// recorded, or the process crashes there.
func (s *spender) pay(amount walletfi.Amount, between func()) *signedDebit {
	w := s.world
	w.keys++
	e := Entry{Schema: Schema, Key: fmt.Sprint("key:", w.keys), Version: 1, State: KeyClaimed, Since: w.now}
	require.NoError(w.t, w.journal.Store(w.t.Context(), 0, e))
	amount++
	d := Debit{Key: e.Key, ID: fmt.Sprint(w.keys), Claim: 1, Takes: []Taken{{Mint: "mint", Amount: amount, Cost: 1}}}
	s.grow(1)
	err := s.w.spend.reserve(w.t.Context(), reservation{debits: []Debit{d}})
	if err == nil && between != nil && w.random.IntN(3) == 0 {
		between()
	}
	crashes := !w.steady && w.random.IntN(10) == 0
	if err != nil || crashes {
		if err != nil {
			require.ErrorIs(w.t, err, ErrSpendLimit)
		}
		s.store(&e, func(e *Entry) { e.State = KeyReleased }, !crashes)
		return nil
	}
	s.store(&e, func(e *Entry) {
		e.State, e.Steps = KeyInDoubt, []EntryStep{{State: KeyInDoubt, Own: d.ID, Debit: d.ID}}
	}, true)
	return &signedDebit{entry: e, amount: amount}
}

// store changes an entry, and what counts with it if the process does not crash between.
func (s *spender) store(e *Entry, change func(*Entry), whole bool) {
	was := e.clone()
	change(e)
	e.Version++
	require.NoError(s.world.t, s.world.journal.Store(s.world.t.Context(), was.Version, *e))
	if whole && endedBy(was, *e) {
		require.NoError(s.world.t, s.w.spend.settle(s.world.t.Context(), *e, false))
	}
}

// lands has a transaction execute now, and holds what has left against each limit.
func (w *spendWorld) lands(p *signedDebit) {
	p.landed, p.slot = true, 1<<40+uint64(len(w.blocks))
	if w.blocks == nil {
		w.blocks = map[uint64]time.Time{}
	}
	w.blocks[p.slot] = w.now
	w.left = append(w.left, Landed{At: w.now.UnixNano(), Amount: p.amount})
	for _, l := range w.limits {
		total := walletfi.Amount(0)
		for _, left := range w.left {
			if w.now.Sub(time.Unix(0, left.At)) < l.Within {
				total += left.Amount
			}
		}
		require.LessOrEqual(w.t, total, l.Most, "within %v", l.Within)
	}
}

// TestSpendNeverAboveALimit draws payments of two processes that restart with wrong clocks, crash between
// two writes, and whose transactions land or die at any time: never does more leave within a window.
func TestSpendNeverAboveALimit(t *testing.T) {
	landed, refused, died := 0, 0, 0
	for seed := range uint64(40) {
		w := &spendWorld{
			t: t, random: rand.New(rand.NewPCG(seed, 28)), now: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC),
			journal: NewMemoryJournal(), ahead: 3 * time.Minute,
			limits: []SpendLimit{
				{Mint: "mint", Within: time.Hour, Most: 100}, {Mint: "mint", Within: 5 * time.Hour, Most: 250},
			},
		}
		if seed%2 == 1 {
			w.ahead = 30 * time.Hour // and if no node answers, what has landed ages so much later
		}
		processes := []*spender{{world: w}, {world: w}}
		for _, p := range processes {
			p.begin()
		}
		var open []*signedDebit
		for range 250 {
			w.now = w.now.Add(time.Duration(w.random.Int64N(int64(10 * time.Minute))))
			p := processes[w.random.IntN(2)]
			if w.random.IntN(8) == 0 {
				p.begin()
			}
			attempt := func(p *spender, between func()) {
				if signed := p.pay(walletfi.Amount(w.random.IntN(60)), between); signed != nil {
					open = append(open, signed)
				} else {
					refused++
				}
			}
			attempt(p, func() { attempt(processes[w.random.IntN(2)], nil) })
			for i := len(open) - 1; i >= 0; i-- {
				switch one := open[i]; {
				case one.landed && w.random.IntN(3) > 0: // it is found out
					p.store(&one.entry, one.confirmed, w.random.IntN(4) > 0)
					open = append(open[:i], open[i+1:]...)
				case !one.landed && w.random.IntN(4) == 0:
					w.lands(one)
					landed++
				case !one.landed && w.random.IntN(8) == 0:
					p.store(&one.entry, func(e *Entry) { e.State, e.Steps[0].State = KeyExpired, KeyExpired }, w.random.IntN(4) > 0)
					open = append(open[:i], open[i+1:]...)
					died++
				}
			}
		}
		for _, one := range open {
			if !one.landed {
				w.lands(one)
			}
			processes[0].store(&one.entry, one.confirmed, true)
		}
		w.steady = true
		w.now = w.now.Add(time.Minute)
		processes[1].begin() // repairs
		w.now = w.now.Add(5*time.Hour + 2*time.Minute + w.ahead)
		require.NotNil(t, processes[0].pay(99, nil), "seed %d: when the windows have passed, payments go again", seed)
		require.LessOrEqual(t, len(w.journal.entry(spendKey).Spend.Landed["mint"]), 2*1026)
	}
	require.Greater(t, landed, 1000)
	require.Greater(t, refused, 1000)
	require.Greater(t, died, 300)
}

// TestSpendOfAWrongClock: what left all that a limit allows holds the next payment until the window has
// passed in truth, although the clock is wrong when it lands or afterwards.
func TestSpendOfAWrongClock(t *testing.T) {
	const within = time.Hour
	for name, c := range map[string]struct {
		mute              bool // no node tells the time
		landing, restarts time.Duration
	}{
		"right":                      {},
		"ahead after a restart":      {restarts: 3 * time.Minute},
		"far ahead after a restart":  {restarts: 20 * time.Hour},
		"half an hour back":          {landing: -30 * time.Minute},
		"ahead when it lands":        {landing: 20 * time.Hour},
		"right, alone":               {mute: true},
		"ahead by the margin, alone": {mute: true, restarts: spendMargin},
		"half an hour back, alone":   {mute: true, landing: -30 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			w := &spendWorld{
				t: t, random: rand.New(rand.NewPCG(1, 1)), now: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC),
				journal: NewMemoryJournal(), limits: []SpendLimit{{Mint: "mint", Within: within, Most: 100}}, steady: true,
			}
			s := &spender{world: w, mute: c.mute}
			s.begin()
			signed := s.pay(99, nil)
			require.NotNil(t, signed)
			s.apart = c.landing
			w.lands(signed)
			s.store(&signed.entry, signed.confirmed, true)
			began := w.now
			for ; w.now.Sub(began) < within; w.now = w.now.Add(within / 40) {
				s.apart = c.restarts
				require.Nil(t, s.pay(99, nil), "after %v", w.now.Sub(began))
			}
			w.now = began.Add(within + 2*spendMargin)
			s.begin()
			require.NotNil(t, s.pay(99, nil), "the window has passed")
		})
	}
}

// TestSpendOfAForcedNonce: what a durable nonce keeps alive counts for ever once its payment is forced, whatever
// else is claimed.
func TestSpendOfAForcedNonce(t *testing.T) {
	w := &spendWorld{
		t: t, random: rand.New(rand.NewPCG(1, 1)), now: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC),
		journal: NewMemoryJournal(), limits: []SpendLimit{{Mint: "mint", Within: time.Hour, Most: 100}}, steady: true,
	}
	s := &spender{world: w}
	s.begin()
	signed := s.pay(99, nil)
	require.NotNil(t, signed)
	signed.entry.Steps[0].NonceAccount = "nonce"
	require.NoError(t, s.w.spend.settle(t.Context(), signed.entry, true))
	for _, fresh := range []Entry{{}, {Key: "key:new"}, {Key: signed.entry.Key}} {
		e := &execution{w: s.w, entry: fresh}
		_, err := e.claim(t.Context(), Entry{Schema: Schema, Key: "key:" + fresh.Key, State: KeyClaimed}, walletfi.Unsigned{}, nil)
		require.NoError(t, err)
		w.now = w.now.Add(100 * time.Hour)
		require.Nil(t, s.pay(99, nil))
	}
}

// TestSpendOfAProcessThatHasLostItsKey: it may count a step of a set late, while another process has gone on with the
// set. What that has signed stays.
func TestSpendOfAProcessThatHasLostItsKey(t *testing.T) {
	debit := func(id string, claim uint64, amount walletfi.Amount) Debit {
		return Debit{Key: "key:set", ID: id, Claim: claim, Takes: []Taken{{Mint: "mint", Amount: amount}}}
	}
	other := Debit{Key: "key:other", ID: "1", Takes: []Taken{{Mint: "mint", Amount: 1000}}}
	for name, c := range map[string]struct {
		open   []Debit
		stays  []Debit
		landed walletfi.Amount
	}{
		"the step before":         {[]Debit{debit("1", 4, 50), other}, []Debit{other}, 7},
		"one of another process":  {[]Debit{debit("3", 9, 50), other}, []Debit{debit("3", 9, 50), other}, 0},
		"the same step once more": {[]Debit{debit("2", 5, 50), debit(restID, 5, 5)}, []Debit{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := &Spend{Open: c.open}
			late := reservation{debits: []Debit{debit("2", 6, 10)}, stepOf: "key:set", exact: []Taken{{Mint: "mint", Amount: 7}}}
			s.replace(late, time.UnixMilli(1))
			require.Equal(t, c.stays, s.Open)
			var landed walletfi.Amount
			for _, l := range s.Landed["mint"] {
				landed += l.Amount
			}
			require.Equal(t, c.landed, landed)
		})
	}
	s := &Spend{Open: []Debit{debit("1", 4, 50)}}
	s.replace(reservation{debits: []Debit{debit("2", 6, 10)}, stepOf: "key:set", exact: []Taken{}}, time.UnixMilli(1))
	require.Empty(t, s.Landed["mint"], "it has taken nothing")
	s = &Spend{Open: []Debit{debit("1", 4, 50)}}
	s.replace(reservation{debits: []Debit{debit("2", 6, 10)}, stepOf: "key:set"}, time.UnixMilli(1))
	require.Equal(t, []Landed{{At: 1, Amount: 50}}, s.Landed["mint"], "of what another process signed, all may have left")
}

// TestSpendOfATwin: the other message of what has paid stays open as long as nodes can show its end, for an hour. If
// none can it counts as landed, for an hour longer than the window.
func TestSpendOfATwin(t *testing.T) {
	for name, proves := range map[string]bool{"no node shows it": false, "a node may show it": true} {
		t.Run(name, func(t *testing.T) {
			w := &spendWorld{
				t: t, random: rand.New(rand.NewPCG(1, 1)), now: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC),
				journal: NewMemoryJournal(), limits: []SpendLimit{{Mint: "mint", Within: time.Hour, Most: 100}}, steady: true,
			}
			s := &spender{world: w}
			s.begin()
			signed := s.pay(99, nil)
			require.NotNil(t, signed)
			if !proves {
				s.w.tracker.prover = nil
				s.w.spend.times = nil
			}
			s.store(&signed.entry, func(e *Entry) {
				e.State, e.Prepared = KeyConfirmed, &EntryPrepared{Submitted: w.now}
				e.Steps = append([]EntryStep{{State: KeyConfirmed}}, e.Steps...)
			}, true)
			require.Len(t, s.w.spend.entry.Spend.Open, map[bool]int{true: 1}[proves])
			if w.now = w.now.Add(lingerFor + time.Second); proves {
				s.learn()
				require.NoError(t, s.w.spend.repair(t.Context()))
				require.Empty(t, s.w.spend.entry.Spend.Open)
				w.now = w.now.Add(lingerFor)
			}
			s.w.tracker.prover = evidence.NewProver([]any{&Honest{}}, nil)
			s.grow(1 << 20)
			require.Nil(t, s.pay(99, nil))
			w.now = w.now.Add(time.Hour + 2*spendMargin)
			require.NotNil(t, s.pay(99, nil), "the window has passed")
		})
	}
}
