package bearer

import (
	"context"
	"errors"
	"time"

	"github.com/walletfi/walletfi-go/internal/pause"
)

// errLocked is the error of a renewal that waited in vain for another's. That one's
// lock ends after RefreshTimeout at the latest, so that a later call gets through.
var errLocked = errors.New("another process is refreshing the token and has not stored it yet")

// lock takes the right to refresh cred. If another process has it, lock reads the
// store until that has saved a token, or has let go, or is past its lease. If the
// store then has a token that is good, unlock is nil. It is nil with an error, too.
//
// A lock that is lost meanwhile does no harm: of two refreshes at once, the second
// to finish finds that the first has replaced the token, or the service refuses it.
//
// The place is left while another process is waited for, and taken again before the
// next attempt: who has the right to refresh has a place, and never waits for one, so
// that its lease does not run out meanwhile.
func (b *Tokens) lock(ctx context.Context, cred *credential, place *place) (
	newest *credential, unlock func(), err error,
) {
	deadline, limited := ctx.Deadline()
	for {
		unlock, err := b.cfg.Store.TryLock(ctx, b.cfg.RefreshTimeout)
		if err != nil {
			return nil, nil, storeFailure("lock", err)
		}
		release := func() {
			if unlock != nil {
				unlock()
			}
		}
		// Read after the lock, too: its last holder may have saved a moment ago.
		if newest, err = b.reload(ctx, cred); err != nil {
			release()
			return nil, nil, err
		}
		if newest != cred {
			cred = newest
			if !cred.due(b.cfg.Now()) {
				release()
				return cred, nil, nil
			}
			if err := b.mayRefresh(cred); err != nil {
				release()
				return nil, nil, err
			}
		}
		if unlock != nil {
			return cred, unlock, nil
		}
		if limited && time.Until(deadline) <= lockPoll {
			return nil, nil, b.fail(cred, errLocked)
		}
		place.leave()
		_ = pause.For(ctx, lockPoll) // enter looks at ctx
		if place.enter(ctx) != nil {
			return nil, nil, b.fail(cred, errLocked)
		}
	}
}
