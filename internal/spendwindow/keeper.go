package spendwindow

import (
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
)

// Margin is how far a Keeper's time may be from that of the newest finalized block.
const Margin = 2 * time.Minute

// Keeper is the time by which windows free what has landed. It moves by the monotonic clock from
// where it had come when it was stored, never back, and never past the newest finalized block's
// time and a margin: without nodes it stops, and no window frees.
type Keeper struct {
	clock walletfi.Clock

	mu     sync.Mutex
	began  time.Time // the clock's reading to which base belongs
	base   time.Time
	final  time.Time // of the newest finalized block, zero until it is known
	latest time.Time // that was told
}

// NewKeeper returns a Keeper that goes on from a time that was stored, zero if none was.
func NewKeeper(clock walletfi.Clock, stored time.Time) *Keeper {
	now := walletfi.Now(clock)
	return &Keeper{clock: clock, began: now, base: now.Round(0), latest: stored}
}

func (k *Keeper) local() time.Time { return k.base.Add(walletfi.Now(k.clock).Sub(k.began)) }

// Now is the time.
func (k *Keeper) Now() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.local()
	if limit := k.final.Add(Margin); now.After(limit) {
		now = limit
	}
	if now.After(k.latest) {
		k.latest = now
	}
	return k.latest.UTC()
}

// Learn takes in the time of a finalized block. It reports a jump: the process's clock and
// the ledger's are further apart than the margin, although the ledger moves.
func (k *Keeper) Learn(final time.Time) (apart time.Duration, jumped bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !final.After(k.final) {
		return 0, false // the ledger stands still, which only delays
	}
	k.final = final
	apart = k.local().Sub(final)
	ahead := k.latest.Sub(final)
	return max(apart, ahead), apart > Margin || apart < -Margin || ahead > Margin
}

// Ages is from when on a debit ages whose transaction is final now. The margin makes up for
// that by which the keeper's time may be ahead of the ledger's when the window ends.
func (k *Keeper) Ages() time.Time {
	now := k.Now()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.final.After(now) {
		now = k.final
	}
	return now.Add(Margin).UTC()
}

// Reach moves the time on to one that another process has told.
func (k *Keeper) Reach(told time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if told.After(k.latest) {
		k.latest = told
	}
}
