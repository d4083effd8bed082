package linear

import "github.com/anishathalye/porcupine"

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
