package linear

import (
	"context"
	"sync"

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
	ctx context.Context, u walletfi.Unsigned, opts ...wallet.ExecuteOptions,
) (*wallet.Result, error) {
	a, err := s.claim(opts[0].Key, u)
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
