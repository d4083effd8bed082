package limitertest_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/ratelimit/limitertest"
)

// base is a good limiter, of which each broken one changes something.
type base = ratelimit.BudgetLimiter

type permit = func(context.Context, bool) error

// limiter is the good one with some of its methods changed.
type limiter struct {
	*base
	permit  func(ctx context.Context, maxWait time.Duration) (permit, error)
	hold    func(ctx context.Context, until time.Time) error
	tighten func(ctx context.Context, remaining int, reset time.Time) error
}

func (l limiter) Permit(ctx context.Context, maxWait time.Duration) (permit, error) {
	if l.permit != nil {
		return l.permit(ctx, maxWait)
	}
	return l.base.Permit(ctx, maxWait)
}

func (l limiter) Hold(ctx context.Context, until time.Time) error {
	if l.hold != nil {
		return l.hold(ctx, until)
	}
	return l.base.Hold(ctx, until)
}

func (l limiter) Tighten(ctx context.Context, remaining int, reset time.Time) error {
	if l.tighten != nil {
		return l.tighten(ctx, remaining, reset)
	}
	return l.base.Tighten(ctx, remaining, reset)
}

// doneWith changes what done does.
func doneWith(b *base, change func(done permit) permit) ratelimit.Limiter {
	return limiter{base: b, permit: func(ctx context.Context, maxWait time.Duration) (permit, error) {
		done, err := b.Permit(ctx, maxWait)
		if err != nil {
			return nil, err
		}
		return change(done), nil
	}}
}

// errWith changes a failure.
func errWith(b *base, change func(ctx context.Context, maxWait time.Duration, err error) error) ratelimit.Limiter {
	return limiter{base: b, permit: func(ctx context.Context, maxWait time.Duration) (permit, error) {
		done, err := b.Permit(ctx, maxWait)
		if err != nil {
			return nil, change(ctx, maxWait, err)
		}
		return done, nil
	}}
}

// polling has no queue.
func polling(b *base) ratelimit.Limiter {
	return limiter{base: b, permit: func(ctx context.Context, maxWait time.Duration) (permit, error) {
		for {
			done, err := b.Permit(ctx, 0)
			var refused *ratelimit.Error
			if !errors.As(err, &refused) || time.Until(refused.ResetAt) > maxWait {
				return done, err
			}
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(7 * time.Millisecond):
			}
		}
	}}
}

// tokens is a bucket that fills while requests are under way.
func tokens(scope ratelimit.Scope) ratelimit.Limiter {
	b := ratelimit.New()
	var bucket *rate.Limiter
	if len(scope.Budgets) > 0 {
		first := scope.Budgets[0]
		bucket = rate.NewLimiter(rate.Every(first.Per/time.Duration(first.Requests)), first.Requests)
	}
	return limiter{base: b, permit: func(ctx context.Context, maxWait time.Duration) (permit, error) {
		if bucket == nil {
			return b.Permit(ctx, maxWait)
		}
		r := bucket.Reserve()
		if r.Delay() > max(0, maxWait) {
			at := time.Now().Add(r.Delay())
			r.Cancel()
			return nil, &ratelimit.Error{ResetAt: at}
		}
		select {
		case <-ctx.Done():
			r.Cancel()
			return nil, ctx.Err()
		case <-time.After(r.Delay()):
		}
		return func(_ context.Context, sent bool) error {
			if !sent {
				bucket.ReserveN(time.Now(), -1)
			}
			return nil
		}, nil
	}}
}

func broken() map[string]func(ratelimit.Scope, *base) ratelimit.Limiter {
	of := func(change func(*base) ratelimit.Limiter) func(ratelimit.Scope, *base) ratelimit.Limiter {
		return func(_ ratelimit.Scope, b *base) ratelimit.Limiter { return change(b) }
	}
	return map[string]func(ratelimit.Scope, *base) ratelimit.Limiter{
		"a token bucket": func(scope ratelimit.Scope, _ *base) ratelimit.Limiter { return tokens(scope) },
		"one budget of two": func(scope ratelimit.Scope, _ *base) ratelimit.Limiter {
			return ratelimit.New(scope.Budgets[:min(1, len(scope.Budgets))]...)
		},
		"slots are free at the answer": of(func(b *base) ratelimit.Limiter {
			return doneWith(b, func(done permit) permit { return func(ctx context.Context, _ bool) error { return done(ctx, false) } })
		}),
		"unsent counts": of(func(b *base) ratelimit.Limiter {
			return doneWith(b, func(done permit) permit { return func(ctx context.Context, _ bool) error { return done(ctx, true) } })
		}),
		"done heeds the context": of(func(b *base) ratelimit.Limiter {
			return doneWith(b, func(done permit) permit {
				return func(ctx context.Context, sent bool) error {
					if ctx.Err() != nil {
						return nil
					}
					return done(ctx, sent)
				}
			})
		}),
		"refuses late": of(func(b *base) ratelimit.Limiter {
			return errWith(b, func(_ context.Context, maxWait time.Duration, err error) error {
				<-time.After(min(maxWait, time.Second))
				return err
			})
		}),
		"a refusal of another type": of(func(b *base) ratelimit.Limiter {
			return errWith(b, func(context.Context, time.Duration, error) error { return errors.New("too many requests") })
		}),
		"a cancelled call is refused": of(func(b *base) ratelimit.Limiter {
			return errWith(b, func(ctx context.Context, _ time.Duration, err error) error {
				if ctx.Err() != nil {
					return &ratelimit.Error{ResetAt: time.Now()}
				}
				return err
			})
		}),
		"giving up costs a slot": of(givenUp),
		"holds are ignored": of(func(b *base) ratelimit.Limiter {
			return limiter{base: b, hold: func(context.Context, time.Time) error { return nil }}
		}),
		"holds are shortened": of(func(b *base) ratelimit.Limiter {
			return limiter{base: b, hold: func(ctx context.Context, until time.Time) error {
				_ = b.Lift(ctx)
				return b.Hold(ctx, until)
			}}
		}),
		"counts are ignored": of(func(b *base) ratelimit.Limiter {
			return limiter{base: b, tighten: func(context.Context, int, time.Time) error { return nil }}
		}),
		"the last count is taken": of(func(b *base) ratelimit.Limiter {
			return limiter{base: b, tighten: func(ctx context.Context, n int, reset time.Time) error {
				_ = b.Lift(ctx)
				return b.Tighten(ctx, n, reset)
			}}
		}),
		"what is under way is not taken off": of(func(b *base) ratelimit.Limiter {
			return limiter{base: b, tighten: func(ctx context.Context, n int, reset time.Time) error { return b.Tighten(ctx, n+1, reset) }}
		}),
		"urgent is not read": of(func(b *base) ratelimit.Limiter {
			return limiter{base: b, permit: func(ctx context.Context, maxWait time.Duration) (permit, error) {
				return b.Permit(unmarked{ctx}, maxWait)
			}}
		}),
		"no queue": of(polling),
	}
}

// givenUp gives a later slot to a caller that has given up.
func givenUp(b *base) ratelimit.Limiter {
	var owed atomic.Int32
	return limiter{base: b, permit: func(ctx context.Context, maxWait time.Duration) (permit, error) {
		for ; owed.Load() > 0; owed.Add(-1) {
			if _, err := b.Permit(ctx, maxWait); err != nil {
				return nil, err
			}
		}
		done, err := b.Permit(ctx, maxWait)
		if ctx.Err() != nil {
			owed.Add(1)
		}
		return done, err
	}}
}

// unmarked is a context without values.
type unmarked struct{ context.Context }

func (unmarked) Value(any) any { return nil }

// TestBrokenLimiters: the suite fails for each limiter that is broken in one way.
func TestBrokenLimiters(t *testing.T) {
	doubles := map[string]func(*testing.T, ratelimit.Scope) limitertest.Fleet{
		"not shared": func(_ *testing.T, scope ratelimit.Scope) limitertest.Fleet {
			return limitertest.Fleet{Open: func(*testing.T) ratelimit.Limiter { return ratelimit.New(scope.Budgets...) }}
		},
	}
	for name, wrap := range broken() {
		doubles[name] = func(_ *testing.T, scope ratelimit.Scope) limitertest.Fleet {
			l := wrap(scope, ratelimit.New(scope.Budgets...))
			return limitertest.Fleet{Open: func(*testing.T) ratelimit.Limiter { return l }}
		}
	}
	wiretest.Broken(t, 17, doubles, limitertest.Run)
}

// TestMemoryLimiter: the limiter of the clients passes, with a fallback too.
func TestMemoryLimiter(t *testing.T) {
	limitertest.Run(t, func(t *testing.T, scope ratelimit.Scope) limitertest.Fleet {
		l := ratelimit.New(scope.Budgets...)
		return limitertest.Fleet{Open: func(*testing.T) ratelimit.Limiter { return l }}
	})
}

// TestFallbackLimiter: so does one with a fallback whose share is too small.
func TestFallbackLimiter(t *testing.T) {
	limitertest.Run(t, func(t *testing.T, scope ratelimit.Scope) limitertest.Fleet {
		var once sync.Once
		var l ratelimit.Limiter
		return limitertest.Fleet{Open: func(*testing.T) ratelimit.Limiter {
			once.Do(func() {
				l = ratelimit.Fallback{Processes: 1000, Part: 0.5}.Limiter(scope, func(told ratelimit.Scope) ratelimit.Limiter {
					return ratelimit.New(told.Budgets...)
				})
			})
			return l
		}}
	})
}
