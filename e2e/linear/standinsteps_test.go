package linear

import (
	"context"
	"errors"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// carryOut sends what can be sent, and waits for each before the next.
func (s *standIn) carryOut(ctx context.Context, a *account) {
	rounds := 60 // until no transaction can be executed any more
	if s.flaws.hasty {
		rounds = 7
	}
	for i, step := range a.steps {
		if s.state(a, i) == wallet.StateUnknown {
			s.send(ctx, step)
		}
		for range rounds {
			if s.state(a, i) != wallet.StateUnknown || s.node.gate.sleep(ctx, 2*time.Second) != nil {
				break
			}
		}
		if state := s.state(a, i); state != wallet.StateConfirmed {
			s.book.mu.Lock()
			step.hurried = s.flaws.hasty && state == wallet.StateUnknown
			s.book.mu.Unlock()
			return
		}
	}
}

// send sends a transaction. It was not sent if the only send of it was refused.
func (s *standIn) send(ctx context.Context, step *standInStep) {
	s.book.mu.Lock()
	first := !step.sent
	step.sent = true
	s.book.mu.Unlock()
	_, err := s.node.Submit(ctx, step.tx.Signed())
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	step.refused = first && (errors.Is(err, walletfi.ErrNotSent) || s.flaws.lostUnset && err != nil)
	if step.refused && s.flaws.afterword {
		s.node.ledger.send(step.tx.Signed())
	}
}

func (s *standIn) state(a *account, i int) wallet.State {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	return s.states(a)[i]
}

// states are what the ledger says of a set. The book is locked.
func (s *standIn) states(a *account) (all []wallet.State) {
	before := wallet.StateConfirmed
	for _, step := range a.steps {
		state := s.node.ledger.truth(step.tx)
		switch {
		case state == wallet.StateConfirmed || state == wallet.StateFailed:
		case step.refused, !step.sent && before != wallet.StateConfirmed && before != wallet.StateUnknown:
			state = wallet.StateNotSent // and never will be
		case step.hurried:
			state = wallet.StateExpired
		}
		all = append(all, state)
		before = state
	}
	return all
}

// result holds what is known of a set, and the error of the first transaction that is
// not confirmed. The book is locked.
func (s *standIn) result(a *account) (*wallet.Result, error) {
	sentinels := map[wallet.State]error{
		wallet.StateNotSent: walletfi.ErrNotSent, wallet.StateExpired: wallet.ErrExpired,
		wallet.StateFailed: wallet.ErrFailed, wallet.StateUnknown: walletfi.ErrOutcomeUnknown,
	}
	r := &wallet.Result{}
	var err error
	for i, state := range s.states(a) {
		r.Steps = append(r.Steps, wallet.Step{State: state, Signature: a.steps[i].tx.Signature().String()})
		if err == nil {
			err = sentinels[state]
		}
	}
	return r, err
}
