package wallet

import "fmt"

// move applies an event to the entry and to those of its steps that it is about;
// without any, to all.
func (e *Entry) move(ev event, steps ...int) error {
	if len(steps) == 0 {
		for i := range e.Steps {
			steps = append(steps, i)
		}
	}
	for _, i := range steps {
		s := &e.Steps[i]
		from := s.State
		if ev == evSign {
			from = KeyClaimed
		}
		next, ok := from.after(ev)
		if !ok {
			return fmt.Errorf("transaction %d: %q does not follow on %q", i+1, ev, from)
		}
		if s.State = next; next.Settled() {
			s.Transaction = "" // nothing is sent again
		}
	}
	if len(e.Steps) == 0 {
		next, ok := e.State.after(ev)
		if !ok {
			return fmt.Errorf("key %q: %q does not follow on %q", e.Key, ev, e.State)
		}
		e.State = next
		return nil
	}
	e.State = e.front()
	return nil
}

// learn writes what the nodes have shown of flights.
func (e *Entry) learn(t *tracker, flights map[int]*flight) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, f := range flights {
		if len(f.evidence.Nodes) > 0 {
			e.Steps[i].Evidence = f.evidence.Clone()
		}
	}
}

// apply writes what became of flights into the entry. If one is not confirmed,
// what comes after it will not be sent.
func (e *Entry) apply(flights map[int]*flight) error {
	stopped := false
	for i, f := range flights {
		s := &e.Steps[i]
		s.Signature, s.Slot, s.Err = f.step.Signature, f.status.Slot, f.status.Err
		ev, ok := eventFor[f.verdict]
		stopped = stopped || f.verdict != KeyConfirmed
		if !ok || f.verdict == KeyInDoubt && s.State == KeyInDoubt {
			continue
		}
		if err := e.move(ev, i); err != nil {
			return err
		}
	}
	for i := range e.Steps {
		if stopped && e.Steps[i].State == KeySigned {
			if err := e.move(evRelease, i); err != nil {
				return err
			}
		}
	}
	return nil
}

var eventFor = map[KeyState]event{
	KeyConfirmed: evConfirm, KeyFailed: evFail, KeyExpired: evExpire, KeyReleased: evRefuse, KeyInDoubt: evDoubt,
}
