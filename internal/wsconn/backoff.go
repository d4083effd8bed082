package wsconn

import (
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// backoff draws the waits between connections with full jitter, so that the
// clients of a service that restarts do not come back in step.
type backoff struct {
	min, max time.Duration
	bound    time.Duration // of the last wait, 0 before the first
	clock    walletfi.Clock
}

// next returns the wait after a connection that lived so long, 0 if there
// was none. Only one that outlived the last bound counts as a success: a
// service that accepts and drops at once is not hammered.
func (b *backoff) next(lived time.Duration) time.Duration {
	switch {
	case b.bound == 0 || lived > b.bound:
		b.bound = b.min
	default:
		b.bound = min(2*b.bound, b.max)
	}
	return clock.Draw(b.clock, b.bound)
}
