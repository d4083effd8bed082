package wallet

import (
	"context"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// Head is a block of the ledger by its slot and its height.
type Head = walletfi.Head

const headTimeout = 5 * time.Second

// heads are the newest confirmed heads, as one node tells them. They pace questions and
// keep what has ended from being signed; nothing is proven by them.
type heads struct {
	read  func(ctx context.Context) (Head, error)
	clock walletfi.Clock

	asking atwork.Lock // held while a question is under way

	mu   sync.Mutex
	last sample
}

// sample is a head and when it was told.
type sample struct {
	Head
	at time.Time
}

// headSource returns how to ask for a head, with its slot if the source tells it.
func headSource(source any) func(context.Context) (Head, error) {
	return func(ctx context.Context) (h Head, err error) {
		if r, ok := source.(walletfi.HeadReader); ok {
			h.Slot, h.Height, err = r.Head(ctx)
		} else {
			h.Height, err = source.(walletfi.BlockHeighter).BlockHeight(ctx)
		}
		return h, err
	}
}

// fresh returns a head that is at most age old. Callers that come together share a
// question.
func (h *heads) fresh(ctx context.Context, age time.Duration) (Head, error) {
	if err := h.asking.Lock(ctx); err != nil {
		return Head{}, err
	}
	defer h.asking.Unlock()
	if s := h.latest(); young(h.clock, s, age) {
		return s.Head, nil
	}
	ctx, cancel := context.WithTimeout(ctx, headTimeout)
	defer cancel()
	told, err := h.read(ctx)
	if err != nil {
		return Head{}, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = sample{told, clock.Now(h.clock)}
	return told, nil
}

// young reports whether s is at most age old. One from the future, before the clock was
// set back, may be of any age.
func young(c walletfi.Clock, s sample, age time.Duration) bool {
	old := clock.Since(c, s.at)
	return 0 <= old && old <= age && s.Height > 0
}

func (h *heads) latest() sample {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}
