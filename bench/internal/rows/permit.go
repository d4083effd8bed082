package rows

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/time/rate"

	"github.com/walletfi/walletfi-go/bench/internal/turns"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func permits() (all []Row) {
	for _, goroutines := range []int{1, 8, 64} {
		all = append(all, Row{
			Group: "Limits", Name: fmt.Sprintf("permit, %d goroutines", goroutines), Unit: "x x/time/rate", Goal: 1, Bound: 1.5,
			Why: "Ours is exact over any window and hands out a slot that is given back; a token bucket does neither. " +
				"Both are one lock and one look at the clock.",
			Measure: func(e Effort) (Figure, error) { return permit(e, goroutines) },
		})
	}
	return all
}

func permit(e Effort, goroutines int) (Figure, error) {
	ctx := context.Background()
	ours, theirs := ratelimit.New(ratelimit.Budget{Requests: 1 << 40, Per: time.Minute}), rate.NewLimiter(1<<40, 1<<40)
	plan := e.plan()
	plan.Clock = turns.Wall
	return overSecond(turns.Run(plan,
		turns.Contender{Name: "walletfi", Work: concurrently(goroutines, func() error {
			done, err := ours.Permit(ctx, time.Minute)
			if err != nil {
				return err
			}
			return done(ctx, true)
		})},
		turns.Contender{Name: "x/time/rate", Work: concurrently(goroutines, func() error { return theirs.Wait(ctx) })},
	))
}
