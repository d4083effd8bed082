package socialsearch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
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
	m := &Meter{budget: cfg.Budget, postRead: cfg.PostRead, userLookup: cfg.UserLookup, spent: cfg.From.Spent + cfg.From.Reserved}
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
	return max(0, m.budget-m.spent-m.reserved)
}

// charge is the cost of one call. Its methods do nothing on a nil charge.
type charge struct {
	meter    *Meter
	each     Cost // of a post or a user
	most     Cost // of one attempt
	attempts int
}

// reads returns the charge of a call that brings at most n posts, nil if
// nothing is metered.
func (m *Meter) reads(n int) *charge {
	if m == nil {
		return nil
	}
	return &charge{meter: m, each: m.postRead, most: Cost(n) * m.postRead}
}

// lookup returns the charge of a call that looks a user up, nil if nothing is
// metered.
func (m *Meter) lookup() *charge {
	if m == nil {
		return nil
	}
	return &charge{meter: m, each: m.userLookup, most: m.userLookup}
}

// begin reserves for one attempt, or refuses it.
func (c *charge) begin() error {
	m := c.meter
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.budget > 0 && m.spent+m.reserved+c.most > m.budget {
		return m.refusal(c.most)
	}
	m.reserved += c.most
	c.attempts++
	return nil
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

// settle ends the call, which brought a number of posts or users or failed with
// err. retried says whether the service may have served attempts before the last.
func (c *charge) settle(brought int, err error, retried bool) {
	if c == nil || c.attempts == 0 {
		return
	}
	m := c.meter
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved -= Cost(c.attempts) * c.most
	if retried {
		m.spent += Cost(c.attempts-1) * c.most
	}
	switch {
	case err == nil:
		m.spent += Cost(brought) * c.each
	case maybeServed(err):
		m.spent += c.most
	}
}

// maybeServed reports whether the service may have billed a call that failed with
// err: its answer was lost, or was a success that was not understood.
func maybeServed(err error) bool {
	var refused *walletfi.ResponseError
	if errors.Is(err, walletfi.ErrDecode) || errors.As(err, &refused) && refused.StatusCode/100 == 2 {
		return true
	}
	var lost *walletfi.TransportError
	return !errors.As(err, &refused) && errors.As(err, &lost)
}

type chargeKey struct{}

// bill runs a call and charges for what it brought.
func bill[T any](
	ctx context.Context, c *Client, charge *charge, call transport.Call, opts []walletfi.CallOption,
	keep func(*T, walletfi.Document), brought func(*T) int,
) (*T, error) {
	call.NoTimeoutRetry = !c.retryPaid
	answer, err := transport.DoRaw(context.WithValue(ctx, chargeKey{}, charge), c.t, call, opts, keep)
	n, failure := 0, err
	if answer != nil { // perhaps without records that could not be read
		n, failure = brought(answer)+paging.Count[T](nil, err), nil
	}
	charge.settle(n, failure, c.retryPaid)
	return answer, err
}

// metered reserves the cost of each attempt before it is sent.
type metered struct{ transport.Authoriser }

func (a metered) Authorise(ctx context.Context, header http.Header) error {
	if c, ok := ctx.Value(chargeKey{}).(*charge); ok && c != nil {
		if err := c.begin(); err != nil {
			return err
		}
	}
	return a.Authoriser.Authorise(ctx, header)
}
