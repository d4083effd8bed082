package world_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/signing"
)

// mood is how the node answers when it is asked to simulate a transaction.
type mood string

// The moods of the node. A lie is an outcome that is not the ledger's.
const (
	honest  mood = "honest"
	fails   mood = "says that it fails"
	unknown mood = "does not know it"
	wrapped mood = "does not know it, in other words"
	broken  mood = "breaks"
	stalls  mood = "stalls until the caller gives up"
	empty   mood = "answers without any account"
	short   mood = "leaves out the last account"
	absent  mood = "answers nothing"
	lies    mood = "says that nothing changes"
)

var moods = []mood{fails, fails, unknown, wrapped, broken, stalls, empty, short, absent}

// sight is how much a guard sees of what pinned programs do.
type sight string

// The kinds of guards.
const (
	ordered sight = "has a set simulated in order"
	alone   sight = "has each transaction simulated by itself"
	allowed sight = "has a set simulated in order, and may sign blind"
	none    sight = "has no node, and may sign blind"
	bare    sight = "has no node"
)

var sights = []sight{ordered, alone, allowed, none, bare}

// blind reports whether the caller allows what nobody saw.
func (s sight) blind() bool { return s == allowed || s == none }

// node simulates on the run's ledger, as its moods are.
type node struct {
	world   *conservedWorld
	moods   map[string]mood // by message; honest about others
	giveUp  context.CancelFunc
	failing int             // simulations that did not answer with an outcome
	set     int             // that is judged
	place   map[string]int  // by message: how many transactions of the set come before it
	proved  map[string]bool // messages whose outcome was answered, as it is or not
}

// Simulate runs the transaction by itself.
func (n *node) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	return n.answer(ctx, nil, r)
}

// orderedNode also simulates on what earlier transactions leave.
type orderedNode struct{ *node }

// SimulateAfter runs earlier transactions first.
func (n orderedNode) SimulateAfter(
	ctx context.Context, earlier []*signing.Transaction, r signing.SimulationRequest,
) (*signing.Simulation, error) {
	return n.answer(ctx, earlier, r)
}

func (n *node) answer(
	ctx context.Context, earlier []*signing.Transaction, r signing.SimulationRequest,
) (*signing.Simulation, error) {
	m, ok := n.moods[string(r.Transaction.Message())]
	if !ok {
		m = honest
	}
	if m != honest && m != lies {
		n.failing++
	}
	switch m {
	case fails:
		return &signing.Simulation{Err: "custom program error: 0x1771"}, nil
	case unknown:
		return nil, signing.ErrUnknown
	case wrapped:
		return nil, fmt.Errorf("node at height 7: %w", signing.ErrUnknown)
	case broken:
		return nil, errors.New("connection reset by peer")
	case stalls:
		n.giveUp()
		<-ctx.Done()
		return nil, ctx.Err()
	case absent:
		return nil, nil
	}
	answer := n.run(earlier, r)
	switch m {
	case empty:
		answer.Before, answer.After = nil, nil
	case short:
		answer.Before = answer.Before[:max(0, len(answer.Before)-1)]
		answer.After = answer.After[:max(0, len(answer.After)-1)]
	case lies:
		answer.After, answer.Inner = slices.Clone(answer.Before), nil
	}
	whole := m == honest || m == lies || len(r.Accounts) == 0
	if answer.Err == "" && whole && len(earlier) == n.place[string(r.Transaction.Message())] {
		n.proved[string(r.Transaction.Message())] = true
	}
	return answer, nil
}

// run simulates on the ledger as the earlier transactions would leave it.
func (n *node) run(earlier []*signing.Transaction, r signing.SimulationRequest) *signing.Simulation {
	n.world.exchange.simulated = true
	defer func() { n.world.exchange.simulated = false }()
	undo := n.world.trial()
	defer undo()
	for _, tx := range earlier {
		if e := n.world.land(tx, nil); e.dropped != nil || e.failed != nil {
			return &signing.Simulation{Err: "an earlier transaction would fail"}
		}
		n.world.exchange.done[n.set]++
	}
	s, err := n.world.Simulate(r.Transaction.Bytes(), false, false)
	switch {
	case err != nil:
		return &signing.Simulation{Err: err.Error()}
	case s.Err != nil:
		return &signing.Simulation{Err: s.Err.Error()}
	}
	answer := &signing.Simulation{}
	for _, key := range r.Accounts {
		answer.Before = append(answer.Before, stateOf(n.world.Account(solana.PublicKey(key))))
		answer.After = append(answer.After, stateOf(s.Touched(n.world.Ledger, solana.PublicKey(key))))
	}
	for _, set := range s.Inner {
		for _, in := range set.Instructions {
			called := signing.InnerInstruction{Outer: set.Index, Program: signing.PublicKey(s.Keys[in.Program]), Data: in.Data}
			for _, a := range in.Accounts {
				called.Accounts = append(called.Accounts, signing.PublicKey(s.Keys[a]))
			}
			answer.Inner = append(answer.Inner, called)
		}
	}
	return answer
}

func stateOf(a *ledger.Account) signing.AccountState {
	if a == nil {
		return signing.AccountState{}
	}
	return signing.AccountState{Lamports: walletfi.Amount(a.Lamports), Owner: signing.PublicKey(a.Owner), Data: slices.Clone(a.Data)}
}
