package wallet

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The model of one key: two processes that work on it through the journal, and
// a ledger. Every step that a process records goes through the table of
// keystate.go and the journal's condition. Leases are not in it: a process may
// take the key over at any time, because no clock may decide over money.

const walkDepth = 12

// pc is where a process is.
type pc uint8

const (
	idle    pc = iota
	claimed    // it has claimed the key
	signed     // it has recorded what it signed
	sending    // it has recorded that it sends, and is about to
	sent       // a door has taken the bytes, or the answer is lost
	follows    // it took over what another process sent
	numPCs
)

type process struct {
	at      pc
	version uint8 // of the entry as it last saw it
	tx      uint8 // that it signed or took over, counted from 1
	refused bool  // its door said that it sent nothing
}

type entryModel struct {
	state   KeyState
	version uint8
	tx      uint8
}

const maxTx = 5

// world is comparable, so that it can be looked up.
type world struct {
	entry     entryModel
	processes [2]process
	signed    uint8               // transactions so far
	reached   [maxTx + 1]bool     // the bytes are with the cluster
	landed    [maxTx + 1]bool     // executed
	dead      [maxTx + 1]bool     // its blockhash is gone
	verdict   [maxTx + 1]KeyState // what was said of it
	told      [maxTx + 1]State    // what Outcome said of it, as soon as that was final
}

// rules are what a walk may break on purpose.
type rules struct {
	takenOver  func(KeyState) KeyState
	fence      bool // the journal compares versions
	recordSend bool // sending is recorded before the first byte
	proof      bool // expired is said only of what is dead
	outcome    func(s KeyState, alive bool) State
}

var sound = rules{takenOver: KeyState.takenOver, fence: true, recordSend: true, proof: true, outcome: KeyState.outcome}

// walk visits everything that can follow from w, and returns the first
// contradiction.
type walk struct {
	rules
	seen    map[world]int // to the depth that was left
	visited int
}

func (k *walk) from(w world, left int) error {
	w, err := k.tell(w)
	if err != nil {
		return err
	}
	if before, ok := k.seen[w]; ok && before >= left {
		return nil
	}
	k.seen[w] = left
	k.visited++
	if err := w.contradiction(); err != nil || left == 0 {
		return err
	}
	for _, next := range k.steps(w) {
		if err := k.from(next, left-1); err != nil {
			return err
		}
	}
	return nil
}

// tell asks Outcome of the transaction that the entry is about, both while its holder is
// thought alive and while it is thought dead: leases decide nothing.
func (k *walk) tell(w world) (world, error) {
	tx := w.entry.tx
	if tx == 0 {
		return w, nil
	}
	for _, alive := range []bool{true, false} {
		now := k.outcome(w.entry.state, alive)
		if was := w.told[tx]; was != "" && was != now {
			return w, fmt.Errorf("transaction %d was %s, for good, and is %s: %+v", tx, was, now, w)
		}
		if !now.open() {
			w.told[tx] = now
		}
	}
	return w, nil
}

func (w world) contradiction() error {
	for tx, told := range w.told {
		if w.landed[tx] && told != "" && told != StateConfirmed {
			return fmt.Errorf("transaction %d was told %s and executed: %+v", tx, told, w)
		}
	}
	landed := 0
	for tx := 1; tx <= maxTx; tx++ {
		if !w.landed[tx] {
			if w.verdict[tx] == KeyConfirmed {
				return fmt.Errorf("transaction %d is confirmed and did not execute: %+v", tx, w)
			}
			continue
		}
		landed++
		if v := w.verdict[tx]; v != "" && v != KeyConfirmed {
			return fmt.Errorf("transaction %d is %s and executed: %+v", tx, v, w)
		}
	}
	if landed > 1 {
		return fmt.Errorf("the key executed %d times: %+v", landed, w)
	}
	return nil
}

func (k *walk) steps(w world) (all []world) {
	for tx := uint8(1); tx <= w.signed; tx++ {
		if w.reached[tx] && !w.landed[tx] && !w.dead[tx] {
			next := w
			next.landed[tx] = true
			all = append(all, next)
		}
		if !w.landed[tx] && !w.dead[tx] {
			next := w
			next.dead[tx] = true
			all = append(all, next)
		}
	}
	for p := range w.processes {
		all = append(all, k.acts(w, p)...)
	}
	return all
}

// record is a Store by process p: it moves the entry by e, or does nothing and
// leaves p idle, because it was fenced off.
func (k *walk) record(w world, p int, e event) (world, bool) {
	me := &w.processes[p]
	next, ok := w.entry.state.after(e)
	if k.fence && me.version != w.entry.version || !ok {
		*me = process{}
		return w, false
	}
	w.entry.state = next
	if e == evClaim {
		w.entry.tx = 0 // it is about no transaction yet
	}
	w.entry.version++
	me.version = w.entry.version
	return w, true
}

// say records what process p found out about its transaction.
func (k *walk) say(w world, p int, e event) world {
	tx := w.processes[p].tx
	next, ok := k.record(w, p, e)
	if ok {
		next.verdict[tx] = next.entry.state
		next.processes[p] = process{}
	}
	return next
}

// acts lists what process p can do next.
func (k *walk) acts(w world, p int) (all []world) {
	me := w.processes[p]
	add := func(next world, at pc) {
		if next.processes[p] != (process{}) {
			next.processes[p].at = at
		}
		all = append(all, next)
	}
	if me != (process{}) {
		crashed := w
		crashed.processes[p] = process{}
		all = append(all, crashed)
	}
	switch me.at {
	case idle:
		if w.entry.state.Settled() && w.signed < maxTx {
			next := w
			next.processes[p].version = w.entry.version
			next, _ = k.record(next, p, evClaim)
			add(next, claimed)
		}
		if !w.entry.state.Settled() {
			all = append(all, k.takeOver(w, p))
		}
	case claimed:
		next, ok := k.record(w, p, evSign)
		if ok {
			next.signed++
			next.processes[p].tx, next.entry.tx = next.signed, next.signed
		}
		add(next, signed)
		released, _ := k.record(w, p, evRelease)
		released.processes[p] = process{}
		all = append(all, released)
	case signed:
		if !k.recordSend {
			add(w, sending)
			break
		}
		next, _ := k.record(w, p, evSend)
		add(next, sending)
	case sending:
		reached := w
		reached.reached[me.tx] = true
		add(reached, sent)
		refused := w
		refused.processes[p].refused = true
		add(refused, sent)
	case sent, follows:
		if me.refused && w.entry.state == KeySent {
			all = append(all, k.say(w, p, evRefuse))
		}
		if w.entry.state == KeySent {
			next, _ := k.record(w, p, evDoubt)
			add(next, me.at)
		}
		if w.landed[me.tx] {
			all = append(all, k.say(w, p, evConfirm))
		}
		if w.dead[me.tx] || !k.proof && !w.landed[me.tx] {
			all = append(all, k.say(w, p, evExpire))
		}
		if me.at == follows && !w.reached[me.tx] { // it resends the recorded bytes
			next := w
			next.reached[me.tx] = true
			add(next, follows)
			next.reached[me.tx] = false
			next.processes[p].refused = true
			add(next, follows)
		}
	}
	return all
}

// takeOver makes process p the holder of what another process left.
func (k *walk) takeOver(w world, p int) world {
	was := w.entry.state
	w.entry.state = k.takenOver(was)
	w.entry.version++
	if w.entry.state.Settled() {
		if w.entry.tx > 0 {
			w.verdict[w.entry.tx] = w.entry.state
		}
		return w
	}
	w.processes[p] = process{at: follows, version: w.entry.version, tx: w.entry.tx}
	return w
}

func TestModelOfAKey(t *testing.T) {
	k := &walk{rules: sound, seen: map[world]int{}}
	require.NoError(t, k.from(world{}, walkDepth))
	require.Greater(t, k.visited, 10_000, "the walk saw next to nothing")
	t.Logf("depth=%d worlds=%d visits=%d", walkDepth, len(k.seen), k.visited)
}

// TestModelSeesWhatIsBroken breaks one rule a walk: a model that passes
// whatever the rules proves nothing.
func TestModelSeesWhatIsBroken(t *testing.T) {
	for name, change := range map[string]func(*rules){
		"what was sent is not in doubt when taken over": func(r *rules) {
			r.takenOver = func(s KeyState) KeyState {
				if s == KeySent {
					return s
				}
				return s.takenOver()
			}
		},
		"what was sent is released when taken over": func(r *rules) { r.takenOver = func(KeyState) KeyState { return KeyReleased } },
		"the journal does not compare versions":     func(r *rules) { r.fence = false },
		"sending is not recorded first":             func(r *rules) { r.recordSend = false },
		"expired without proof":                     func(r *rules) { r.proof = false },
		"what a dead process left is not sent": func(r *rules) {
			r.outcome = func(s KeyState, alive bool) State {
				if s == KeySigned && !alive {
					return StateNotSent
				}
				return s.outcome(alive)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			broken := sound
			change(&broken)
			k := &walk{rules: broken, seen: map[world]int{}}
			require.Error(t, k.from(world{}, walkDepth))
		})
	}
}

// TestOneOutcome: of every set of up to three transactions in every state, a bundle or
// not, whose holder is alive or not, exactly one state holds, of the whole and of each
// step, and the whole is settled if every step is, and then says what a step says. What is
// settled leads to nothing but a new claim, and nobody's taking over changes it.
func TestOneOutcome(t *testing.T) {
	states := slices.Collect(maps.Keys(transitions))
	all := []State{StateNotSent, StateConfirmed, StateFailed, StateExpired, StateUnknown, StateRunning}
	final := all[:4]
	cells := 0
	for _, alive := range []bool{true, false} {
		for _, s := range states {
			o := outcomeOf(Entry{State: s}, alive)
			require.Contains(t, all, o.State)
			require.Equal(t, s.Settled(), o.Settled(), "%s, no steps", s)
			require.Equal(t, slices.Contains(final, o.State), o.Settled())
			if !o.Settled() {
				continue
			}
			require.Equal(t, s, s.takenOver())
			for e := range transitions[s] {
				require.Equal(t, evClaim, e, "%s is settled, and %s follows", s, e)
			}
		}
		for n := range len(states) * len(states) * len(states) {
			set := []KeyState{states[n%len(states)], states[n/len(states)%len(states)], states[n/len(states)/len(states)]}
			for _, bundle := range []bool{true, false} {
				cells++
				e := Entry{Bundle: bundle}
				for _, s := range set {
					e.Steps = append(e.Steps, EntryStep{State: s})
				}
				e.State = states[n%4] // the steps count, whatever the entry says of itself
				o := outcomeOf(e, alive)
				settled := !slices.ContainsFunc(set, func(s KeyState) bool { return !s.Settled() })
				require.Equal(t, settled, o.Settled(), "%v", set)
				require.Equal(t, settled, slices.Contains(final, o.State), "%v: %s", set, o.State)
				each := []State{}
				for i, step := range o.Steps {
					each = append(each, step.State)
					require.Contains(t, all, step.State)
					require.Equal(t, set[i].Settled(), slices.Contains(final, step.State), set[i])
					require.Equal(t, alive && step.State == StateRunning, step.State == StateRunning, "nobody runs it")
				}
				require.Contains(t, each, o.State)
				if slices.Contains(each, StateRunning) {
					require.Equal(t, StateRunning, o.State)
				}
				if o.State == StateConfirmed {
					require.Equal(t, []State{StateConfirmed, StateConfirmed, StateConfirmed}, each)
				}
			}
		}
	}
	require.Equal(t, 2*2*9*9*9, cells)
	t.Logf("%d cells", cells)
}

// TestTable: every state is in the table, and the ones that the ledger may
// contradict lead only to what the ledger or a proof says.
func TestTable(t *testing.T) {
	reachable := map[KeyState]bool{KeyFree: true}
	for range transitions {
		for from, events := range transitions {
			for _, to := range events {
				if reachable[from] {
					reachable[to] = true
				}
			}
		}
	}
	for state := range transitions {
		require.True(t, reachable[state], state)
		require.Equal(t, state.Settled(), state.takenOver() == state && !state.mayExecute(), state)
	}
	require.Len(t, transitions, 9)
	require.Empty(t, transitions[KeyConfirmed])
	for e := range transitions[KeyInDoubt] {
		require.Contains(t, []event{evConfirm, evFail, evExpire, evForce}, e)
	}
}
