package socialsearch

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/walletfi/walletfi-go"
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

// MeterConfig configures a [Meter].
type MeterConfig struct {
	// Budget is the most that may be spent over the life of the meter. 0 means no
	// limit.
	Budget Cost
	// From is the State of the meter that this one goes on from, such as before a
	// restart. What it had reserved counts as spent, because the answers never came.
	From MeterState
	// PostRead and UserLookup are the prices. 0 means CostPostRead and
	// CostUserLookup.
	PostRead, UserLookup Cost
}

// Meter adds up what calls cost and keeps them under a budget. It is safe for
// concurrent use.
type Meter struct {
	budget, postRead, userLookup Cost

	mu       sync.Mutex
	spent    Cost
	reserved Cost
}

// NewMeter returns a meter.
func NewMeter(cfg MeterConfig) (*Meter, error) {
	if min(cfg.Budget, cfg.PostRead, cfg.UserLookup, cfg.From.Spent, cfg.From.Reserved) < 0 {
		return nil, &walletfi.ValidationError{Field: "spend", Problem: "budget, prices and state must not be negative"}
	}
	m := &Meter{budget: cfg.Budget, postRead: cfg.PostRead, userLookup: cfg.UserLookup, spent: cfg.From.Spent.plus(cfg.From.Reserved)}
	if m.postRead == 0 {
		m.postRead = CostPostRead
	}
	if m.userLookup == 0 {
		m.userLookup = CostUserLookup
	}
	return m, nil
}

// Spent returns the cost so far: that of the records that came back, and the most
// that each read with a lost answer can have cost.
func (m *Meter) Spent() Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spent
}

// MeterState is what a [Meter] has counted. It survives JSON.
type MeterState struct {
	Spent    Cost `json:"spent"`
	Reserved Cost `json:"reserved"` // the most that calls under way can cost
}

// State returns what to store, so that MeterConfig.From can go on from it.
func (m *Meter) State() MeterState {
	m.mu.Lock()
	defer m.mu.Unlock()
	return MeterState{m.spent, m.reserved}
}

// Remaining returns what the budget has left for new calls, 0 if there is no
// budget.
func (m *Meter) Remaining() Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.budget == 0 {
		return 0
	}
	return max(0, m.budget-m.spent.plus(m.reserved))
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
func (m *Meter) refusal(most Cost) error {
	left := max(0, m.budget-m.spent)
	if most > left {
		return fmt.Errorf("%w: it could cost %v, and %v of %v is left", ErrSpendBudget, most, left, m.budget)
	}
	return fmt.Errorf("%w: it could cost %v; %v of %v is left, but calls under way can cost %v of that: try again when they have ended",
		ErrSpendBudget, most, left, m.budget, m.reserved)
}
