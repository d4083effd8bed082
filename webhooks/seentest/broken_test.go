package seentest_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/webhooks"
	"github.com/walletfi/walletfi-go/webhooks/seentest"
)

// shared is a good store with transactions, of which each broken one changes
// something: keys that are marked are locked until their transaction ends.
type shared struct {
	webhooks.MemorySeen
	mu     sync.Mutex
	locked map[string]*sync.Mutex
}

func (s *shared) lock(key string) *sync.Mutex {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.locked == nil {
		s.locked = map[string]*sync.Mutex{}
	}
	if s.locked[key] == nil {
		s.locked[key] = &sync.Mutex{}
	}
	return s.locked[key]
}

type tx struct {
	seen   webhooks.Seen
	lock   func(key string) *sync.Mutex
	key    string
	until  time.Time
	held   *sync.Mutex
	blind  bool // does not look whether the key is there
	silent bool // does not call Marked
	early  bool // commits at once
}

func (x *tx) Mark(d *webhooks.Delivery) error {
	x.key, x.until = d.Key(), time.Now().Add(2*time.Hour)
	if x.lock != nil {
		x.held = x.lock(x.key)
		x.held.Lock()
	}
	seen, err := x.seen.Seen(context.Background(), x.key)
	if err != nil {
		return err
	}
	if seen && !x.blind {
		return webhooks.ErrSeen
	}
	if !x.silent {
		d.Marked()
	}
	if x.early {
		return x.seen.Commit(context.Background(), x.key, x.until)
	}
	_ = pause.For(context.Background(), 2*time.Millisecond) // until the others are between the two steps
	return nil
}

func (x *tx) end() {
	if x.held != nil {
		x.held.Unlock()
		x.held = nil
	}
}

func (x *tx) Commit() error {
	defer x.end()
	return x.seen.Commit(context.Background(), x.key, x.until)
}

func (x *tx) Rollback() error { x.end(); return nil }

// changed is a Seen that is given other keys and times.
type changed struct {
	good  webhooks.Seen
	key   func(string) string
	until func(time.Time) time.Time
}

func (c changed) Seen(ctx context.Context, key string) (bool, error) {
	return c.good.Seen(ctx, c.key(key))
}

func (c changed) Commit(ctx context.Context, key string, until time.Time) error {
	return c.good.Commit(ctx, c.key(key), c.until(until))
}

// latest remembers of each key the time that was given last.
type latest struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (l *latest) Commit(_ context.Context, key string, until time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.until[key] = until
	return nil
}

func (l *latest) Seen(_ context.Context, key string) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Now().Before(l.until[key]), nil
}

func sameKey(key string) string       { return key }
func sameTime(at time.Time) time.Time { return at }

// store wraps a good store and its transactions.
func store(wrap func(*shared) webhooks.Seen, change func(*tx)) func(t *testing.T) seentest.Store {
	return func(*testing.T) seentest.Store {
		s := &shared{}
		seen := wrap(s)
		return seentest.Store{
			Open:   func(*testing.T) webhooks.Seen { return seen },
			Reopen: func(*testing.T) webhooks.Seen { return seen },
			Begin: func(*testing.T, webhooks.Seen) seentest.Tx {
				x := &tx{seen: s, lock: s.lock}
				change(x)
				return x
			},
		}
	}
}

func good(s *shared) webhooks.Seen { return s }

func noChange(*tx) {}

func broken() map[string]func(t *testing.T) seentest.Store {
	keys := func(key func(string) string) func(t *testing.T) seentest.Store {
		return store(func(s *shared) webhooks.Seen { return changed{s, key, sameTime} }, noChange)
	}
	return map[string]func(t *testing.T) seentest.Store{
		"case is ignored":   keys(strings.ToLower),
		"long keys are cut": keys(func(key string) string { return key[:min(300, len(key))] }),
		"a zero byte ends":  keys(func(key string) string { return strings.Split(key, "\x00")[0] }),
		"spaces are cut":    keys(strings.TrimSpace),
		"a commit shortens": store(func(*shared) webhooks.Seen { return &latest{until: map[string]time.Time{}} }, noChange),
		"it is kept for a minute": store(func(s *shared) webhooks.Seen {
			return changed{s, sameKey, func(until time.Time) time.Time { return until.Add(-2 * time.Hour) }}
		}, noChange),
		"it is kept for ever": store(func(s *shared) webhooks.Seen {
			return changed{s, sameKey, func(time.Time) time.Time { return time.Now().Add(24 * time.Hour) }}
		}, noChange),
		"it forgets on a restart": func(*testing.T) seentest.Store {
			open := func(*testing.T) webhooks.Seen { return &webhooks.MemorySeen{} }
			return seentest.Store{Open: open, Reopen: open, Single: true}
		},
		"processes share nothing": func(*testing.T) seentest.Store {
			return seentest.Store{Open: func(*testing.T) webhooks.Seen { return &webhooks.MemorySeen{} }}
		},
		"a mark is not looked up":     store(good, func(x *tx) { x.blind = true }),
		"a mark is not told":          store(good, func(x *tx) { x.silent = true }),
		"a mark is committed at once": store(good, func(x *tx) { x.early = true }),
		"marks do not exclude":        store(good, func(x *tx) { x.lock = nil }),
	}
}

// TestBrokenStores: the suite fails for each store that is broken in one way.
func TestBrokenStores(t *testing.T) {
	wiretest.Broken(t, 13, broken(), seentest.Run)
}

// TestGoodStore: the same store unchanged passes.
func TestGoodStore(t *testing.T) { seentest.Run(t, store(good, noChange)) }

// TestMemorySeen is one process's.
func TestMemorySeen(t *testing.T) {
	seentest.Run(t, func(*testing.T) seentest.Store {
		return seentest.Store{Single: true, Open: func(*testing.T) webhooks.Seen { return &webhooks.MemorySeen{} }}
	})
}
