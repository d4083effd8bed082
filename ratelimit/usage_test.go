package ratelimit_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// A request counts while it is under way, and for a window after its answer; one
// that was not sent counts no more.
func TestUsage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		minute, hour := ratelimit.Budget{Requests: 3, Per: time.Minute}, ratelimit.Budget{Requests: 9, Per: time.Hour}
		l := ratelimit.New(minute, hour)
		used := func(ofMinute, ofHour int) {
			t.Helper()
			require.Equal(t, []ratelimit.Usage{{Budget: minute, Used: ofMinute}, {Budget: hour, Used: ofHour}}, l.Usage())
		}
		used(0, 0)
		answered, err := l.Permit(t.Context(), 0)
		require.NoError(t, err)
		unsent, err := l.Permit(t.Context(), 0)
		require.NoError(t, err)
		used(2, 2)
		answered(t.Context(), true)
		unsent(t.Context(), false)
		used(1, 1)
		<-time.After(61 * time.Second)
		used(0, 1)
		require.Nil(t, ratelimit.New().Usage())
	})
}

func TestErrorText(t *testing.T) {
	reset := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	refused := &ratelimit.Error{ResetAt: reset}
	assert.EqualError(t, refused, "rate limited by the client's own budget until 2026-01-02T03:04:05Z")
	assert.EqualError(t, &ratelimit.Error{Class: "read", ResetAt: reset}, "rate limited by the client's own budget (read) until 2026-01-02T03:04:05Z")
	assert.ErrorIs(t, refused, ratelimit.ErrLimited)
}
