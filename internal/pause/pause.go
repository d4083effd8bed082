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

// Bound is the longest wait before repeat n, counted from 0: it starts at least and
// doubles with each n up to most.
func Bound(least, most time.Duration, n int) time.Duration {
	bound := min(least, most)
	for range n {
		if bound > most/2 {
			bound = most
			break
		}
		bound *= 2
	}
	return bound
}
