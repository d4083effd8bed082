package socialsearch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// Cost is an amount of the currency that the service bills in, in millionths
// of a unit: Cost(5_000) is 0.005.
type Cost int64

// The service's prices.
const (
	CostPostRead   Cost = 5_000  // 0.005 per post
	CostUserLookup Cost = 10_000 // 0.01 per user
)

// String writes the cost in units of the currency: "0.005".
func (c Cost) String() string {
	sign, n := "", c
	if n < 0 {
		sign, n = "-", -n
	}
	return sign + walletfi.Amount(n).UI(6)
}

// ErrSpendBudget means that a call was not sent because it could cost more than the
// budget of the [Meter] has left.
var ErrSpendBudget = errors.New("the call could exceed the spend budget")

// ErrSpendStore means that a call was not sent because the [SpendStore] failed.
var ErrSpendStore = errors.New("the spend store failed")

// MeterConfig configures a [Meter].
type MeterConfig struct {
	// Budget is the most that may be spent over the life of the store, or in each period
	// if Every is set. 0 means no limit.
	Budget Cost
	// Every is the length of a period, at least a minute. Periods begin at whole multiples
	// of it since the zero time: those of 24 hours at midnight UTC. 0 means one without end.
	Every time.Duration
	// Wait has a call wait that could cost more than is left, until others have ended or
	// the next period begins, or its context ends. It is refused only if no period has
	// room for it, or nothing can end that would make room.
	Wait bool
	// Store keeps what is spent, so that several processes keep to one budget, and
	// across restarts; [SpendIn] makes one of a walletfi.TokenStore. Nil means memory. With
	// Every it is StoreOf that does.
	Store SpendStore
	// StoreOf returns the store of the period that begins then, the same one in each
	// process and after a restart. Nil means memory. It is for Every alone.
	StoreOf func(start time.Time) SpendStore
	// Clock is the time of the periods. Nil means real time.
	Clock walletfi.Clock
	// From is the State of the meter that this one goes on from, such as before a
	// restart, if Store is nil. What it had reserved counts as spent, because the
	// answers never came.
	From MeterState
	// PostRead and UserLookup are the prices. 0 means CostPostRead and
	// CostUserLookup.
	PostRead, UserLookup Cost
}

// checkPeriod checks what is about periods, and waiting.
func (cfg MeterConfig) checkPeriod() error {
	periods := cfg.Every != 0
	return check.All(
		check.That(!periods || cfg.Every >= time.Minute, "every", "must be at least a minute"),
		check.That(!periods || cfg.Store == nil, "store", "is for a meter without periods: set storeOf"),
		check.That(periods || cfg.StoreOf == nil, "storeOf", "is for a meter with periods: set every"),
		check.That(!periods || cfg.From == MeterState{}, "from", "is for a meter without periods"),
		check.That(!cfg.Wait || cfg.Budget > 0, "wait", "is for a meter with a budget"),
	)
}

// Meter adds up what calls cost and keeps them under a budget. It is safe for
// concurrent use.
//
// What a call cost is settled when it has ended. If the [SpendStore] fails then,
// the most that the call could cost stays reserved, and each further call of this
// meter tries to settle some of that first. With 1,024 calls to be settled, further ones
// are not sent ([ErrSpendStore]) until the store takes one.
type Meter struct {
	budget, postRead, userLookup Cost
	every                        time.Duration
	wait                         bool
	storeOf                      func(start time.Time) SpendStore
	clock                        walletfi.Clock

	mu        sync.Mutex
	period    *period // the last one in which something was asked
	unsettled map[string]late
}

// NewMeter returns a meter.
func NewMeter(cfg MeterConfig) (*Meter, error) {
	err := check.Config(cfg,
		check.NotNegative("budget", cfg.Budget),
		check.NotNegative("postRead", cfg.PostRead),
		check.NotNegative("userLookup", cfg.UserLookup),
		check.That(min(cfg.From.Spent, cfg.From.Reserved) >= 0, "from", "must not be negative"),
		check.That(cfg.Store == nil || cfg.From == (MeterState{}),
			"from", "must not be set together with store, which has its own state"),
		cfg.checkPeriod(),
	)
	if err != nil {
		return nil, err
	}
	m := &Meter{
		budget: cfg.Budget, postRead: cmp.Or(cfg.PostRead, CostPostRead), userLookup: cmp.Or(cfg.UserLookup, CostUserLookup),
		every: cfg.Every, wait: cfg.Wait, storeOf: cfg.StoreOf, clock: cfg.Clock,
	}
	if m.period = (&period{store: cfg.Store}); cfg.Store == nil && cfg.Every == 0 {
		m.period = m.begin(time.Time{})
		m.period.memory.state.Spent = cfg.From.Spent.plus(cfg.From.Reserved)
	}
	return m, nil
}

// Spent returns the cost so far: that of the records that came back, and the most
// that each read with a lost answer can have cost. See [Meter.State].
func (m *Meter) Spent() Cost { return m.State().Spent }

// MeterState is the count of a [Meter]. It survives JSON.
type MeterState struct {
	Spent    Cost `json:"spent"`
	Reserved Cost `json:"reserved"` // the most that calls under way can cost
}

// State returns what to store, so that MeterConfig.From can go on from it. With a store it
// is the last state that the store returned in this period; [Meter.Current] asks it.
func (m *Meter) State() MeterState {
	p := m.now()
	if p.memory != nil {
		return p.memory.now()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return p.last
}

// Current asks the store for what all processes have spent and reserved.
func (m *Meter) Current(ctx context.Context) (MeterState, error) {
	p := m.now()
	state, err := p.store.State(ctx)
	if err != nil {
		return MeterState{}, fmt.Errorf("%w: %w", ErrSpendStore, err)
	}
	m.learn(p, state)
	return state, nil
}

// Remaining returns what the budget has left for new calls, 0 if there is no
// budget. See [Meter.State].
func (m *Meter) Remaining() Cost { return m.left(m.State()) }

func (m *Meter) left(s MeterState) Cost {
	if m.budget == 0 {
		return 0
	}
	return max(0, m.budget-s.Spent.plus(s.Reserved))
}

// learn keeps what the store returned. Of two answers that cross, the one that has seen
// more spent is the newer.
func (m *Meter) learn(p *period, s MeterState) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s.Spent >= p.last.Spent {
		p.last = s
	}
}

// plus and times are for costs that are not negative. What is larger than any Cost
// counts as the largest: a sum that wraps around would lift the budget.
func (c Cost) plus(d Cost) Cost {
	if c > math.MaxInt64-d {
		return math.MaxInt64
	}
	return c + d
}

func (c Cost) times(n int) Cost {
	if n > 0 && c > math.MaxInt64/Cost(n) {
		return math.MaxInt64
	}
	return c * Cost(n)
}

// refusal says why a call that could cost so much is not sent.
func (m *Meter) refusal(most Cost, now MeterState) error {
	left := max(0, m.budget-now.Spent)
	if most > left {
		return fmt.Errorf("%w: it could cost %v, and %v of %v is left", ErrSpendBudget, most, left, m.budget)
	}
	return fmt.Errorf("%w: it could cost %v; %v of %v is left, but calls under way can cost %v of that: "+
		"try again when they have ended",
		ErrSpendBudget, most, left, m.budget, now.Reserved)
}
