package webhooks

import (
	"context"
	"sync"
	"time"
)

// Seen remembers which deliveries were handled, across restarts where it keeps
// them on disk or in a database. A delivery is committed only after its handler
// succeeded: a process that dies between the two handles it again. It must be
// safe for concurrent use; each call has ten seconds.
type Seen interface {
	// Seen reports whether key was committed.
	Seen(ctx context.Context, key string) (bool, error)
	// Commit remembers key, at least until then. It must not return before that
	// would survive what the store is to survive. A key is text without a bound
	// on its length, and may be committed again.
	Commit(ctx context.Context, key string, until time.Time) error
}

// MemorySeen is a Seen that is lost with the process. The zero value is ready.
// It holds at most twice what has not expired, some 200 bytes a delivery.
type MemorySeen struct {
	// Now is the clock. Nil means time.Now. Not to be changed in use.
	Now func() time.Time

	mu    sync.Mutex
	until map[string]time.Time
	sweep int // how many there may be before what has expired is dropped
}

// leastSweep is how many keys are never worth a sweep.
const leastSweep = 1024

// Seen reports whether key was committed and has not expired.
func (s *MemorySeen) Seen(_ context.Context, key string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	until, ok := s.until[key]
	return ok && s.now().Before(until), nil
}

// Commit remembers key until then.
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
