package wallet

import "context"

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
		select {
		case <-f.done:
		case <-ctx.Done():
			return nil, notSent(ctx.Err())
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
