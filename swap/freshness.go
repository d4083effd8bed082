package swap

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// Freshness is what keeps a trade from being built on a price that is gone or
// was never good. The zero value allows everything.
type Freshness struct {
	// MaxAge is the oldest quote that is built from, counted to the arrival of
	// the transaction: time in the queue under the rate limit is part of it. 0
	// means any. A quote of unknown age is refused.
	MaxAge time.Duration
	// MaxPriceImpactPct is the largest PriceImpactPct that is built from,
	// whatever its sign and in the unit in which the service writes it. The zero
	// value means any; NewDecimal("0") allows none. A trade whose impact the
	// service does not tell is refused.
	MaxPriceImpactPct walletfi.Decimal
}

// What a Freshness refuses. Both answer to walletfi.ErrInvalidRequest too,
// unless the quote grew too old while the service was asked.
var (
	// ErrQuoteTooOld: ask for a new quote.
	ErrQuoteTooOld = errors.New("quote too old")
	// ErrPriceImpact: the trade moves the price too far.
	ErrPriceImpact = errors.New("price impact too high")
)

func (f Freshness) problem() error {
	return check.All(
		check.NotNegative("freshness.maxAge", f.MaxAge),
		check.That(f.MaxPriceImpactPct.Sign() >= 0, "freshness.maxPriceImpactPct", "must not be negative"),
	)
}

// quoteProblem is why nothing may be built from q.
func (f Freshness) quoteProblem(q *Quote) error {
	return check.All(f.ageProblem(q), f.impactProblem(q.PriceImpactPct))
}

func (f Freshness) ageProblem(q *Quote) error {
	age, known := q.Age()
	switch {
	case f.MaxAge == 0 || known && age <= f.MaxAge:
		return nil
	case !known:
		return refused(ErrQuoteTooOld, "quoteResponse", "is of unknown age: set ReceivedAt")
	}
	return refused(ErrQuoteTooOld, "quoteResponse", fmt.Sprintf("is %v old, more than %v", age.Round(time.Millisecond), f.MaxAge))
}

func (f Freshness) impactProblem(impact walletfi.Decimal) error {
	if f.MaxPriceImpactPct.IsZero() {
		return nil
	}
	if impact.IsZero() {
		return refused(ErrPriceImpact, "priceImpactPct", "is not told")
	}
	size, limit := impact.Rat(), f.MaxPriceImpactPct.Rat()
	if size == nil || limit == nil || new(big.Rat).Abs(size).Cmp(limit) > 0 {
		return refused(ErrPriceImpact, "priceImpactPct", fmt.Sprintf("is %.40s, more than %s", impact, f.MaxPriceImpactPct))
	}
	return nil
}

func refused(why error, field, problem string) error {
	return fmt.Errorf("%w: %w", why, &walletfi.ValidationError{Field: field, Problem: problem})
}

// until gives ctx the instant at which q grows too old as its deadline.
func (f Freshness) until(ctx context.Context, q *Quote) (context.Context, context.CancelFunc) {
	if f.MaxAge == 0 || q == nil || q.ReceivedAt.IsZero() {
		return ctx, func() {}
	}
	return context.WithDeadlineCause(ctx, q.ReceivedAt.Add(f.MaxAge), ErrQuoteTooOld)
}

// aged names the deadline that until set, where that is what ended a call.
func aged(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && context.Cause(ctx) == ErrQuoteTooOld {
		return fmt.Errorf("%w: %w", ErrQuoteTooOld, err)
	}
	return err
}
