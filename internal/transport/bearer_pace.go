package transport

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
)

// failure is the last refresh that failed.
type failure struct {
	base  *credential // which could not be renewed
	err   error
	count int       // in a row
	at    time.Time // when it failed
	until time.Time // when the next may be tried
}

// holds reports whether the failure still answers for a renewal of base. A
// clock that was set back ends it.
func (f *failure) holds(base *credential, now time.Time) bool {
	return f.err != nil && f.base == base && !now.Before(f.at) && now.Before(f.until)
}

// fail records why base could not be renewed, for how long that answers in
// place of another attempt, and returns what callers see.
func (b *Bearer) fail(base *credential, err error) error {
	refused := refreshRefused(err)
	if refused {
		err = fmt.Errorf("%w: token refresh refused, sign in again: %w", walletfi.ErrUnauthorized, err)
	} else {
		err = ownFailure(fmt.Errorf("token refresh: %w", err))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.cfg.Now()
	if b.current.Load() != base || b.failed.holds(base, now) { // what an abandoned refresh says late
		return err
	}
	if b.failed.base != base {
		b.failed = failure{base: base}
	}
	b.failed.count++
	wait := b.cfg.MinInterval
	if !refused {
		wait = min(wait, firstRetry<<min(b.failed.count-1, 10))
	}
	b.failed.err, b.failed.at, b.failed.until = err, now, now.Add(wait)
	return err
}

// refreshRefused reports whether a refresh failed because the service will not
// have the refresh token, which repeating does not change.
func refreshRefused(err error) bool {
	return errors.Is(err, walletfi.ErrUnauthorized) || errors.Is(err, walletfi.ErrForbidden) ||
		errors.Is(err, walletfi.ErrInvalidRequest)
}

// ownFailure keeps a deadline of the renewal's own from looking like the
// caller's.
func ownFailure(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: %s", walletfi.ErrUnavailable, err.Error())
	}
	return err
}

// pace lets two refreshes through at once and then one an interval.
type pace struct {
	last time.Time // when a refresh last succeeded
	paid time.Time // when all refreshes so far are an interval each in the past
}

// allows reports whether a refresh may be made now. A clock that was set back
// starts the pace anew.
func (p *pace) allows(now time.Time, interval time.Duration) bool {
	return now.Before(p.last) || !p.paid.After(now.Add(interval))
}

func (p *pace) spend(now time.Time, interval time.Duration) {
	if now.Before(p.last) || p.paid.Before(now) {
		p.paid = now
	}
	p.paid = p.paid.Add(interval)
	p.last = now
}
