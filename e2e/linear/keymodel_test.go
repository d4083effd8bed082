package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
	"github.com/walletfi/walletfi-go/wallet"
)

// keyCall is an operation of a key's history.
type keyCall string

const (
	callLoad  keyCall = "Load"
	callStore keyCall = "Store"
	callList  keyCall = "List"
	callCrash keyCall = "crash"
)

// keyInput is a request about one key.
type keyInput struct {
	call  keyCall
	was   uint64       // of a Store
	entry *record      // of a Store
	query wallet.Query // of a List
}

// keyOutput is an answer. A read that failed says nothing and is no part of
// a history.
type keyOutput struct {
	fenced bool    // the Store answered ErrFenced
	lost   bool    // the Store may have been carried out
	seen   *record // what a read showed, nil for nothing
}

// keyState holds a journal's entry of a key, and what it held before the Stores on top of
// each other that were not answered and of which no read has shown anything.
type keyState struct {
	held   *record // nil for nothing
	depth  int
	before [8]*record // the newest last
}

// keyModel is a key of a journal: a register with a version and a conditional write.
func keyModel() porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init: func() []any { return []any{keyState{}} },
		Step: func(state, input, output any) []any {
			var next []any
			for _, s := range keyStep(state.(keyState), input.(keyInput), output.(keyOutput)) {
				next = append(next, s)
			}
			return next
		},
		DescribeOperation: func(input, output any) string {
			return describeKey(input.(keyInput), output.(keyOutput))
		},
		DescribeState: func(state any) string { return fmt.Sprint(state.(keyState).held) },
	}
	return m.ToModel()
}

// keyStep returns the states that the answer leaves possible.
func keyStep(s keyState, in keyInput, out keyOutput) []keyState {
	switch {
	case in.call == callLoad:
		return keyRead(s, true, out.seen)
	case in.call == callList:
		return keyRead(s, s.held.asked(in.query), out.seen)
	case in.call == callCrash:
		return keyCrash(s)
	case out.fenced:
		return keyFenced(s, in.was)
	case !s.holds(in.was) && out.lost:
		return []keyState{s}
	case !s.holds(in.was):
		return nil
	case out.lost:
		return []keyState{s, s.onTop(in.entry)}
	}
	return []keyState{{held: in.entry}}
}

// holds reports whether the key may be at a version, where 0 means not at all.
func (s keyState) holds(version uint64) bool {
	if version == 0 {
		return s.held == nil || s.held.droppable
	}
	return s.held != nil && s.held.version == version
}

// onTop is s after a Store that nobody was answered for. What lies deeper than the
// array is counted as sure.
func (s keyState) onTop(r *record) keyState {
	if s.depth == len(s.before) {
		return keyState{held: r}
	}
	s.before[s.depth] = s.held
	s.depth++
	s.held = r
	return s
}

// keyCrash is the end of a journal's machine. What Store has returned for survives it, and
// so does what a read has shown. Any of the newest Stores of which neither is true may be
// gone, although a List has left the entry out because of one.
func keyCrash(s keyState) []keyState {
	next := []keyState{{held: s.held}}
	for i := 0; i < s.depth; i++ {
		next = append(next, keyState{held: s.before[i]})
	}
	return next
}

// keyRead is a read that shows what is held, if it was asked for.
func keyRead(s keyState, asked bool, seen *record) []keyState {
	switch {
	case seen != nil:
		if asked && s.held.same(seen) {
			return []keyState{{held: s.held}}
		}
	case s.held == nil || !asked:
		return []keyState{s}
	case s.held.droppable:
		s.held = nil
		return []keyState{s}
	}
	return nil
}

// keyFenced is a Store that changed nothing, because the journal did not hold the
// key at that version.
func keyFenced(s keyState, was uint64) []keyState {
	switch {
	case was == 0 && s.held == nil:
		return nil
	case s.held != nil && !s.held.droppable && !s.holds(was): // what is there instead is sure
		return []keyState{{held: s.held}}
	case was == 0 || !s.holds(was):
		return []keyState{s}
	case s.held.droppable: // it was dropped
		s.held = nil
		return []keyState{s}
	}
	return nil
}

func describeKey(in keyInput, out keyOutput) string {
	switch in.call {
	case callLoad:
		return fmt.Sprintf("Load -> %v", out.seen)
	case callList:
		return fmt.Sprintf("List(%+v) -> %v", in.query, out.seen)
	case callCrash:
		return "crash"
	}
	answer := "stored"
	if out.fenced {
		answer = "fenced"
	}
	if out.lost {
		answer = "no answer"
	}
	return fmt.Sprintf("Store(was %d, %v) -> %s", in.was, in.entry, answer)
}
