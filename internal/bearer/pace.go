package bearer

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
func (b *Tokens) fail(base *credential, err error) error {
	refused := refreshRefused(err)
	if refused {
		if r, ok := errors.AsType[*walletfi.ResponseError](err); ok && r.Kind == walletfi.ErrNotFound {
			r.Kind = nil // it is about the refresh token, not about what the caller asked for
		}
		err = fmt.Errorf("%w: token refresh refused, sign in again: %w", walletfi.ErrUnauthorized, err)
	} else {
		err = passing(fmt.Errorf("token refresh: %w", err))
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
		errors.Is(err, walletfi.ErrInvalidRequest) || errors.Is(err, walletfi.ErrNotFound)
}

// passing makes a failure that may be over soon answer to ErrUnavailable, unless
// it is the store's.
func passing(err error) error {
	err = ownFailure(err)
	if errors.Is(err, walletfi.ErrUnavailable) || errors.Is(err, walletfi.ErrTokenStore) {
		return err
	}
	return fmt.Errorf("%w: %w", walletfi.ErrUnavailable, err)
}

// storeFailure is an error of the token store.
func storeFailure(doing string, err error) error {
	return ownFailure(fmt.Errorf("%w: %s: %w", walletfi.ErrTokenStore, doing, err))
}

// ownFailure keeps a deadline of the renewal's own from looking like the
// caller's.
func ownFailure(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		if errors.Is(err, walletfi.ErrTokenStore) {
			return fmt.Errorf("%w: %w: %s", walletfi.ErrUnavailable, walletfi.ErrTokenStore, err.Error())
		}
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
// starts the pace from the beginning.
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
