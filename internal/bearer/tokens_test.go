package bearer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// rig is a Tokens with a scripted service and store, inside a synctest
// bubble.
type rig struct {
	*Tokens
	mu        sync.Mutex
	store     walletfi.MemoryTokenStore
	saves     int
	loads     int
	refreshes int
	used      []string      // refresh tokens that the service was shown
	offset    time.Duration // of the clock of the Tokens
	saveErr   error
	loadErr   error
	lockErr   error
	locked    func() // runs when the lock was taken, before it is told
	unlocks   int
	answer    func(ctx context.Context, n int, old walletfi.Token) (walletfi.Token, error)
}

func (r *rig) Load(ctx context.Context) (walletfi.Token, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.loads++
	if r.loadErr != nil {
		return walletfi.Token{}, r.loadErr
	}
	return r.store.Load(ctx)
}

func (r *rig) Save(ctx context.Context, t walletfi.Token) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.saves++
	if r.saveErr != nil {
		return r.saveErr
	}
	return r.store.Save(ctx, t)
}

func (r *rig) Replace(ctx context.Context, old, next walletfi.Token) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.saves++
	if r.saveErr != nil {
		return false, r.saveErr
	}
	return r.store.Replace(ctx, old, next)
}

func (r *rig) TryLock(ctx context.Context, lease time.Duration) (func(), error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lockErr != nil {
		return nil, r.lockErr
	}
	unlock, err := r.store.TryLock(ctx, lease)
	if unlock == nil {
		return nil, err
	}
	if r.locked != nil {
		r.locked()
	}
	return func() { r.unlocks++; unlock() }, err
}

func (r *rig) refresh(ctx context.Context, old walletfi.Token) (walletfi.Token, error) {
	r.mu.Lock()
	r.refreshes++
	n := r.refreshes
	r.used = append(r.used, old.Refresh.Reveal())
	r.mu.Unlock()
	return r.answer(ctx, n, old)
}

func (r *rig) breakSave(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.saveErr = err
}

// newRig starts with a token "a0"/"r0" in the store that expires after
// life, or never says where life is 0. The service answers "a1"/"r1" and so
// on, each good for an hour.
func newRig(t *testing.T, life time.Duration) *rig {
	t.Helper()
	r := &rig{answer: rotating}
	r.Tokens = New(Config{Store: r, Refresh: r.refresh, Now: func() time.Time { return time.Now().Add(r.offset) }})
	first := tokenOf("a0", "r0", 0)
	if life > 0 {
		first.Expiry = time.Now().Add(life)
	}
	require.NoError(t, r.store.Save(t.Context(), first))
	return r
}

func (r *rig) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refreshes
}

func rotating(_ context.Context, n int, _ walletfi.Token) (walletfi.Token, error) {
	return tokenOf(fmt.Sprintf("a%d", n), fmt.Sprintf("r%d", n), time.Hour), nil
}

func slowly(d time.Duration) func(context.Context, int, walletfi.Token) (walletfi.Token, error) {
	return func(ctx context.Context, n int, old walletfi.Token) (walletfi.Token, error) {
		select {
		case <-time.After(d):
			return rotating(ctx, n, old)
		case <-ctx.Done():
			return walletfi.Token{}, ctx.Err()
		}
	}
}

func failing(err error) func(context.Context, int, walletfi.Token) (walletfi.Token, error) {
	return func(context.Context, int, walletfi.Token) (walletfi.Token, error) { return walletfi.Token{}, err }
}

func tokenOf(access, refresh string, life time.Duration) walletfi.Token {
	t := walletfi.Token{Access: walletfi.NewSecret(access), Refresh: walletfi.NewSecret(refresh)}
	if life != 0 {
		t.Expiry = time.Now().Add(life)
	}
	return t
}

func bearing(access string) http.Header { return http.Header{"Authorization": {"Bearer " + access}} }

// sent returns what a call would be sent with.
func (r *rig) sent(t *testing.T) string {
	t.Helper()
	header := http.Header{}
	require.NoError(t, r.Authorise(t.Context(), header))
	return header.Get("Authorization")
}

func (r *rig) stored(t *testing.T) walletfi.Token {
	t.Helper()
	token, err := r.store.Load(t.Context())
	require.NoError(t, err)
	return token
}

// advance lets d pass on the bubble's clock.
func advance(d time.Duration) { <-time.After(d) }

// inBubble runs f on virtual time; it fails if f leaves a goroutine.
func inBubble(name string, t *testing.T, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

func TestWithoutToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(Config{})
		header := http.Header{}
		err := b.Authorise(t.Context(), header)
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		assert.ErrorContains(t, err, "sign in first")
		assert.Empty(t, header)
		again, err := b.Refused(t.Context(), bearing("x"))
		assert.False(t, again)
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
		assert.Empty(t, b.Secrets())
	})
}

func TestOneRefreshForAThousand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = slowly(100 * time.Millisecond)
		assert.Equal(t, "Bearer a0", r.sent(t))
		var group sync.WaitGroup
		for range 1000 {
			group.Go(func() {
				header := bearing("a0")
				again, err := r.Refused(t.Context(), header)
				assert.NoError(t, err)
				assert.True(t, again)
				assert.NoError(t, r.Authorise(t.Context(), header))
				assert.Equal(t, "Bearer a1", header.Get("Authorization"))
			})
		}
		group.Wait()
		assert.Equal(t, 1, r.refreshes)
		assert.Equal(t, 1, r.saves)
		assert.Equal(t, "a1", r.stored(t).Access.Reveal())
		assert.Equal(t, "r1", r.stored(t).Refresh.Reveal())
	})
}

func TestLateRefusalOfAnOlderToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		assert.Equal(t, "Bearer a0", r.sent(t))
		for range 3 {
			again, err := r.Refused(t.Context(), bearing("a0"))
			require.NoError(t, err)
			assert.True(t, again)
		}
		assert.Equal(t, 1, r.refreshes)
		assert.Equal(t, "Bearer a1", r.sent(t))
	})
}

func TestFindsTheTokenUnderAnyHeaderName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		again, err := r.Refused(t.Context(), http.Header{"X-Auth": {"Bearer a0"}})
		require.NoError(t, err)
		assert.True(t, again)
		assert.Equal(t, 1, r.refreshes)
	})
}

func TestRefreshesEarly(t *testing.T) {
	tests := []struct {
		name  string
		life  time.Duration
		quiet time.Duration // how long the first token is left alone
	}{
		{"30 s before", time.Hour, time.Hour - 30*time.Second},
		{"at half of a short life", 40 * time.Second, 20 * time.Second},
	}
	for _, test := range tests {
		inBubble(test.name, t, func(t *testing.T) {
			r := newRig(t, test.life)
			assert.Equal(t, "Bearer a0", r.sent(t))
			advance(test.quiet - time.Millisecond)
			assert.Equal(t, "Bearer a0", r.sent(t))
			assert.Zero(t, r.refreshes)
			advance(time.Millisecond)
			var group sync.WaitGroup
			for range 50 {
				group.Go(func() {
					header := http.Header{}
					assert.NoError(t, r.Authorise(t.Context(), header))
					assert.Equal(t, "Bearer a1", header.Get("Authorization"))
				})
			}
			group.Wait()
			assert.Equal(t, 1, r.refreshes)
			assert.Equal(t, []string{"r0"}, r.used)
		})
	}
}

func TestExpiredInTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Minute)
		advance(time.Hour)
		assert.Equal(t, "Bearer a1", r.sent(t))
		assert.Equal(t, 1, r.refreshes)
	})
}

func TestRefreshTokenAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 0)
		require.NoError(t, r.store.Save(t.Context(), tokenOf("", "r0", 0)))
		assert.Equal(t, "Bearer a1", r.sent(t))
	})
}

func TestStoreThatFails(t *testing.T) {
	broken := errors.New("disk full")
	inBubble("save", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		r.breakSave(broken)
		for range 3 {
			again, err := r.Refused(t.Context(), bearing("a0"))
			assert.False(t, again)
			require.ErrorIs(t, err, broken)
			require.ErrorIs(t, r.Authorise(t.Context(), http.Header{}), broken)
		}
		assert.Equal(t, 1, r.refreshes, "the new token waits, no second one is asked for")
		assert.Equal(t, 6, r.saves)
		assert.Contains(t, r.Secrets(), "r1", "it is a secret before it is used")
		r.breakSave(nil)
		assert.Equal(t, "Bearer a1", r.sent(t))
		assert.Equal(t, "r1", r.stored(t).Refresh.Reveal())
		assert.Equal(t, 1, r.refreshes)
	})
	inBubble("save, while the old token is good", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		r.breakSave(broken)
		advance(time.Hour - 30*time.Second)
		assert.Equal(t, "Bearer a0", r.sent(t))
		advance(time.Second)
		r.breakSave(nil)
		assert.Equal(t, "Bearer a1", r.sent(t))
		assert.Equal(t, 1, r.refreshes)
	})
	inBubble("load", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.loadErr = broken
		require.ErrorIs(t, r.Authorise(t.Context(), http.Header{}), broken)
		r.loadErr = nil
		assert.Equal(t, "Bearer a0", r.sent(t))
		r.loadErr = broken
		_, err := r.Refused(t.Context(), bearing("a0"))
		require.ErrorIs(t, err, broken)
		assert.Zero(t, r.refreshes, "nothing is rotated that could not be kept")
	})
	inBubble("set", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		r.breakSave(broken)
		require.ErrorIs(t, r.Set(t.Context(), tokenOf("b0", "s0", time.Hour)), broken)
		assert.Equal(t, "Bearer a0", r.sent(t))
	})
}

func TestSavedBeforeUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		slow := &slowStore{MemoryTokenStore: &r.store}
		r.Tokens = New(Config{Store: slow, Refresh: r.refresh})
		r.sent(t)
		start := time.Now()
		again, err := r.Refused(t.Context(), bearing("a0"))
		require.NoError(t, err)
		assert.True(t, again)
		assert.Equal(t, time.Second, time.Since(start))
	})
}

type slowStore struct{ *walletfi.MemoryTokenStore }

func (s *slowStore) Save(ctx context.Context, t walletfi.Token) error {
	advance(time.Second)
	return s.MemoryTokenStore.Save(ctx, t)
}

func (s *slowStore) Replace(ctx context.Context, old, next walletfi.Token) (bool, error) {
	advance(time.Second)
	return s.MemoryTokenStore.Replace(ctx, old, next)
}

func TestKeepsTheRefreshToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = func(_ context.Context, n int, _ walletfi.Token) (walletfi.Token, error) {
			refresh := ""
			if n == 2 {
				refresh = "r2"
			}
			return tokenOf(fmt.Sprintf("a%d", n), refresh, time.Minute), nil
		}
		r.sent(t)
		for range 3 {
			advance(time.Hour)
			r.sent(t)
		}
		assert.Equal(t, []string{"r0", "r0", "r2"}, r.used)
		assert.Equal(t, "r2", r.stored(t).Refresh.Reveal())
	})
}

func TestSet(t *testing.T) {
	inBubble("saved, then used", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		require.NoError(t, r.Set(t.Context(), tokenOf("b0", "s0", -time.Hour)))
		assert.Equal(t, "Bearer b0", r.sent(t))
		assert.Equal(t, "s0", r.stored(t).Refresh.Reveal())
		assert.True(t, r.stored(t).Expiry.IsZero())
		token, err := r.Token(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "b0", token.Access.Reveal())
		assert.Equal(t, []string{"a0", "r0", "b0", "s0"}, r.Secrets())
	})
	inBubble("during a refresh of the token before", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = slowly(5 * time.Second)
		r.sent(t)
		var group sync.WaitGroup
		group.Go(func() {
			again, err := r.Refused(t.Context(), bearing("a0"))
			assert.NoError(t, err)
			assert.True(t, again)
		})
		advance(time.Second)
		require.NoError(t, r.Set(t.Context(), tokenOf("b0", "s0", time.Hour)))
		assert.Equal(t, "Bearer b0", r.sent(t))
		group.Wait()
		assert.Equal(t, "Bearer b0", r.sent(t))
		assert.Equal(t, "b0", r.stored(t).Access.Reveal())
	})
	inBubble("refused at once, during a refresh of the token before", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = slowly(5 * time.Second)
		r.sent(t)
		var group sync.WaitGroup
		group.Go(func() {
			again, err := r.Refused(t.Context(), bearing("a0"))
			assert.NoError(t, err)
			assert.True(t, again)
		})
		advance(time.Second)
		require.NoError(t, r.Set(t.Context(), tokenOf("b0", "s0", time.Hour)))
		again, err := r.Refused(t.Context(), bearing("b0"))
		require.NoError(t, err, "it does not join the refresh of a0")
		assert.True(t, again)
		group.Wait()
		assert.Equal(t, []string{"r0", "s0"}, r.used)
		assert.Equal(t, "Bearer a2", r.sent(t))
	})
	inBubble("after a refused refresh", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = failing(walletfi.ErrUnauthorized)
		r.sent(t)
		_, err := r.Refused(t.Context(), bearing("a0"))
		require.Error(t, err)
		require.NoError(t, r.Set(t.Context(), tokenOf("b0", "s0", time.Hour)))
		assert.Equal(t, "Bearer b0", r.sent(t))
	})
	inBubble("to nothing signs out", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		require.NoError(t, r.Set(t.Context(), walletfi.Token{}))
		_, err := r.Token(t.Context())
		require.ErrorIs(t, err, walletfi.ErrUnauthorized)
	})
	inBubble("to what cannot be", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		for _, token := range []walletfi.Token{tokenOf("", "r", 0), tokenOf("canary\n", "r", 0), tokenOf("ca nary", "r", 0)} {
			var invalid *walletfi.ValidationError
			err := r.Set(t.Context(), token)
			require.ErrorAs(t, err, &invalid)
			assert.Equal(t, "accessToken", invalid.Field)
			assert.NotContains(t, err.Error(), "nary")
		}
		assert.Zero(t, r.saves)
	})
	inBubble("waits under its own context", t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		slow := &slowStore{MemoryTokenStore: &r.store}
		b := New(Config{Store: slow})
		var group sync.WaitGroup
		group.Go(func() { assert.NoError(t, b.Set(t.Context(), tokenOf("b0", "", 0))) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, b.Set(ctx, tokenOf("b1", "", 0)), context.DeadlineExceeded)
		group.Wait()
	})
}

func TestHeaderIsTheRequestsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		header := http.Header{}
		require.NoError(t, r.Authorise(t.Context(), header))
		header["Authorization"][0] = "masked for a log"
		assert.Equal(t, "Bearer a0", r.sent(t))
	})
}

func BenchmarkAuthorise(b *testing.B) {
	for name, expiry := range map[string]time.Time{"expiry=known": time.Now().Add(time.Hour), "expiry=unknown": {}} {
		b.Run(name, func(b *testing.B) {
			refresh := func(context.Context, walletfi.Token) (walletfi.Token, error) {
				return walletfi.Token{}, walletfi.ErrUnavailable
			}
			bearer := New(Config{Refresh: refresh})
			token := tokenOf("a0", "r0", 0)
			token.Expiry = expiry
			if err := bearer.Set(b.Context(), token); err != nil {
				b.Fatal(err)
			}
			header := http.Header{}
			ctx := b.Context()
			b.ReportAllocs()
			for b.Loop() {
				if err := bearer.Authorise(ctx, header); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
