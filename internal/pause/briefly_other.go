//go:build !linux

package pause

import (
	"context"
	"time"
)

// Briefly waits for d, which is short.
func Briefly(ctx context.Context, d time.Duration) error { return For(ctx, d) }
