package wallet

import (
	"context"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// Bounds of what is believed of heads.
const (
	lifetime     = 150 // blocks for which a blockhash is good
	margin       = 32  // further blocks that must have passed: the depth at which no fork is left
	maxLag       = 150 // slots that a node may lag: one that lags more is not asked by anyone
	headSlack    = 16  // slots by which a head may run ahead of the clock
	headRefusals = 5   // heads in a row that contradict the old one and agree with each other
	headTimeout  = 5 * time.Second
	farEnd       = lifetime + 64 // blocks after the head at signing: no blockhash ends later
)

// heads believes a head only if it goes with the clock and with earlier ones: a
// node may lag, answer the slot for the height, or garble.
type heads struct {
	read     func(ctx context.Context) (Head, error)
	slotTime time.Duration
	clock    walletfi.Clock

	asking chan struct{} // full while a question is under way

	mu       sync.Mutex
	last     sample
	rejected []sample // since last, each in line with the one before
}

// sample is a head and when it was told.
type sample struct {
	Head
	at time.Time
}

// headSource returns how to ask for a head, nil if no source tells any. A
// source of heights alone tells no slot, so that nothing is proven with it.
func headSource(sources ...any) func(context.Context) (Head, error) {
	for _, s := range sources {
		if r, ok := s.(walletfi.HeadReader); ok {
			return func(ctx context.Context) (h Head, err error) {
				h.Slot, h.Height, err = r.Head(ctx)
				return h, err
			}
		}
	}
	for _, s := range sources {
		if r, ok := s.(walletfi.BlockHeighter); ok {
			return func(ctx context.Context) (h Head, err error) {
				h.Height, err = r.BlockHeight(ctx)
				return h, err
			}
		}
	}
	return nil
}

// fresh returns a head that is at most age old: one that is believed, or what a
// node tells now, which proves nothing yet. Callers that come together share a
// question.
func (h *heads) fresh(ctx context.Context, age time.Duration) (Head, error) {
	if s := h.latest(); h.young(s, age) {
		return s.Head, nil
	}
	select {
	case h.asking <- struct{}{}:
	case <-ctx.Done():
		return Head{}, ctx.Err()
	}
	defer func() { <-h.asking }()
	if s := h.latest(); h.young(s, age) {
		return s.Head, nil
	}
	ctx, cancel := context.WithTimeout(ctx, headTimeout)
	defer cancel()
	told, err := h.read(ctx)
	if err != nil {
		return Head{}, err
	}
	h.learn(told)
	return told, nil
}

// young reports whether s is at most age old. One from the future, before the clock was
// set back, may be of any age.
func (h *heads) young(s sample, age time.Duration) bool {
	old := clock.Since(h.clock, s.at)
	return 0 <= old && old <= age && s.Height > 0
}

func (h *heads) latest() sample {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}

// learn takes a head that a node told.
func (h *heads) learn(told Head) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := sample{told, clock.Now(h.clock)}
	switch {
	case h.last.at.IsZero() || h.follows(h.last, s):
		h.last, h.rejected = s, nil
	case lags(h.last.Head, told):
		// A node that lags says nothing against the one that does not.
	default:
		if n := len(h.rejected); n > 0 && !h.follows(h.rejected[n-1], s) {
			h.rejected = nil
		}
		if h.rejected = append(h.rejected, s); len(h.rejected) >= headRefusals {
			h.last, h.rejected = s, nil // it was the old one that was wrong
		}
	}
}

// lags reports a head that an earlier moment of the same chain may have had.
func lags(last, told Head) bool {
	return told.Slot <= last.Slot && told.Height <= last.Height && last.Height-told.Height <= last.Slot-told.Slot
}

// follows reports whether b can be the head some time after a: no more blocks
// than slots, and no more slots than the time allows.
func (h *heads) follows(a, b sample) bool {
	if b.Height < a.Height || b.Slot < a.Slot {
		return false
	}
	blocks, slots := b.Height-a.Height, b.Slot-a.Slot
	if a.Slot == 0 && b.Slot == 0 {
		slots = blocks // a source of heights alone
	}
	return blocks <= slots && slots <= h.most(b.at.Sub(a.at))
}

// most is the most slots that go by in d.
func (h *heads) most(d time.Duration) uint64 {
	if d < 0 {
		return 0
	}
	return uint64(d/(h.slotTime*7/8)) + headSlack
}

// expected is the height to be expected now, 0 if nothing is known.
func (h *heads) expected() uint64 {
	s := h.latest()
	if s.at.IsZero() {
		return 0
	}
	return s.Height + uint64(clock.Since(h.clock, s.at)/h.slotTime)
}
