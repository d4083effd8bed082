package wsconn

import (
	"context"
	"errors"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
)

// Run connects, reads and reconnects until ctx ends, whose error it then
// returns, or until the service refuses the handshake for good: see
// HandshakeError. It waits for the Handler; when it returns, every goroutine
// that it started has ended. A Conn runs once.
func (c *Conn) Run(ctx context.Context) error {
	if c.started.Swap(true) {
		return errors.New("wsconn: Run was called before")
	}
	ctx = atwork.Keep(ctx, context.Background()) // a connection does not keep the clock from moving
	c.ctx = ctx
	waits := backoff{min: c.cfg.MinBackoff, max: c.cfg.MaxBackoff, clock: c.cfg.Clock}
	for {
		lived, err := c.connectOnce(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if c.final(err) {
			c.tellDown(err, 0)
			return err
		}
		wait := max(waits.next(lived), retryAfterOf(err))
		c.handler.Down(err, wait)
		c.tellDown(err, wait)
		if err := clock.Wait(ctx, c.cfg.Clock, wait); err != nil {
			return err
		}
	}
}

// connectOnce dials and reads until the connection is lost. It returns how
// long that lasted and why it ended.
func (c *Conn) connectOnce(ctx context.Context) (lived time.Duration, err error) {
	dialled := c.cfg.now()
	dialling, end := clock.Enter(ctx, c.cfg.Clock, c.cfg.Service+" connects")
	ws, wire, err := c.dial(dialling)
	end()
	if err != nil {
		return 0, err
	}
	c.everOnline = true
	start := time.Now()
	s := newSession(c, ws, wire, dialled)
	err = s.serve(ctx)
	if c.gap == nil {
		c.gap = &Gap{From: s.proven, Reason: err.Error()}
	}
	return time.Since(start), err
}

func (c *Conn) tellDown(err error, retryIn time.Duration) {
	observing.Tell(c.ctx, c.cfg.Observer, observe.FeedDisconnected{Service: c.cfg.Service, Err: err, RetryIn: retryIn})
}

// backoff draws the waits between connections with full jitter, so that the
// clients of a service that restarts do not come back in step.
type backoff struct {
	min, max time.Duration
	bound    time.Duration // of the last wait, 0 before the first
	clock    walletfi.Clock
}

// next returns the wait after a connection that lived so long, 0 if there
// was none. Only one that outlived the last bound counts as a success: a
// service that accepts and drops at once is not hammered.
func (b *backoff) next(lived time.Duration) time.Duration {
	switch {
	case b.bound == 0 || lived > b.bound:
		b.bound = b.min
	default:
		b.bound = min(2*b.bound, b.max)
	}
	return clock.Draw(b.clock, b.bound)
}
