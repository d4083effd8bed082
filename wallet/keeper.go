package wallet

import (
	"context"
	"fmt"
	"time"
)

// A key whose outcome stays unknown is looked at again after a part of the time for which
// it has been looked at. A look waits for news for a while, and what it has found is in
// the journal for the next.
const (
	pausePart = 20
	maxPause  = 10 * time.Minute
	look      = 25 * time.Second
)

// pause is when what stays unknown is looked at again: sooner if an Execute of the same
// key cut the last look short.
type pause struct {
	since, next time.Time
	last        *follower
}

// keep renews the lease and takes up what is left, until Close.
func (w *Wallet) keep() error {
	if err := w.journal.Renew(context.Background(), w.holder, w.lease); err != nil {
		return fmt.Errorf("the journal: %w", err)
	}
	w.spend.follow()
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
		if w.works(e.Key) || before && now.Before(p.next) && !p.last.cutShort() {
			open[e.Key] = p
			continue
		}
		patience := look
		if p.since.IsZero() {
			p.since, patience = now, 0
		}
		if f := w.adopt(ctx, e, patience); f != nil {
			p.next, p.last = now.Add(look+min(max(now.Sub(p.since)/pausePart, w.lease/3), maxPause)), f
			w.hasTaken(e.Key, f)
		}
		open[e.Key] = p
	}
	return open
}

// mostTaken bounds the keys that wait for a Settle. Of more, the journal alone says what became
// of them.
const mostTaken = 4096

// hasTaken keeps what was taken up in the background for the next Settle.
func (w *Wallet) hasTaken(key string, f *follower) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.taken[key]; known || len(w.taken) < mostTaken {
		w.taken[key] = f
	}
}

// takenUp returns what was taken up in the background since the last Settle, by key.
func (w *Wallet) takenUp() map[string]*follower {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.taken
	w.taken = map[string]*follower{}
	return taken
}

// begin makes this process's Execute the only one that works on key. What
// follows the key in the background makes way.
func (w *Wallet) begin(ctx context.Context, key string) (free func(), err error) {
	for {
		free, ok := w.occupy(key, nil)
		if ok {
			return free, nil
		}
		if w.isClosed() {
			return nil, notSent(errClosed)
		}
		f := w.followerOf(key)
		if f == nil {
			if !w.works(key) {
				continue // it has just ended
			}
			return nil, &UnsettledError{Running: true}
		}
		f.stop(errInterrupted)
		if err := f.done.Wait(ctx); err != nil {
			return nil, notSent(err)
		}
	}
}

// occupy marks key as worked on, by f or, if that is nil, by an Execute.
func (w *Wallet) occupy(key string, f *follower) (free func(), ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, taken := w.running[key]; taken || w.closed {
		return nil, false
	}
	w.running[key] = f
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.running, key)
	}, true
}

// works reports whether this wallet works on key.
func (w *Wallet) works(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, taken := w.running[key]
	return taken
}

// followerOf returns what follows key, nil if nothing or an Execute does.
func (w *Wallet) followerOf(key string) *follower {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.running[key]
}

func (w *Wallet) isClosed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}
