package rpcnode

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
)

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
