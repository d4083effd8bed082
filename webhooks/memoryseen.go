package webhooks

import (
	"context"
	"crypto/sha256"
	"slices"
	"sync"
	"time"
)

// MemorySeen is a [Seen] in memory. The zero value is ready for use. It takes 20
// to 40 bytes a delivery, and remembers one for at most an eighth longer than
// asked. No call does more than a bounded piece of work under the lock.
//
// It keeps the first 16 bytes of a key's SHA-256. If Now has a monotonic reading,
// as time.Now has, a clock that is set does not matter.
type MemorySeen struct {
	// Now is the clock. Nil means time.Now. Do not change it during use.
	Now func() time.Time

	mu          sync.Mutex
	begun       time.Time // the first use, from which times are counted
	generations []*generation
}

// generation has the keys that may be forgotten at the same time, so that they are
// forgotten together, without a look at each.
type generation struct {
	end  time.Duration            // since begun; the keys expire at the latest then
	keys map[fingerprint]struct{} // which grows by tables of at most some 1,000 keys
}

// Seen reports whether key was committed and has not expired.
func (s *MemorySeen) Seen(_ context.Context, key string) (bool, error) {
	f := fingerprintOf(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.sinceBegun(s.now())
	for _, g := range s.generations {
		if _, ok := g.keys[f]; ok && now < g.end {
			return true, nil
		}
	}
	return false, nil
}

// Commit remembers key until the given time.
func (s *MemorySeen) Commit(_ context.Context, key string, until time.Time) error {
	f := fingerprintOf(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.sinceBegun(s.now())
	s.generations = slices.DeleteFunc(s.generations, func(g *generation) bool { return g.end <= now })
	if left := s.sinceBegun(until) - now; left > 0 {
		s.generation(now, left).keys[f] = struct{}{}
	}
	return nil
}

// generation returns the one for keys that are to be remembered for a time that is
// left. Ends are multiples of a power of two between a sixteenth and an eighth of
// it: 9 to 17 generations at a time if all keys are remembered equally long.
func (s *MemorySeen) generation(now, left time.Duration) *generation {
	width := time.Duration(1)
	for width <= left/16 {
		width *= 2
	}
	end := now + left
	if rest := end % width; rest > 0 {
		end += width - rest
	}
	for _, g := range s.generations {
		if g.end == end {
			return g
		}
	}
	g := &generation{end, map[fingerprint]struct{}{}}
	s.generations = append(s.generations, g)
	return g
}

func (s *MemorySeen) sinceBegun(at time.Time) time.Duration {
	if s.begun.IsZero() {
		s.begun = at
	}
	return at.Sub(s.begun)
}

func (s *MemorySeen) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// fingerprint identifies a key of any length.
type fingerprint [16]byte

func fingerprintOf(key string) fingerprint {
	sum := sha256.Sum256([]byte(key))
	return fingerprint(sum[:16])
}
