package bearer

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// another returns a second Tokens on the rig's store and service, as another
// process has it.
func (r *rig) another() *Tokens {
	return New(Config{Store: r, Refresh: r.refresh})
}

func TestOfOneStoreRefreshOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.answer = slowly(2 * time.Second)
		all := []*Tokens{r.Tokens, r.another(), r.another(), r.another()}
		for _, b := range all {
			require.NoError(t, b.Authorise(t.Context(), http.Header{}))
		}
		advance(time.Hour) // all expire at once
		var group sync.WaitGroup
		for _, b := range all {
			group.Go(func() {
				header := http.Header{}
				assert.NoError(t, b.Authorise(t.Context(), header))
				assert.Equal(t, "Bearer a1", header.Get("Authorization"))
			})
		}
		group.Wait()
		assert.Equal(t, 1, r.refreshes)
	})
}

func TestLockOfAProcessThatDied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		_, err := r.store.TryLock(t.Context(), 15*time.Second)
		require.NoError(t, err)
		start := time.Now()
		_, err = r.Refused(t.Context(), bearing("a0"))
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
		require.ErrorContains(t, err, "another process is refreshing the token")
		require.Equal(t, 15*time.Second-50*time.Millisecond, time.Since(start), "there is no time for another look")
		advance(time.Second)
		assert.Equal(t, "Bearer a1", r.sent(t), "the lease is over")
	})
}

func TestTakesATokenWhoseLockIsStillHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		_, err := r.store.TryLock(t.Context(), time.Hour)
		require.NoError(t, err)
		var group sync.WaitGroup
		group.Go(func() {
			advance(time.Second + time.Millisecond) // just after a look
			assert.NoError(t, r.store.Save(t.Context(), tokenOf("b0", "s0", time.Hour)))
		})
		start := time.Now()
		again, err := r.Refused(t.Context(), bearing("a0"))
		require.NoError(t, err)
		assert.True(t, again)
		assert.Equal(t, time.Second+50*time.Millisecond, time.Since(start), "at the next look")
		assert.Equal(t, "Bearer b0", r.sent(t))
		assert.Zero(t, r.refreshes)
		group.Wait()
	})
}

// TestWithoutItsLock: what a process that was suspended past its lease returns
// does not undo what another stored.
func TestWithoutItsLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
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
		require.NoError(t, r.store.Save(t.Context(), tokenOf("b0", "s0", time.Hour)))
		group.Wait()
		assert.Equal(t, 1, r.refreshes)
		assert.Equal(t, "b0", r.stored(t).Access.Reveal())
		assert.Equal(t, "Bearer b0", r.sent(t))
	})
}

// TestStoredTokenThatIsDue: what another process stored may be due itself.
func TestStoredTokenThatIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		unlock, err := r.store.TryLock(t.Context(), time.Hour)
		require.NoError(t, err)
		var group sync.WaitGroup
		group.Go(func() {
			advance(time.Second)
			assert.NoError(t, r.store.Save(t.Context(), tokenOf("b0", "s0", -time.Hour)))
			advance(time.Second)
			unlock()
		})
		_, err = r.Refused(t.Context(), bearing("a0"))
		require.NoError(t, err)
		assert.Equal(t, []string{"s0"}, r.used)
		assert.Equal(t, "Bearer a1", r.sent(t))
		group.Wait()
	})
}

func TestStoreThatCannotLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.sent(t)
		r.lockErr = errors.New("disk full")
		_, err := r.Refused(t.Context(), bearing("a0"))
		require.ErrorIs(t, err, walletfi.ErrTokenStore)
		assert.Zero(t, r.refreshes)
		r.lockErr = nil
		assert.Equal(t, "Bearer a1", r.sent(t), "as soon as it can")
	})
}
