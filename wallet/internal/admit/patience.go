package admit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Bounds of the wait for a limit of the client's own.
const (
	leastQueue = 100 * time.Millisecond // each time
	mostQueue  = 2 * time.Minute        // in all, if the caller waits for no set time
)

// Patiently asks what a payment cannot do without. If a limit of the client's own has no room within the
// bound of one question, it is asked again when the limit has, as long as the caller's time allows. That a
// question took too long by its own bound does not say that the caller's time is over.
func Patiently[T any](ctx context.Context, c walletfi.Clock, ask func() (T, error)) (T, error) {
	waiting := ctx
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		waiting, cancel = context.WithTimeout(ctx, mostQueue)
		defer cancel()
	}
	for {
		answer, err := ask()
		if limited, ok := errors.AsType[*ratelimit.Error](err); ok {
			wait := max(limited.ResetAt.Sub(clock.Now(c)), leastQueue)
			if !clock.Ends(waiting, c, wait) && clock.Wait(waiting, c, wait) == nil {
				continue
			}
		}
		if ctx.Err() == nil && peer.IsContext(err) {
			err = fmt.Errorf("%w: %v", walletfi.ErrUnavailable, err)
		}
		return answer, err
	}
}
