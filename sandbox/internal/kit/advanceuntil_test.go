package kit

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestStuck: a clock that cannot move because somebody works says who.
func TestStuck(t *testing.T) {
	s, err := Open(play.Config{ManualClock: true})
	require.NoError(t, err)
	defer s.Close()
	s.patience = 10 * time.Millisecond
	s.ClientWorks(atwork.Joined, 2)
	s.ClientWorks("swap GetQuote", 1)
	never := func() bool { return false }
	from := s.ClientNow()
	err = s.AdvanceUntil(t.Context(), time.Hour, never)
	require.ErrorContains(t, err, "0 requests, 0 deliveries; 2 of a goroutine, 1 of swap GetQuote")
	require.Equal(t, from, s.ClientNow())
	s.ClientWorks("swap GetQuote", -1)
	s.ClientWorks(atwork.Joined, -2)
	require.ErrorContains(t, s.AdvanceUntil(t.Context(), time.Hour, never), "does not hold after 1h0m0s")
	require.Equal(t, time.Hour, s.ClientNow().Sub(from))
}
