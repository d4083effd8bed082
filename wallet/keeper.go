package wallet

import (
	"context"
	"fmt"
	"time"
)

// Pauses between two looks at a key whose outcome stays unknown, and how long each waits
// for news. What a look has learnt is in the journal for the next.
const (
	maxPause = 45 * time.Second
	look     = 25 * time.Second
)

// pause is when what stays unknown is looked at again.
type pause struct {
	next time.Time
	wait time.Duration
}

// keep renews the lease and takes up what is left, until Close.
func (w *Wallet) keep() error {
	if err := w.journal.Renew(context.Background(), w.holder, w.lease); err != nil {
		return fmt.Errorf("the journal: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	w.keeper.Go(func() {
		tick := time.NewTicker(w.lease / 3)
		defer tick.Stop()
		pauses := map[string]pause{}
		for {
			pauses = w.takeUp(ctx, pauses)
			w.tellUnsettled(ctx, true)
			select {
			case <-tick.C:
				_ = w.journal.Renew(ctx, w.holder, w.lease)
			case <-ctx.Done():
				return
			}
		}
	})
	return nil
}

// takeUp follows what is left, at growing pauses, and returns those of what is still
// open. What fails is tried at the next tick.
func (w *Wallet) takeUp(ctx context.Context, pauses map[string]pause) map[string]pause {
	open := map[string]pause{}
	now := time.Now()
	for e, err := range w.journal.List(ctx, Query{Open: true}) {
		if err != nil {
			return pauses
		}
		p, before := pauses[e.Key]
		if w.works(e.Key) || before && now.Before(p.next) {
			open[e.Key] = p
			continue
		}
		patience := time.Duration(0)
		if p.wait > 0 {
			patience = look
		}
		if f := w.adopt(ctx, e, patience); f != nil {
			p.wait = min(max(2*p.wait, w.lease/3), maxPause)
			p.next = now.Add(p.wait)
		}
		open[e.Key] = p
	}
	return open
}
