package signer

import (
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
)

// margin is how far the signer's time may be from that of the newest finalized block.
const margin = 2 * time.Minute

// timekeeper is the signer's time. It moves by the monotonic clock from where the store had
// come, never back, and never past the newest finalized block's time and a margin: without
// nodes it stops, and no window frees.
type timekeeper struct {
	clock walletfi.Clock

	mu     sync.Mutex
	began  time.Time // the clock's reading to which base belongs
	base   time.Time
	final  time.Time // of the newest finalized block, zero until it is known
	latest time.Time // that was told
}

func newTimekeeper(clock walletfi.Clock, stored time.Time) *timekeeper {
	now := walletfi.Now(clock)
	return &timekeeper{clock: clock, began: now, base: now.Round(0), latest: stored}
}

func (k *timekeeper) local() time.Time { return k.base.Add(walletfi.Now(k.clock).Sub(k.began)) }

// now is the signer's time.
func (k *timekeeper) now() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.local()
	if limit := k.final.Add(margin); now.After(limit) {
		now = limit
	}
	if now.After(k.latest) {
		k.latest = now
	}
	return k.latest.UTC()
}

// learn takes in the time of a finalized block. It reports a jump: the process's clock and
// the ledger's are further apart than the margin, although the ledger moves.
func (k *timekeeper) learn(final time.Time) (apart time.Duration, jumped bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !final.After(k.final) {
		return 0, false // the ledger stands still, which only delays
	}
	k.final = final
	apart = k.local().Sub(final)
	ahead := k.latest.Sub(final)
	return max(apart, ahead), apart > margin || apart < -margin || ahead > margin
}

// ages is from when on a debit ages whose transaction is final now. The margin makes up for
// that by which the signer's time may be ahead of the ledger's when the window ends.
func (k *timekeeper) ages() time.Time {
	now := k.now()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.final.After(now) {
		now = k.final
	}
	return now.Add(margin).UTC()
}
