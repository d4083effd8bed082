package rpcnode

import (
	"context"
	"errors"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// maxQueue bounds the wait for a slot if ctx has no deadline.
const maxQueue = 2 * time.Minute

// errNoSlot is a limiter that returned neither a slot nor an error.
var errNoSlot = errors.New("it returned neither a slot nor an error")

// admit takes a slot of the node's limit. What asks goes before what sends: a
// status that is late costs further sends.
func (w *wire) admit(
	ctx context.Context, method string,
) (done func(context.Context, bool) error, waited time.Duration, err error) {
	begun := time.Now()
	if err := w.held.wait(ctx, w.clock); err != nil {
		return nil, time.Since(begun), w.refusal(ctx, method, walletfi.ErrRateLimited, err)
	}
	if w.limit == nil {
		return func(context.Context, bool) error { return nil }, time.Since(begun), nil
	}
	queued := ctx
	if method != "sendTransaction" {
		queued = ratelimit.WithUrgent(ctx)
		w.reads.add(clock.Now(w.clock), max(1, w.costs[method]))
	}
	queued, span := observing.Start(queued, w.observer, observe.LimiterWait{Service: service, Op: method})
	err = observing.Through(span, func() error {
		done, err = w.permits(queued, max(1, w.costs[method]))
		waited = time.Since(begun)
		return err
	}, func(err error) observe.LimiterWaitEnd { return observe.LimiterWaitEnd{Waited: waited, Err: err} })
	kind := walletfi.ErrRateLimited
	switch {
	case err == nil && done != nil:
		return done, waited, nil
	case !errors.Is(err, walletfi.ErrRateLimited) && ctx.Err() == nil:
		kind = nil // the limiter's error says it
		if err == nil {
			err = errNoSlot
		}
		err = &ratelimit.LimiterError{Service: "rpcnode", Cause: err}
	}
	return nil, waited, w.refusal(ctx, method, kind, err)
}

// refusal is the error of a call that was not let through.
func (w *wire) refusal(ctx context.Context, method string, kind, cause error) error {
	e := &callError{TransportError: walletfi.TransportError{
		Service: "rpcnode", Op: method, Method: http.MethodPost, Path: "/", Kind: kind, Cause: cause,
	}, unsent: true, final: true}
	if ctx.Err() != nil {
		e.Kind = nil
	}
	return e
}

// permits takes as many slots as a call counts.
func (w *wire) permits(ctx context.Context, slots int) (done func(context.Context, bool) error, err error) {
	var all []func(context.Context, bool) error
	done = func(ctx context.Context, sent bool) error {
		var failed error
		for _, one := range all {
			failed = errors.Join(failed, one(ctx, sent))
		}
		return failed
	}
	for range slots {
		one, err := w.limit.Permit(ctx, maxQueue)
		if err != nil || one == nil {
			_ = done(ctx, false)
			return nil, err
		}
		all = append(all, one)
	}
	return done, nil
}

var (
	_ walletfi.SendBudget = (*Client)(nil)
	_ walletfi.SendBudget = (*Pool)(nil)
)

// leastSends is the part of a limit that is counted on for sends, however much is read.
const leastSends = 0.2

// SendRate returns how many transactions a second the node can be sent, next to what was read of
// it lately: by the Limiter's budgets, and by the node's own words if it has had too many
// requests. It is 0 if neither says.
func (c *Client) SendRate() float64 { return c.wire.sendRate() }

func (w *wire) sendRate() float64 {
	most := w.budget()
	if space := w.held.spacing(); space > 0 {
		most = min(most, 1/space.Seconds())
	}
	if math.IsInf(most, 1) {
		return 0
	}
	left := max(most-w.reads.rate(clock.Now(w.clock)), leastSends*most)
	return left / float64(max(1, w.costs["sendTransaction"]))
}

// budget is how many requests a second the Limiter allows, +Inf if it does not say.
func (w *wire) budget() float64 {
	limits, _ := w.limit.(interface{ Usage() []ratelimit.Usage })
	most := math.Inf(1)
	if limits != nil {
		for _, u := range limits.Usage() {
			most = min(most, float64(u.Requests)/u.Per.Seconds())
		}
	}
	return most
}

// meter is a rate that forgets.
type meter struct {
	mu sync.Mutex
	at time.Time
	a  float64 // a second, at that time
}

const meterLife = 10 * time.Second

func (m *meter) add(now time.Time, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.a, m.at = m.faded(now)+float64(n)/meterLife.Seconds(), now
}

func (m *meter) rate(now time.Time) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.faded(now)
}

// faded is the rate by now. The lock is held.
func (m *meter) faded(now time.Time) float64 {
	return m.a * math.Exp(-max(0, now.Sub(m.at)).Seconds()/meterLife.Seconds())
}

// SendRate returns how many transactions a second the nodes can be sent together, 0 if that is
// not known of one: see Client.SendRate.
func (p *Pool) SendRate() float64 {
	sum := 0.0
	for _, n := range p.cfg.Nodes {
		rate := n.SendRate()
		if rate == 0 {
			return 0
		}
		sum += rate
	}
	return sum / float64(min(p.cfg.SendTo, len(p.cfg.Nodes)))
}

// Bounds of how long a node is left alone that has had too many requests, and of the
// space between two calls from then on: it doubles with each such answer, and shrinks
// with each other one.
const (
	leastHold  = 500 * time.Millisecond
	mostHold   = time.Minute
	leastSpace = 50 * time.Millisecond
	mostSpace  = 2 * time.Second
	shrink     = 8 // the part by which it shrinks
)

// hold says when the node may be asked next.
type hold struct {
	mu    sync.Mutex
	until time.Time // the node is left alone
	last  time.Time // when it was asked last
	grew  time.Time // when the space last grew
	space time.Duration

	turn atwork.Lock // of who asks next
}

// heed spaces the calls as the node's answers ask for. All calls that were under way when
// it had too many count once.
func (h *hold) heed(c walletfi.Clock, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	refused, ok := errors.AsType[*Error](err)
	if !ok || !errors.Is(refused.Kind, walletfi.ErrRateLimited) {
		if h.space -= h.space / shrink; h.space < leastSpace {
			h.space = 0
		}
		return
	}
	now := clock.Now(c)
	if since := now.Sub(h.grew); since < 0 || since >= leastHold {
		h.space, h.grew = min(max(2*h.space, leastSpace), mostSpace), now
	}
	if until := now.Add(min(max(refused.RetryAfter, leastHold), mostHold)); until.After(h.until) {
		h.until = until
	}
}

// wait waits for a turn, until the node may be asked.
func (h *hold) wait(ctx context.Context, c walletfi.Clock) error {
	if err := h.turn.Lock(ctx); err != nil {
		return err
	}
	defer h.turn.Unlock()
	for {
		left := h.left(c)
		if left <= 0 {
			return nil
		}
		if err := clock.Wait(ctx, c, left); err != nil {
			return err
		}
	}
}

// left is how long the next call has to wait; if it has not, it is the last one. A clock that
// was set back does not make it longer than the node can ask for.
func (h *hold) left(c walletfi.Clock) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := clock.Now(c)
	next := h.last.Add(h.space)
	if next.Before(h.until) {
		next = h.until
	}
	if left := next.Sub(now); left > 0 && left <= 2*mostHold {
		return left
	}
	h.last = now
	return 0
}

func (h *hold) spacing() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.space
}
