package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
	"github.com/walletfi/walletfi-go/wallet"
)

// payState holds what is known of a key. The bits are those of piece.
type payState struct {
	done, failed uint64 // executed, with success or with an error
	dead         uint64 // said never to be executed
	told         uint64 // answered confirmed, and recorded
}

// payModel is a payment: at most one build of a key is ever executed, and what an
// answer says of a transaction is true from then on.
func payModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return payState{} },
		Step: func(state, input, output any) (bool, any) {
			return payStep(state.(payState), input.(*payInput), output.(*payOutput))
		},
		DescribeOperation: func(input, output any) string {
			return describePay(input.(*payInput), output.(*payOutput))
		},
		DescribeState: func(state any) string {
			s := state.(payState)
			return fmt.Sprintf("executed %b, failed %b, dead %b, told %b", s.done, s.failed, s.dead, s.told)
		},
	}
}

// payStep reports whether an operation fits the state, and returns the next.
func payStep(s payState, in *payInput, out *payOutput) (bool, payState) {
	if in.call == callLand {
		return landStep(s, in)
	}
	switch out.answer {
	case answerNone:
		return true, s
	case answerNonsense:
		return false, s
	case answerNothing: // what was paid is never forgotten
		return s.done == 0, s
	}
	if len(out.claims) == 0 {
		return unsignedStep(s, in, out)
	}
	for _, c := range out.claims {
		var ok bool
		if ok, s = claimStep(s, in, c); !ok {
			return false, s
		}
	}
	return verdictStep(s, in, out)
}

// unsignedStep is an answer that tells of no signature: nothing of the build was
// signed for this Execute. If none was before, it is not executed; if none will be, it
// never is.
func unsignedStep(s payState, in *payInput, out *payOutput) (bool, payState) {
	bits := setBits(in.build, in.size)
	switch out.answer {
	case answerExpired:
		s.dead |= bits &^ s.failed
		if s.done&bits != 0 {
			return false, s
		}
	case answerNotSent:
		if in.again&bits != 0 { // it says nothing of the earlier ones
			break
		}
		s.dead |= bits & in.final
		if (s.done|s.failed)&bits != 0 {
			return false, s
		}
	case answerConfirmed, answerFailed, answerStopped:
		return false, s
	}
	part := s.told != setBits(buildOf(s.told), in.size) // of a set; the rest may be in doubt
	known := s.told != 0 && !(part && out.answer == answerUnknown)
	return (!known || in.mayNotKnow()) && !(out.unsettled && in.alone), s
}

// landStep is an execution: of one build only, of no transaction that is dead, and of
// each only when the one before it was executed.
func landStep(s payState, in *payInput) (bool, payState) {
	bit := piece{build: in.build, index: in.index}.bit()
	switch {
	case (s.done|s.failed|s.dead)&bit != 0:
		return false, s
	case s.done&^buildBits(in.build) != 0:
		return false, s
	case in.index > 0 && s.done&(bit>>1) == 0:
		return false, s
	}
	if in.failed {
		s.failed |= bit
	} else {
		s.done |= bit
	}
	s.dead |= in.buried
	return true, s
}

// claimStep checks an answer's word on one transaction.
func claimStep(s payState, in *payInput, c claim) (bool, payState) {
	executed := (s.done|s.failed)&c.bit != 0
	switch c.state {
	case wallet.StateConfirmed:
		return s.done&c.bit != 0, s
	case wallet.StateFailed:
		return s.failed&c.bit != 0, s
	case wallet.StateExpired:
		s.dead |= c.bit
		return !executed, s
	case wallet.StateNotSent:
		// Of bytes that had failed and were then executed again, it says that they were
		// not sent again.
		again := s.done&c.bit == 0 && in.again&c.bit != 0
		s.dead |= c.bit & in.final
		return !executed || again, s
	case wallet.StateRunning:
		return in.call == callOutcome, s
	}
	return c.state == wallet.StateUnknown, s
}

// verdictStep is an answer as a whole. What was answered confirmed once is confirmed in
// every later answer.
func verdictStep(s payState, in *payInput, out *payOutput) (bool, payState) {
	var bits, confirmed uint64
	states := map[wallet.State]int{}
	for _, c := range out.claims {
		bits |= c.bit
		states[c.state]++
		if c.state == wallet.StateConfirmed {
			confirmed |= c.bit
		}
	}
	whole := confirmed == setBits(buildOf(bits), in.size)
	switch {
	case bits&^buildBits(buildOf(bits)) != 0, out.unsettled && in.alone:
		return false, s
	case s.told&^confirmed != 0 && !in.mayNotKnow():
		return false, s
	case out.answer == answerExpired && states[wallet.StateExpired] == 0,
		out.answer == answerFailed && states[wallet.StateFailed] == 0,
		out.answer == answerNotSent && confirmed != 0, out.answer == answerStopped && confirmed == 0,
		in.call == callExecute && whole != (out.answer == answerConfirmed):
		return false, s
	}
	if in.call == callExecute && out.recorded {
		s.told |= confirmed
	}
	return true, s
}

// buildOf is the build of the lowest of some bits.
func buildOf(bits uint64) (build int) {
	for build = 0; build < maxBuilds-1 && bits&buildBits(build) == 0; build++ {
	}
	return build
}

// setBits are the bits of a build of so many transactions.
func setBits(build, size int) uint64 { return (1<<size - 1) << (build * setSize) }
