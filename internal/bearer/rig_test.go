package bearer

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
	locked    func()        // runs when the lock was taken, before it is told
	takes     time.Duration // to save
	keeps     bool          // what it has, and does not say why
	said      func(who, format string, args ...any)
	saysLocks bool
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
	time.Sleep(r.takes)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.saves++
	if r.saveErr != nil {
		return r.saveErr
	}
	r.say("store", "gets %s", shown(t))
	return r.store.Save(ctx, t)
}

func (r *rig) Replace(ctx context.Context, old, next walletfi.Token) (bool, error) {
	time.Sleep(r.takes)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.saves++
	if r.saveErr != nil {
		r.say("store", "does not take %s", shown(next))
		return false, r.saveErr
	}
	if r.keeps {
		return false, nil
	}
	replaced, err := r.store.Replace(ctx, old, next)
	r.say("store", "replaces %s by %s: %v", shown(old), shown(next), replaced)
	return replaced, err
}

func (r *rig) sayLock(text string) {
	if r.saysLocks {
		r.say("store", "%s", text)
	}
}

// say is for the trace of a script.
func (r *rig) say(who, format string, args ...any) {
	if r.said != nil {
		r.said(who, format, args...)
	}
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
	r.sayLock("is locked")
	return func() {
		r.sayLock("is unlocked")
		unlock()
	}, err
}

func (r *rig) refresh(ctx context.Context, old walletfi.Token) (walletfi.Token, error) {
	r.mu.Lock()
	r.refreshes++
	n := r.refreshes
	r.used = append(r.used, old.Refresh.Reveal())
	r.mu.Unlock()
	return r.answer(ctx, n, old)
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
