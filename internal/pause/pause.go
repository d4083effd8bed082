// Package pause waits without outliving a context.
package pause

import (
	"context"
	"math/rand/v2"
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

// Jitter draws the wait before repeat n, counted from 0: evenly from 0 to a
// bound that starts at least and doubles with each n up to most. Clients that
// failed together do not come back together.
func Jitter(least, most time.Duration, n int) time.Duration {
	bound := min(least, most)
	for range n {
		if bound > most/2 {
			bound = most
			break
		}
		bound *= 2
	}
	return rand.N(bound + 1)
}
