package tokenstoretest_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/tokenstoretest"
)

// base is a good store, of which each broken one changes something.
type base = walletfi.MemoryTokenStore

// forgetful loses part of what it is given.
type forgetful struct {
	*base
	lose func(*walletfi.Token)
}

func (s forgetful) Save(ctx context.Context, t walletfi.Token) error {
	s.lose(&t)
	return s.base.Save(ctx, t)
}

// private keeps what it saved for itself.
type private struct {
	*base
	own *base
}

func (s private) Load(ctx context.Context) (walletfi.Token, error) { return s.own.Load(ctx) }
func (s private) Save(ctx context.Context, t walletfi.Token) error {
	_ = s.base.Save(ctx, t)
	return s.own.Save(ctx, t)
}

// careless replaces whatever the check lets through, in two steps.
type careless struct {
	*base
	check func(stored, old walletfi.Token) bool
}

func (s careless) Replace(ctx context.Context, old, next walletfi.Token) (bool, error) {
	stored, err := s.Load(ctx)
	if err != nil || !s.check(stored, old) {
		return false, err
	}
	_ = pause.For(context.Background(), 2*time.Millisecond) // until the others are between the two steps
	return true, s.Save(ctx, next)
}

// locker has a lock of its own making.
type locker struct {
	*base
	try func(lease time.Duration) func()
}

func (s locker) TryLock(_ context.Context, lease time.Duration) (func(), error) {
	return s.try(lease), nil
}

// endless is a lock without a lease.
func endless() func(time.Duration) func() {
	var mu sync.Mutex
	return func(time.Duration) func() {
		if mu.TryLock() {
			return sync.OnceFunc(mu.Unlock)
		}
		return nil
	}
}

// anonymous is a lock that does not know its holder.
func anonymous() func(time.Duration) func() {
	var mu sync.Mutex
	var until time.Time
	return func(lease time.Duration) func() {
		mu.Lock()
		defer mu.Unlock()
		if time.Now().Before(until) {
			return nil
		}
		until = time.Now().Add(lease)
		return func() { mu.Lock(); until = time.Time{}; mu.Unlock() }
	}
}

// broken returns what makes a process's store of the shared one.
func broken() map[string]func() func(*base) walletfi.TokenStore {
	each := func(wrap func(*base) walletfi.TokenStore) func() func(*base) walletfi.TokenStore {
		return func() func(*base) walletfi.TokenStore { return wrap }
	}
	loses := func(lose func(*walletfi.Token)) func() func(*base) walletfi.TokenStore {
		return each(func(b *base) walletfi.TokenStore { return forgetful{b, lose} })
	}
	checks := func(check func(stored, old walletfi.Token) bool) func() func(*base) walletfi.TokenStore {
		return each(func(b *base) walletfi.TokenStore { return careless{b, check} })
	}
	return map[string]func() func(*base) walletfi.TokenStore{
		"the refresh token is lost": loses(func(t *walletfi.Token) { t.Refresh = walletfi.Secret{} }),
		"the expiry is lost":        loses(func(t *walletfi.Token) { t.Expiry = time.Time{} }),
		"the clock is lost":         loses(func(t *walletfi.Token) { t.Ahead = 0 }),
		"the expiry is cut":         loses(func(t *walletfi.Token) { t.Expiry = t.Expiry.Truncate(time.Second) }),
		"long tokens are cut": loses(func(t *walletfi.Token) {
			t.Access = walletfi.NewSecret(t.Access.Reveal()[:min(4096, len(t.Access.Reveal()))])
		}),
		"processes do not share":       each(func(b *base) walletfi.TokenStore { return private{b, &base{}} }),
		"anything is replaced":         checks(func(_, _ walletfi.Token) bool { return true }),
		"access tokens alone compared": checks(func(a, b walletfi.Token) bool { return a.Access.Reveal() == b.Access.Reveal() }),
		"expiries are compared":        checks(func(a, b walletfi.Token) bool { return a.Same(b) && a.Expiry.Equal(b.Expiry) }),
		"replacing is not atomic":      checks(walletfi.Token.Same),
		"anyone has the lock": each(func(b *base) walletfi.TokenStore {
			return locker{b, func(time.Duration) func() { return func() {} }}
		}),
		"each process has a lock": each(func(b *base) walletfi.TokenStore { return locker{b, anonymous()} }),
		"locks do not end": func() func(*base) walletfi.TokenStore {
			try := endless()
			return func(b *base) walletfi.TokenStore { return locker{b, try} }
		},
		"unlocking frees any lock": func() func(*base) walletfi.TokenStore {
			try := anonymous()
			return func(b *base) walletfi.TokenStore { return locker{b, try} }
		},
	}
}

// TestBrokenTokenStores: the suite fails for each store that is broken in one way.
func TestBrokenTokenStores(t *testing.T) {
	wiretest.Broken(t, 14, broken(), func(t *testing.T, each func() func(*base) walletfi.TokenStore) {
		tokenstoretest.Run(t, func(*testing.T) tokenstoretest.Store {
			b, wrap := &base{}, each()
			open := func(*testing.T) walletfi.TokenStore { return wrap(b) }
			return tokenstoretest.Store{Open: open, Reopen: open}
		})
	})
}

// TestMemoryTokenStore: the same store unchanged passes.
func TestMemoryTokenStore(t *testing.T) {
	tokenstoretest.Run(t, func(*testing.T) tokenstoretest.Store {
		b := &base{}
		open := func(*testing.T) walletfi.TokenStore { return b }
		return tokenstoretest.Store{Open: open, Reopen: open}
	})
}
