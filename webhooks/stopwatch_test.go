package webhooks

import (
	"slices"
	"time"
)

// stopwatch times pieces of work that take turns, so that both see the same
// machine.
type stopwatch struct{ took []time.Duration }

func (s *stopwatch) measure(work func()) {
	begun := time.Now()
	work()
	s.took = append(s.took, time.Since(begun))
}

// each is the median, in nanoseconds.
func (s *stopwatch) each() float64 {
	slices.Sort(s.took)
	return float64(s.took[len(s.took)/2])
}
