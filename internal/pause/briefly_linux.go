package pause

import (
	"context"
	"syscall"
	"time"
)

// Briefly waits for d, which is short, and looks at ctx only then. The runtime's own
// timers take a millisecond at least on some machines.
func Briefly(ctx context.Context, d time.Duration) error {
	rest := syscall.NsecToTimespec(d.Nanoseconds())
	_ = syscall.Nanosleep(&rest, nil) // a signal may cut it short
	return ctx.Err()
}
