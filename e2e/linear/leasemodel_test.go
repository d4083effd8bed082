package linear

import (
	"fmt"
	"math"
	"time"

	"github.com/anishathalye/porcupine"
)

// leaseCall is an operation of a holder's history.
type leaseCall string

const (
	callRenew   leaseCall = "Renew"
	callAlive   leaseCall = "Alive"
	callRestart leaseCall = "restart"
)

// leaseInput is a request of one holder, and when by the test's clock. The journal
// read its own clock at some moment between the call and the return: not necessarily
// the moment at which what it wrote could be seen, as it may have waited for a lock in
// between.
type leaseInput struct {
	call      leaseCall
	lease     time.Duration // of a Renew
	from, til int64
}

type leaseOutput struct {
	alive bool // the answer of an Alive
	lost  bool // the Renew may have been carried out
}

// leaseState bounds when the lease ends, by the answers so far.
type leaseState struct{ least, most int64 }

// clockSlack is how far a journal's clock may be off over the length of a lease: it may
// tick in milliseconds and run a little fast.
const clockSlack = int64(5 * time.Millisecond)

// ended is a lease that ended before everything.
const ended = math.MinInt64 / 4

// leaseModel is a holder of a journal. No clock but the journal's says when a lease
// ends, so that only an answer is refused for which no moment within the operations'
// bounds would do: "alive" after the latest end, "not alive" before the earliest, and
// "alive" again after "not alive" without a Renew.
func leaseModel() porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init: func() []any { return []any{leaseState{ended, ended}} },
		Step: func(state, input, output any) []any {
			var next []any
			for _, s := range leaseStep(state.(leaseState), input.(leaseInput), output.(leaseOutput)) {
				next = append(next, s)
			}
			return next
		},
		DescribeOperation: func(input, output any) string {
			return describeLease(input.(leaseInput), output.(leaseOutput))
		},
		DescribeState: func(state any) string {
			s := state.(leaseState)
			return fmt.Sprintf("ends in [%d, %d]", s.least, s.most)
		},
	}
	return m.ToModel()
}

func leaseStep(s leaseState, in leaseInput, out leaseOutput) []leaseState {
	over := leaseState{ended, ended}
	switch in.call {
	case callRestart: // a lease need not outlive a journal of one process
		return []leaseState{s, over}
	case callRenew:
		renewed := over
		if in.lease > 0 {
			renewed = leaseState{in.from + int64(in.lease), later(in.til, int64(in.lease))}
		}
		if out.lost {
			return []leaseState{s, renewed}
		}
		return []leaseState{renewed}
	}
	if out.alive {
		s.least = max(s.least, in.from)
	} else {
		s.most = min(s.most, in.til)
	}
	if s.least > later(s.most, clockSlack) {
		return nil
	}
	return []leaseState{s}
}

// later is a + b, or never.
func later(a, b int64) int64 {
	if a > never-b {
		return never
	}
	return a + b
}

func describeLease(in leaseInput, out leaseOutput) string {
	switch in.call {
	case callRestart:
		return "restart"
	case callAlive:
		return fmt.Sprintf("Alive -> %t", out.alive)
	}
	if out.lost {
		return fmt.Sprintf("Renew(%v) -> no answer", in.lease)
	}
	return fmt.Sprintf("Renew(%v)", in.lease)
}
