// Package pause waits without outliving a context.
package pause

import (
	"context"
	"time"
)

// For waits for d. It returns ctx's error at once if ctx ends before that.
func For(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
