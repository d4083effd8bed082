package wallet

import (
	"context"
	"fmt"
	"time"
)

// A key whose outcome stays unknown is looked at again after a part of the time for which
// it has been looked at. A look waits for news for a while, and what it has learnt is in
// the journal for the next.
const (
	pausePart = 20
	maxPause  = 10 * time.Minute
	look      = 25 * time.Second
)

// pause is when what stays unknown is looked at again.
type pause struct {
	since, next time.Time
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
		patience := look
		if p.since.IsZero() {
			p.since, patience = now, 0
		}
		if f := w.adopt(ctx, e, patience); f != nil {
			p.next = now.Add(look + min(max(now.Sub(p.since)/pausePart, w.lease/3), maxPause))
		}
		open[e.Key] = p
	}
	return open
}
