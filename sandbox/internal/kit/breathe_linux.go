package kit

import (
	"context"
	"syscall"
	"time"
)

// breathe lets other goroutines run for d. The runtime's own timers take a
// millisecond at least on some machines, and a long run has thousands of steps.
func breathe(ctx context.Context, d time.Duration) error {
	rest := syscall.NsecToTimespec(d.Nanoseconds())
	_ = syscall.Nanosleep(&rest, nil) // a signal may cut it short
	return ctx.Err()
}
