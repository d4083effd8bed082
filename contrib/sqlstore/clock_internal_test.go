package sqlstore

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// jump sets the clock that s reads.
func jump(s *Store, d time.Duration) {
	s.dialect.now = fmt.Sprintf("(%s + %d)", dialects[SQLite].now, d.Milliseconds())
}

// TestClockThatJumps: if the clock is set ahead, leases end early, which costs no
// payment. If it is set back, a lease does not last for as long as it was set back.
func TestClockThatJumps(t *testing.T) {
	key := walletfi.NewSecret("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
	s, err := Open(t.Context(), Config{Path: filepath.Join(t.TempDir(), "db"), Keys: []walletfi.Secret{key}})
	require.NoError(t, err)
	defer s.Close()
	j, tokens := s.Journal(), s.Tokens("account")
	for _, d := range []time.Duration{time.Hour, -time.Hour} {
		jump(s, 0)
		require.NoError(t, j.Renew(t.Context(), "holder", 30*time.Second))
		unlock, err := tokens.TryLock(t.Context(), 30*time.Second)
		require.NoError(t, err)
		require.NotNil(t, unlock)
		jump(s, -setBack/2) // by as much as clocks are corrected
		alive, err := j.Alive(t.Context(), "holder")
		require.NoError(t, err)
		require.True(t, alive)
		jump(s, d)
		alive, err = j.Alive(t.Context(), "holder")
		require.NoError(t, err)
		require.False(t, alive, "after a jump of %v", d)
		next, err := tokens.TryLock(t.Context(), 30*time.Second)
		require.NoError(t, err)
		require.NotNil(t, next, "after a jump of %v", d)
		require.NoError(t, j.Renew(t.Context(), "holder", 30*time.Second))
		alive, err = j.Alive(t.Context(), "holder")
		require.NoError(t, err)
		require.True(t, alive, "a holder that is there renews its lease")
		unlock()
		again, err := tokens.TryLock(t.Context(), 30*time.Second)
		require.NoError(t, err)
		require.Nil(t, again, "the old holder's unlock does nothing")
		next()
	}
}
