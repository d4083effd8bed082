package sandbox

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Now returns the sandbox's time.
func (s *Sandbox) Now() time.Time { return kit.Under(s.world(), s.world().Now) }

// Advance moves the sandbox's clock forward by d. Events that fall due on the
// way (the end of a cooldown, a webhook's next attempt, a step of an order)
// happen in order, each at its own time. Advance waits for deliveries that are
// in flight or become due, for at most a second of real time each, so that a
// refused delivery is tried again within the same call. It does not wait for the
// clients whose timers fall due: see [Sandbox.AdvanceUntil].
func (s *Sandbox) Advance(d time.Duration) { s.world().Advance(d) }

// Options returns the options for the Config of a client. Their Clock is the
// sandbox's, also for the wallet and the node: what they wait for then happens when
// the sandbox's clock is moved. After Close it stops. Their Deployment is that of
// [play.Config.Deployment]; with one, [Sandbox.URL] has paths of its own.
func (s *Sandbox) Options() walletfi.Options {
	w := s.world()
	live := kit.Under(w, func() *deployment.Deployment { return w.Config.Deployment })
	return walletfi.Options{Clock: clientClock{w.Core}, Deployment: live, OwnRoutes: live != nil}
}

// AdvanceUntil runs a program that waits on the clock of [Sandbox.Options] as fast as
// it can: it moves the clock to whatever its clients wait for next (with nothing to wait
// for, to the next event of the sandbox), lets them do what they can, and so on until done
// reports true. So a bot's ten days of limits, backoff, polls and confirmations take
// as long as its requests do:
//
//	ended := make(chan error, 1)
//	walletfi.Go(ctx, s.Options().Clock, func(ctx context.Context) { ended <- bot.Run(ctx) })
//	err := s.AdvanceUntil(ctx, 10*24*time.Hour, func() bool { return len(ended) > 0 })
//
// done must not block. The error is not nil if the clock was moved by most and done
// does not hold, and if ctx ends.
//
// The clock is still while somebody is at work, however slow the machine is: a call of a
// client on this clock, a function that was given to its AfterFunc, a request that the
// sandbox answers, a webhook that it delivers, and a goroutine of the program's own that
// was started with [walletfi.Go]. If they neither end nor wait for the clock for 30
// seconds of real time, AdvanceUntil returns an error that names them. Of a goroutine that
// was not started with Go, only the calls are seen: in a program that has none started
// with it, the clock waits for 20 ms of real time after each of them. So it does after
// each step that wrote to a feed, since the reading is not seen.
//
// The pauses of clients are drawn by the seed and the time, so that a program which does
// one thing at a time runs the same way each time.
func (s *Sandbox) AdvanceUntil(ctx context.Context, most time.Duration, done func() bool) error {
	return s.world().AdvanceUntil(ctx, most, done)
}

// clientClock is a sandbox's clock as clients take it.
type clientClock struct{ core *kit.Core }

func (c clientClock) Now() time.Time { return c.core.ClientNow() }

func (c clientClock) Work(what string, more int) { c.core.ClientWorks(what, more) }

func (c clientClock) Draw(bound time.Duration) time.Duration { return c.core.ClientDraws(bound) }

func (c clientClock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return c.core.ClientAfter(d, f)
}
