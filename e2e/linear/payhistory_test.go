package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
	"github.com/walletfi/walletfi-go/wallet"
)

// payCall is an operation of a payment's history.
type payCall string

const (
	callExecute payCall = "Execute"
	callOutcome payCall = "Outcome"
	callSettle  payCall = "Settle"
	callLand    payCall = "the ledger executes" // by itself, at a moment
)

// payInput is a request about a payment's key, or an event of it. What the client does
// not know when it asks is filled in by settleHistory.
type payInput struct {
	call   payCall
	build  int    // of an Execute, and of an execution
	size   int    // transactions in a build
	index  int    // of an execution
	failed bool   // of an execution
	buried uint64 // of an execution: what must never be executed once this is
	final  uint64 // what cannot be sent again once it is called not sent
	alone  bool   // no other Execute of the key had begun when this returned
	again  uint64 // builds that more than one Execute of had begun by then
	// excused says that its journal failed, its context ended or its wallet was
	// closed meanwhile: it need not know what others know.
	excused bool
}

// mayNotKnow reports whether the answer need not say what was told before. Settle tells
// only of what was not settled when it began.
func (in *payInput) mayNotKnow() bool { return in.excused || in.call == callSettle }

// claim is an answer's word on a transaction.
type claim struct {
	bit   uint64
	state wallet.State
}

// answer is the kind of an answer, as Wallet.Execute names them.
type answer string

const (
	answerConfirmed answer = "confirmed"
	answerNotSent   answer = "not sent"
	answerExpired   answer = "expired"
	answerFailed    answer = "failed"
	answerUnknown   answer = "unknown"
	answerStopped   answer = "stopped"     // a part of the set is confirmed, and the rest was not sent
	answerRead      answer = "read"        // of Outcome and Settle: the claims say all
	answerNothing   answer = "nothing"     // Outcome knows no such key
	answerNone      answer = "none"        // the process died, or the read failed
	answerNonsense  answer = "no sentinel" // or several
)

// payOutput is an answer.
type payOutput struct {
	answer    answer
	text      string
	claims    []claim
	recorded  bool // the journal took the verdict
	unsettled bool // an earlier execution is said to be in the way
}

func describePay(in *payInput, out *payOutput) string {
	if in.call == callLand {
		how := "with success"
		if in.failed {
			how = "with an error"
		}
		return fmt.Sprintf("the ledger executes build %d, transaction %d, %s", in.build, in.index, how)
	}
	text := fmt.Sprintf("%s(build %d) -> %s", in.call, in.build, out.answer)
	if in.call != callExecute {
		text = fmt.Sprintf("%s -> %s", in.call, out.answer)
	}
	for _, c := range out.claims {
		text += fmt.Sprintf(", build %d (%b) %s", buildOf(c.bit), c.bit>>(buildOf(c.bit)*setSize), c.state)
	}
	if in.call == callExecute && !out.recorded {
		text += " [not recorded]"
	}
	if in.excused {
		text += " [excused]"
	}
	if out.text != "" {
		text += ": " + out.text
	}
	return text
}

// span is from the first call to the last return of the Executes of a build. What is
// signed of the build is signed by then.
type span struct{ from, til int64 }

// settleHistory fills in what the clients could not know when they asked.
func settleHistory(h *history) {
	for _, ops := range h.parts {
		var executes []porcupine.Operation
		spans := map[int]span{}
		for _, op := range ops {
			in := op.Input.(*payInput)
			if in.call != callExecute {
				continue
			}
			executes = append(executes, op)
			s, known := spans[in.build]
			if !known {
				s.from = op.Call
			}
			spans[in.build] = span{min(s.from, op.Call), max(s.til, op.Return)}
		}
		for _, op := range ops {
			in := op.Input.(*payInput)
			if in.call == callLand {
				in.buried = buriedBy(in.build, spans)
			} else {
				among(op, in, executes)
			}
		}
	}
}

// buriedBy are the builds that nobody executed any more when a build was executed
// first. As one of them may be executed at most, they are dead when this one is sent.
func buriedBy(build int, spans map[int]span) (bits uint64) {
	for other, s := range spans {
		if s.til < spans[build].from {
			bits |= buildBits(other)
		}
	}
	return bits
}

// among finds the place of an operation among the Executes of its key.
func among(op porcupine.Operation, in *payInput, executes []porcupine.Operation) {
	in.alone, in.again, in.final = true, 0, ^uint64(0)
	begun := map[int]int{}
	for _, e := range executes {
		build, self := e.Input.(*payInput).build, e.Call == op.Call
		if self || e.Call < op.Return {
			begun[build]++
			in.alone = in.alone && self
		}
		if !self && e.Return >= op.Call {
			in.final &^= buildBits(build)
		}
	}
	for build, n := range begun {
		if n > 1 {
			in.again |= buildBits(build)
		}
	}
}
