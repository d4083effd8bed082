package signer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

// Node is a node of the signer's own, a [rpcnode.Client] for one: what it simulates, resolves and
// proves does not come from a client. Each should be of another provider: who holds most of the
// nodes can hide what was executed.
type Node interface {
	signing.Simulator
	signing.Resolver
	signing.AccountReader
	walletfi.Prover
	walletfi.BlockhashReader
	walletfi.BatchConfirmer
	walletfi.EffectsReader
	walletfi.FinalTimer
	// AccountsSince is Accounts, not before a slot.
	AccountsSince(ctx context.Context, accounts []signing.PublicKey, slot uint64) ([]signing.AccountState, error)
	// History lists the signatures, base58, of all finalized transactions that name an address, of the
	// slots after since and up to until, which the node must have reached, some at a time: the next
	// call goes on at next, which is empty at the end. The first cursor is empty.
	History(
		ctx context.Context, address signing.PublicKey, since, until uint64, cursor string,
	) (signatures []string, next string, err error)
	// Transaction returns the bytes of a finalized transaction.
	Transaction(ctx context.Context, signature string) ([]byte, error)
}

var _ Node = (*rpcnode.Client)(nil)

// nodeTimeout bounds a question to a node.
const nodeTimeout = 10 * time.Second

// answer holds one node's answer.
type answer[T any] struct {
	node  Node
	value T
	err   error
}

// ask asks every node at once and waits for all. Nodes of another ledger answer with an error.
func ask[T any](ctx context.Context, s *Signer, question func(context.Context, Node) (T, error)) []answer[T] {
	ctx, cancel := context.WithTimeout(ctx, nodeTimeout)
	defer cancel()
	answers := make([]answer[T], len(s.nodes))
	var all sync.WaitGroup
	for i, n := range s.nodes {
		all.Go(func() {
			a := answer[T]{node: n}
			if a.err = s.sameLedger(ctx, n); a.err == nil {
				a.value, a.err = question(ctx, n)
			}
			answers[i] = a
		})
	}
	all.Wait()
	return answers
}

// answered are the answers that are no errors, which a quorum must have given.
func answered[T any](answers []answer[T]) ([]answer[T], error) {
	good := slices.DeleteFunc(slices.Clone(answers), func(a answer[T]) bool { return a.err != nil })
	if len(good) >= proof.Quorum(len(answers)) {
		return good, nil
	}
	var why []error
	for _, a := range answers {
		why = append(why, a.err)
	}
	return nil, fmt.Errorf("%d of %d nodes answered: %w", len(good), len(answers), errors.Join(why...))
}

// sameLedger refuses a node of another ledger. What it has said once holds for the process.
func (s *Signer) sameLedger(ctx context.Context, n Node) error {
	s.mu.Lock()
	told := s.genesis[n.Identity()]
	s.mu.Unlock()
	if told == "" {
		var err error
		if told, err = n.Genesis(ctx); err != nil {
			return err
		}
		s.mu.Lock()
		s.genesis[n.Identity()] = told
		s.mu.Unlock()
	}
	if told != s.Policy().Genesis {
		return fmt.Errorf("node %s is of the ledger %s, the policy names %s", n.Identity(), told, s.Policy().Genesis)
	}
	return nil
}

// ids are the identities of the nodes.
func (s *Signer) ids() (ids []string) {
	for _, n := range s.nodes {
		ids = append(ids, n.Identity())
	}
	return ids
}

// finalHead is a finalized block that a quorum of the nodes have reached. What was known
// only grows.
func (s *Signer) finalHead(ctx context.Context) (walletfi.Head, error) {
	heads, err := answered(ask(ctx, s, func(ctx context.Context, n Node) (walletfi.Head, error) {
		return n.FinalHead(ctx)
	}))
	if err != nil {
		return walletfi.Head{}, err
	}
	slices.SortFunc(heads, func(a, b answer[walletfi.Head]) int {
		return cmp.Or(cmp.Compare(b.value.Slot, a.value.Slot), cmp.Compare(b.value.Height, a.value.Height))
	})
	told := heads[proof.Quorum(len(s.nodes))-1].value
	s.mu.Lock()
	defer s.mu.Unlock()
	s.final, _ = proof.Grow(s.final, told)
	return s.final, nil
}

// witnessed is the evidence of a blockhash that a quorum of the nodes call valid. Unseen is
// refused: no proof could tell when its transactions are dead.
func (s *Signer) witnessed(ctx context.Context, blockhash string) (*walletfi.Evidence, error) {
	s.mu.Lock()
	known := s.hashes[blockhash]
	s.mu.Unlock()
	if known != nil {
		return known.Clone(), nil
	}
	final, err := s.finalHead(ctx)
	if err != nil {
		return nil, err
	}
	type seen struct{ slot, age uint64 }
	question := func(ctx context.Context, n Node) (seen, error) {
		state, err := n.BlockhashValid(ctx, blockhash)
		if err == nil && !state.Valid {
			err = errNotValid
		}
		if err != nil {
			return seen{}, err
		}
		age, err := n.BlockhashAge(ctx)
		return seen{state.AsOfSlot, age}, err
	}
	answers, err := answered(ask(ctx, s, question))
	for range newAttempts {
		if !errors.Is(err, errNotValid) || clock.Wait(ctx, s.clock, newPause) != nil {
			break
		}
		answers, err = answered(ask(ctx, s, question)) // its block may be newer than a node knows
	}
	if err != nil {
		return nil, err
	}
	e := &walletfi.Evidence{After: final}
	for _, a := range answers {
		n := proof.Node(e, a.node.Identity())
		proof.Valid(n, final, a.value.slot)
		n.Age = a.value.age
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.hashes) >= 256 {
		clear(s.hashes)
	}
	s.hashes[blockhash] = e
	return e.Clone(), nil
}

// How often and how long the signer waits for its nodes to know a new blockhash.
const (
	newAttempts = 4
	newPause    = 400 * time.Millisecond
)

var errNotValid = errors.New("the node does not call the blockhash valid")
