package linear

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// flaws are what a stand-in does wrong.
type flaws struct {
	amnesia   bool // each process has a book of its own
	hasty     bool // takes a transaction for expired after a quarter of a minute
	lostUnset bool // takes a lost answer for a refusal
	fickle    bool // says "unknown" of what it has called confirmed
	afterword bool // sends what it has called not sent
}

// book holds what the stand-ins of a run have signed, by key. It never fails.
type book struct {
	mu       sync.Mutex
	accounts map[string]*account
}

func newBook() *book { return &book{accounts: map[string]*account{}} }

// account is the newest set of a key.
type account struct {
	holder *gate // nil if nobody works on it
	steps  []*standInStep
	asked  int // for the result
}

type standInStep struct {
	tx            *signing.Transaction
	sent, refused bool
	hurried       bool // taken for expired
}

// standIn is a wallet that needs no journal and no confirmer: it looks into the
// ledger. Without flaws it is a good one, which shows that the judge takes such.
type standIn struct {
	flaws flaws
	node  *node
	book  *book
}

// standIns makes the payers of one run.
func standIns(f flaws) func() newPayer {
	return func() newPayer {
		shared := newBook()
		return func(n *node, _ wallet.Journal) (payer, error) {
			if f.amnesia {
				return &standIn{f, n, newBook()}, nil
			}
			return &standIn{f, n, shared}, nil
		}
	}
}

func (s *standIn) Close() error { return nil }

func (s *standIn) Settle(context.Context) ([]wallet.Outcome, error) { return nil, nil }

func (s *standIn) Outcome(_ context.Context, key string) (wallet.Outcome, error) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	a := s.book.accounts[key]
	if a == nil {
		return wallet.Outcome{}, walletfi.ErrNotFound
	}
	r, _ := s.result(a)
	return wallet.Outcome{Key: key, Steps: r.Steps}, nil
}

func (s *standIn) Execute(
	ctx context.Context, u walletfi.Unsigned, o wallet.ExecuteOptions,
) (*wallet.Result, error) {
	a, err := s.claim(o.Key, u)
	if err != nil {
		return nil, err
	}
	s.carryOut(ctx, a)
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	a.holder = nil
	a.asked++
	r, err := s.result(a)
	if s.flaws.fickle && err == nil && a.asked > 1 {
		return nil, walletfi.ErrOutcomeUnknown
	}
	return r, err
}

// claim takes the key for this process, with the set that was signed for it, or a new
// one if nothing of that can be executed any more.
func (s *standIn) claim(key string, u walletfi.Unsigned) (*account, error) {
	s.book.mu.Lock()
	defer s.book.mu.Unlock()
	a := s.book.accounts[key]
	if a != nil && a.holder != nil {
		select {
		case <-a.holder.dead: // it is taken over
		default:
			return nil, &wallet.UnsettledError{Running: true}
		}
	}
	if a == nil || s.over(a) {
		set, err := signing.DecodeAll(u)
		if err != nil {
			return nil, err
		}
		a = &account{}
		for _, tx := range set {
			a.steps = append(a.steps, &standInStep{tx: tx})
			if err := signing.SignUnchecked(context.Background(), tx, owner); err != nil {
				return nil, err
			}
		}
		s.book.accounts[key] = a
	}
	a.holder = s.node.gate
	return a, nil
}

// over reports whether no transaction of a set was executed with success, or can be.
func (s *standIn) over(a *account) bool {
	for _, state := range s.states(a) {
		if state == wallet.StateConfirmed || state == wallet.StateUnknown {
			return false
		}
	}
	return true
}

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
		if err == walletfi.ErrNotSent && r.Steps[0].State == wallet.StateConfirmed {
			err = wallet.ErrStopped
		}
	}
	return r, err
}
