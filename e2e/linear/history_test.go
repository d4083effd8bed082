package linear

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"
)

// never is when an operation returns whose effect may come at any time.
const never = math.MaxInt64

// history holds requests and answers, by partition: a key or a holder.
type history struct {
	begun time.Time
	clock func() int64
	ticks atomic.Int64

	mu     sync.Mutex
	parts  map[string][]porcupine.Operation
	counts map[string]int // what happened, for the assertions that something did
}

func newHistory() *history {
	h := &history{begun: time.Now(), parts: map[string][]porcupine.Operation{}, counts: map[string]int{}}
	h.clock = h.nanoseconds
	return h
}

// now is the time of the history.
func (h *history) now() int64 { return h.clock() }

// nanoseconds are those of the machine's monotonic clock.
func (h *history) nanoseconds() int64 { return int64(time.Since(h.begun)) }

// tick counts the moments at which something was begun or answered.
func (h *history) tick() int64 { return h.ticks.Add(1) }

func (h *history) add(part string, op porcupine.Operation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.parts[part] = append(h.parts[part], op)
}

func (h *history) count(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts[what]++
}
