// Package turns times pieces of work that take turns within one run, so that
// whatever else the machine does meets all of them.
package turns

import (
	"slices"
	"time"
)

// Work does n operations.
type Work func(n int) error

// Contender is a way to do the operation that is measured.
type Contender struct {
	Name string
	Work Work
}

// Plan says how a comparison is timed.
type Plan struct {
	Turns int           // of each contender
	Turn  time.Duration // that one takes, about
	Clock Clock         // nil means CPU
	// Before runs before each turn of each contender, outside of its time. Nil
	// means nothing.
	Before func() error
}

// Clock is a time that only goes on.
type Clock func() time.Duration

// Result is one contender's time.
type Result struct {
	Name   string
	Best   time.Duration // an operation, in the best turn
	Median time.Duration // an operation, in the median turn
	// Ratio is the first contender's best time over this one's: what else the machine
	// does spoils most turns of a busy hour, and the best of them least.
	Ratio float64
}

// Run lets the contenders take turns. The order shifts by one after each turn, so
// that none always pays for the garbage of the same other.
func Run(p Plan, contenders ...Contender) ([]Result, error) {
	clock := p.Clock
	if clock == nil {
		clock = CPU
	}
	batch := make([]int, len(contenders))
	for i, c := range contenders {
		n, err := calibrate(p, clock, c.Work)
		if err != nil {
			return nil, err
		}
		batch[i] = n
	}
	took := make([][]float64, len(contenders))
	for turn := range p.Turns {
		for k := range contenders {
			i := (turn + k) % len(contenders)
			d, err := timed(p, clock, contenders[i].Work, batch[i])
			if err != nil {
				return nil, err
			}
			took[i] = append(took[i], float64(d)/float64(batch[i]))
		}
	}
	results := make([]Result, len(contenders))
	for i, c := range contenders {
		best := slices.Min(took[i])
		results[i] = Result{
			Name: c.Name, Ratio: slices.Min(took[0]) / best,
			Best: time.Duration(best), Median: time.Duration(median(took[i])),
		}
	}
	return results, nil
}

// calibrate finds how many operations a turn has. It believes the best of a few
// tries: one that the machine disturbed would make turns too short.
func calibrate(p Plan, clock Clock, work Work) (int, error) {
	const tries = 3
	for n := 1; ; n *= 2 {
		best := time.Duration(1<<63 - 1)
		for range tries {
			d, err := timed(p, clock, work, n)
			if err != nil {
				return 0, err
			}
			if best = min(best, d); best < p.Turn/2 {
				break
			}
		}
		if best >= p.Turn/2 {
			return max(1, int(float64(n)*float64(p.Turn)/float64(best))), nil
		}
	}
}

func timed(p Plan, clock Clock, work Work, n int) (time.Duration, error) {
	if p.Before != nil {
		if err := p.Before(); err != nil {
			return 0, err
		}
	}
	if p.Clock != nil {
		begun := clock()
		err := work(n)
		return clock() - begun, err
	}
	if err := work(max(1, n/8)); err != nil { // after the pause of the turn before
		return 0, err
	}
	begun := clock()
	err := work(n)
	time.Sleep(settle)
	return clock() - begun, err
}

// settle is for the collector's threads to come to rest: a system adds what a thread
// used to the process's time when the thread sleeps, and else some milliseconds late,
// so that a turn would seem to have used less than it has.
const settle = time.Millisecond

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

var epoch = time.Now()

// Wall is real time.
func Wall() time.Duration { return time.Since(epoch) }
