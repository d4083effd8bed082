package sandbox

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Now returns the sandbox's time.
func (s *Sandbox) Now() time.Time {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.Now()
}

// Advance moves the sandbox's clock forward by d. Events that fall due on the
// way (the end of a cooldown, a webhook's next attempt, a step of an order)
// happen in order, each at its own time. Advance waits for deliveries that are
// in flight or become due, for at most a second of real time each, so that a
// refused delivery is tried again within the same call. It does not wait for the
// clients whose timers fall due: see [Sandbox.AdvanceUntil].
func (s *Sandbox) Advance(d time.Duration) { s.world.Advance(d) }

// Options returns the options for the Config of a client. Their Clock is the
// sandbox's, also for the wallet and the node: what they wait for then happens when
// the sandbox's clock is moved. After Close it stands. Their Deployment is that of
// [play.Config.Deployment]; with one, [Sandbox.URL] has paths of its own.
func (s *Sandbox) Options() walletfi.Options {
	live := s.world.Config.Deployment
	return walletfi.Options{Clock: clientClock{s.world.Core}, Deployment: live, OwnRoutes: live != nil}
}

// AdvanceUntil runs a program that waits on the clock of [Sandbox.Options] as fast as
// it can: it moves the clock to whatever its clients wait for next (with nothing to wait
// for, to the next event of the sandbox), lets them do what they can, and so on until done
// reports true. So a bot's ten days of limits, backoff, polls and confirmations take
// as long as its requests do:
//
//	ended := make(chan error, 1)
//	go func() { ended <- bot.Run(ctx) }()
//	err := s.AdvanceUntil(ctx, 10*24*time.Hour, func() bool { return len(ended) > 0 })
//
// done must not block. The error is not nil if the clock was moved by most and done
// does not hold, and if ctx ends. Between two steps AdvanceUntil waits until the
// program has no request under way and, as far as the Go runtime tells, no goroutine
// that could run; in a program that is never at rest, 250 ms of real time, for a request
// that is not answered, a second, and for a slow disk, 30 seconds. The pauses of
// clients are drawn by the seed and the time, so that a program which does one thing at
// a time runs the same way each time, unless the machine starves it for longer than
// that. What else a program does in real time, such as calls of other servers,
// AdvanceUntil does not see.
func (s *Sandbox) AdvanceUntil(ctx context.Context, most time.Duration, done func() bool) error {
	return s.world.AdvanceUntil(ctx, most, done)
}

// clientClock is a sandbox's clock as clients take it.
type clientClock struct{ core *kit.Core }

func (c clientClock) Now() time.Time { return c.core.ClientNow() }

func (c clientClock) Work(calls int) { c.core.ClientWorks(calls) }

func (c clientClock) Draw(bound time.Duration) time.Duration { return c.core.ClientDraws(bound) }

func (c clientClock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return c.core.ClientAfter(d, f)
}
