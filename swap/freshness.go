package swap

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// Freshness keeps a trade from being built on an old quote or at a bad price.
// The zero value allows everything.
type Freshness struct {
	// MaxAge is the age up to which a quote is built, from its arrival to the
	// arrival of the transaction; time spent waiting for the rate limit counts. 0
	// means any age. Otherwise a quote of unknown age is refused.
	MaxAge time.Duration
	// MaxPriceImpactPct is the largest PriceImpactPct that is accepted, in the unit of the
	// service. The zero value accepts any that an answer can have, 0 to 100;
	// NewDecimal("0") accepts no impact. Otherwise a trade whose impact the
	// service does not state is refused.
	MaxPriceImpactPct walletfi.Decimal
}

// The errors of a Freshness. Both are also [walletfi.ErrInvalidRequest], unless
// the quote became too old while the request was under way.
var (
	// ErrQuoteTooOld: ask for a new quote.
	ErrQuoteTooOld = errors.New("quote too old")
	// ErrPriceImpact: the trade would move the price too far.
	ErrPriceImpact = errors.New("price impact too high")
)

func (f Freshness) problem() error {
	return check.All(
		check.NotNegative("freshness.maxAge", f.MaxAge),
		check.That(f.MaxPriceImpactPct.Sign() >= 0, "freshness.maxPriceImpactPct", "must not be negative"),
	)
}

// quoteProblem returns why q must not be built.
func (f Freshness) quoteProblem(q *Quote, now time.Time) error {
	return check.All(f.ageProblem(q, now), f.impactProblem(q.PriceImpactPct))
}

func (f Freshness) ageProblem(q *Quote, now time.Time) error {
	age, known := now.Sub(q.ReceivedAt), !q.ReceivedAt.IsZero()
	switch {
	case f.MaxAge == 0 || known && age <= f.MaxAge:
		return nil
	case !known:
		return refused(ErrQuoteTooOld, "quoteResponse", "is of unknown age: set ReceivedAt")
	}
	return refused(ErrQuoteTooOld, "quoteResponse",
		fmt.Sprintf("is %v old, more than %v", age.Round(time.Millisecond), f.MaxAge))
}

func (f Freshness) impactProblem(impact walletfi.Decimal) error {
	if f.MaxPriceImpactPct.IsZero() {
		return nil
	}
	if impact.IsZero() {
		return refused(ErrPriceImpact, "priceImpactPct", "is not stated")
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

// until returns ctx with a deadline at which q becomes too old.
func (f Freshness) until(ctx context.Context, c walletfi.Clock, q *Quote) (context.Context, context.CancelFunc) {
	if f.MaxAge == 0 || q == nil || q.ReceivedAt.IsZero() {
		return ctx, func() {}
	}
	return clock.WithDeadline(ctx, c, q.ReceivedAt.Add(f.MaxAge), ErrQuoteTooOld)
}

// aged adds ErrQuoteTooOld to err if the deadline of until ended the call.
func aged(ctx context.Context, err error) error {
	ended := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	if ended && context.Cause(ctx) == ErrQuoteTooOld {
		return fmt.Errorf("%w: %w", ErrQuoteTooOld, err)
	}
	return err
}
