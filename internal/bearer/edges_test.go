package bearer

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

func TestSettings(t *testing.T) {
	for _, unset := range []time.Duration{0, -1} {
		cfg := New(Config{RefreshTimeout: unset, Early: unset, MinInterval: unset}).cfg
		assert.Equal(t, [3]time.Duration{15 * time.Second, 30 * time.Second, 10 * time.Second}, [3]time.Duration{cfg.RefreshTimeout, cfg.Early, cfg.MinInterval})
	}
	cfg := New(Config{RefreshTimeout: 1, Early: 1, MinInterval: 1}).cfg
	assert.Equal(t, [3]time.Duration{1, 1, 1}, [3]time.Duration{cfg.RefreshTimeout, cfg.Early, cfg.MinInterval}, "the smallest is one")
}

// TestCredentialAge: a token is renewed from renewAt on and has ended at its expiry,
// by the later of two clocks, to the nanosecond.
func TestCredentialAge(t *testing.T) {
	const renew, expire = 40 * time.Second, 60 * time.Second
	for _, row := range []struct {
		passed, wall time.Duration // by the monotonic clock, by the wall clock
		want         age
	}{
		{0, 0, young},
		{renew - 1, renew - 1, young},
		{renew, 0, ageing},
		{0, renew, ageing},
		{expire - 1, expire - 1, ageing},
		{expire, 0, ended},
		{0, expire, ended},
	} {
		inBubble(fmt.Sprint(row), t, func(t *testing.T) {
			start := time.Now()
			c := &credential{
				token: walletfi.Token{Expiry: start.Add(expire)}, renewAt: start.Add(renew),
				since: start, left: [2]time.Duration{renew, expire},
			}
			advance(row.passed)
			assert.Equal(t, row.want, c.age(start.Add(row.wall)))
			assert.Equal(t, row.want == ended, c.over.Load())
			if row.want == ended && row.passed == 0 {
				assert.Equal(t, ended, c.age(start), "what has ended stays so")
			}
		})
	}
	// A token that came in expired is not renewed before its notBefore.
	start := time.Now()
	late := &credential{
		token: walletfi.Token{Expiry: start.Add(-time.Hour)}, renewAt: start.Add(time.Hour),
		since: start, left: [2]time.Duration{time.Hour, time.Hour},
	}
	assert.Equal(t, young, late.age(start))
}

func TestHeaderSafe(t *testing.T) {
	for _, good := range []string{"", "!", "~", "a.b-c_d"} {
		assert.True(t, headerSafe(good), "%q", good)
	}
	for _, bad := range []string{" ", "a b", "\x00", "\x1f", "\x7f", "\x80", "é"} {
		assert.False(t, headerSafe(bad), "%q", bad)
	}
}

// TestGivesUp: a caller that ends while it waits for a second look, or for a lock.
func TestGivesUp(t *testing.T) {
	inBubble("a caller that ended while it waits for a second look", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		start := time.Now()
		_, err := r.recover(ctx, r.current.Load(), walletfi.ErrForbidden)
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		assert.Equal(t, 100*time.Millisecond, time.Since(start))
	})
	inBubble("a caller without a deadline that gives up", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		_, err := r.store.TryLock(t.Context(), time.Hour)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, unlock, err := r.lock(ctx, r.current.Load(), new(place))
		require.ErrorIs(t, err, errLocked)
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
		assert.Nil(t, unlock)
	})
}

func TestFailureHolds(t *testing.T) {
	base, other, at := new(credential), new(credential), time.Now()
	f := failure{base: base, err: errSignIn, at: at, until: at.Add(time.Minute)}
	assert.True(t, f.holds(base, at))
	assert.True(t, f.holds(base, at.Add(time.Minute-1)))
	assert.False(t, f.holds(base, at.Add(time.Minute)))
	assert.False(t, f.holds(base, at.Add(-1)), "a clock that was set back")
	assert.False(t, f.holds(other, at))
	f.err = nil
	assert.False(t, f.holds(base, at))
}

// TestFailureIsBounded: the wait doubles up to MinInterval, and no further than
// 1,024 seconds.
func TestFailureIsBounded(t *testing.T) {
	now := time.Now()
	b := New(Config{MinInterval: time.Hour, Now: func() time.Time { return now }})
	var waits []time.Duration
	for range 13 {
		_ = b.fail(nil, walletfi.ErrUnavailable)
		waits = append(waits, b.failed.until.Sub(now)/time.Second)
		now = b.failed.until
	}
	assert.Equal(t, []time.Duration{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024, 1024}, waits)
}

// TestErrorsNameTheirCause: a store's failure is not the service's, and a
// deadline of the renewal's own is not the caller's.
func TestErrorsNameTheirCause(t *testing.T) {
	store := fmt.Errorf("%w: disk full", walletfi.ErrTokenStore)
	for _, row := range []struct {
		err                error
		unavailable, store bool
	}{
		{errors.New("reset"), true, false},
		{walletfi.ErrUnavailable, true, false},
		{store, false, true},
		{context.DeadlineExceeded, true, false},
		{context.Canceled, true, false},
		{fmt.Errorf("%w: %w", store, context.DeadlineExceeded), true, true},
		{fmt.Errorf("%w: %w", store, context.Canceled), true, true},
	} {
		got := passing(row.err)
		assert.Equal(t, row.unavailable, errors.Is(got, walletfi.ErrUnavailable), row.err)
		assert.Equal(t, row.store, errors.Is(got, walletfi.ErrTokenStore), row.err)
		assert.NotErrorIs(t, got, context.DeadlineExceeded)
		assert.NotErrorIs(t, got, context.Canceled)
		assert.ErrorContains(t, got, row.err.Error())
	}
	assert.Equal(t, store, passing(store), "nothing is added")
}

// TestFlightThatEndsAtItsDeadline: a result that is there counts, in whatever
// order the two ends are seen.
func TestFlightThatEndsAtItsDeadline(t *testing.T) {
	over, done := make(chan struct{}), make(chan struct{})
	close(over)
	close(done)
	want, failed := new(credential), errors.New("refused")
	b := New(Config{})
	b.flight = &flight{by: t.Context(), soon: t.Context(), over: over, done: done, cred: want, err: failed}
	for range 100 { // a select with two ends ready takes either
		cred, err := b.await(t.Context(), nil)
		require.Same(t, want, cred)
		require.Equal(t, failed, err)
	}
}

// TestFlightHoldsNothing: its contexts end with it, not at their deadlines.
func TestFlightHoldsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		var keep context.Context
		saved := &watchedStore{MemoryTokenStore: &r.store}
		r.cfg.Store = saved
		r.answer = func(ctx context.Context, n int, old walletfi.Token) (walletfi.Token, error) {
			keep = ctx
			return rotating(ctx, n, old)
		}
		r.current.Load().refused.Store(true)
		f := r.join(t.Context(), r.current.Load())
		<-f.done
		synctest.Wait()
		require.ErrorIs(t, keep.Err(), context.Canceled)
		require.ErrorIs(t, saved.ctx.Err(), context.Canceled)
		require.ErrorIs(t, f.soon.Err(), context.Canceled)
	})
}

// watchedStore keeps the context that it was last asked under.
type watchedStore struct {
	*walletfi.MemoryTokenStore
	ctx context.Context
}

func (s *watchedStore) Replace(ctx context.Context, old, next walletfi.Token) (bool, error) {
	s.ctx = ctx
	return s.MemoryTokenStore.Replace(ctx, old, next)
}

// TestStaleRenewal: what wants to renew or replace a token that is no longer the
// current one gets the current one.
func TestStaleRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		stale := new(credential)
		cred, err := r.renew(t.Context(), stale, new(place))
		require.NoError(t, err)
		require.Same(t, r.current.Load(), cred)
		require.Same(t, cred, r.replace(stale, tokenOf("x", "y", time.Hour), time.Time{}))
		cred, err = r.keep(t.Context(), stale, tokenOf("x", "y", time.Hour))
		require.NoError(t, err)
		require.Same(t, r.current.Load(), cred)
		assert.Zero(t, r.saves)
		assert.Zero(t, r.refreshes)
	})
}

// TestLateFailure: what an abandoned refresh says late changes neither the failure
// that holds nor that of a newer token.
func TestLateFailure(t *testing.T) {
	now := time.Now()
	b := New(Config{MinInterval: time.Hour, Now: func() time.Time { return now }})
	_ = b.fail(nil, fmt.Errorf("first: %w", walletfi.ErrUnavailable))
	held := b.failed
	late := b.fail(nil, fmt.Errorf("late: %w", walletfi.ErrUnavailable))
	assert.ErrorContains(t, late, "late", "its caller hears of it")
	assert.Equal(t, held, b.failed)
	now = held.until
	_ = b.fail(new(credential), fmt.Errorf("of an older token: %w", walletfi.ErrUnavailable))
	assert.Equal(t, held, b.failed)
	_ = b.fail(nil, fmt.Errorf("second: %w", walletfi.ErrUnavailable))
	assert.Equal(t, 2, b.failed.count)
	assert.ErrorContains(t, b.failed.err, "second")
}

// TestLandsItsOwnFlight: one that was abandoned and ends late leaves the next.
func TestLandsItsOwnFlight(t *testing.T) {
	b, first, second := New(Config{}), new(flight), new(flight)
	b.flight = second
	b.land(first)
	require.Same(t, second, b.flight)
	b.land(second)
	require.Nil(t, b.flight)
}
