package webhooks

import (
	"context"
	"sync"
	"time"
)

// Seen remembers which deliveries were handled; in a database, across restarts
// too. A delivery is committed after its handler succeeded: if the process dies
// between the two, the delivery is handled again. A Seen must be safe for
// concurrent use. Each call has ten seconds.
type Seen interface {
	// Seen reports whether key was committed.
	Seen(ctx context.Context, key string) (bool, error)
	// Commit remembers key at least until the given time. It must not return
	// before the key is stored durably. A key is text of any length, and may be
	// committed again.
	Commit(ctx context.Context, key string, until time.Time) error
}

// MemorySeen is a [Seen] in memory. The zero value is ready for use. It holds at
// most twice as many deliveries as have not expired, about 200 bytes each.
type MemorySeen struct {
	// Now is the clock. Nil means time.Now. Do not change it during use.
	Now func() time.Time

	mu    sync.Mutex
	until map[string]time.Time
	sweep int // how many keys there may be before expired ones are removed
}

// leastSweep is the least number of keys for which expired ones are removed.
const leastSweep = 1024

// Seen reports whether key was committed and has not expired.
func (s *MemorySeen) Seen(_ context.Context, key string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	until, ok := s.until[key]
	return ok && s.now().Before(until), nil
}

// Commit remembers key until the given time.
func (s *MemorySeen) Commit(_ context.Context, key string, until time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.until == nil {
		s.until, s.sweep = map[string]time.Time{}, leastSweep
	}
	if len(s.until) >= s.sweep {
		now := s.now()
		for k, u := range s.until {
			if !now.Before(u) {
				delete(s.until, k)
			}
		}
		s.sweep = max(leastSweep, 2*len(s.until))
	}
	s.until[key] = until
	return nil
}

func (s *MemorySeen) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}
