package webhooks

import (
	"context"
	"sync"
	"time"
)

// Seen remembers which deliveries were handled, across restarts where it keeps
// them on disk or in a database. A delivery is committed only after its handler
// succeeded: a process that dies between the two handles it again.
type Seen interface {
	// Seen reports whether key was committed.
	Seen(ctx context.Context, key string) (bool, error)
	// Commit remembers key, at least until then.
	Commit(ctx context.Context, key string, until time.Time) error
}

// MemorySeen is a Seen that is lost with the process. The zero value is ready.
type MemorySeen struct {
	mu    sync.Mutex
	until map[string]time.Time
	swept time.Time
}

// sweepEvery is how often what has expired is dropped.
const sweepEvery = time.Minute

// Seen reports whether key was committed and has not expired.
func (s *MemorySeen) Seen(_ context.Context, key string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	until, ok := s.until[key]
	return ok && time.Now().Before(until), nil
}

// Commit remembers key until then.
func (s *MemorySeen) Commit(_ context.Context, key string, until time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.until == nil {
		s.until = map[string]time.Time{}
	}
	s.until[key] = until
	if now := time.Now(); now.Sub(s.swept) > sweepEvery {
		s.swept = now
		for k, u := range s.until {
			if now.After(u) {
				delete(s.until, k)
			}
		}
	}
	return nil
}
