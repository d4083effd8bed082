package world_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// The long mode: go test -run Conservation ./sandbox/internal/world -timeout 0 -conservation.sets 1000000
var (
	conservationSets = flag.Int("conservation.sets", 5000, "how many signed sets TestConservation carries out")
	conservationSeed = flag.Uint64("conservation.seed", 1, "the seed of TestConservation's draws")
	conservationTime = flag.Duration("conservation.time", time.Hour, "when TestConservation stops at the latest")
)

// conservation is a run: what was drawn, and what became of it.
type conservation struct {
	*mutations
	world   *conservedWorld
	grammar *corpus.Grammar
	policy  []corpus.Policy
	guards  []*signing.Guard
	r       *rand.Rand

	signed, refused, landed, failed, above, untold, costly int
}

// newConservation readies a run; change adds to a guard's policy.
func newConservation(t *testing.T, seed uint64, change func(*conservation, *signing.Policy)) *conservation {
	t.Helper()
	m := newMutations(t)
	c := &conservation{mutations: m, grammar: corpus.NewGrammar(m.config), r: rand.New(rand.NewPCG(seed, 0x636f6e73))}
	c.world = m.conserved(c.grammar)
	c.policy = c.grammar.Policies()
	for _, p := range c.policy {
		policy := hold.Policy(corpus.Case{Policy: p})
		if change != nil {
			change(c, &policy)
		}
		c.guards = append(c.guards, signing.NewGuard(policy))
	}
	return c
}

// TestConservation draws random sets from a grammar of all supported
// instructions, carries out on a ledger what the guard lets pass, and holds the
// owner's losses against the intent's caps and against the guard's own report.
// Pinned programs move only what the bytes authorise them to.
func TestConservation(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	c := newConservation(t, *conservationSeed, nil)
	c.run(t, *conservationSets)
	require.Greater(t, c.landed, c.signed/2, "next to nothing was carried out")
	require.Greater(t, c.costly, c.signed/10, "next to nothing cost anything")
}

func (c *conservation) run(t *testing.T, sets int) {
	t.Helper()
	if underRace {
		sets /= 20
	}
	end := time.Now().Add(*conservationTime)
	for c.signed < sets && (c.signed%1000 > 0 || time.Now().Before(end)) {
		c.one(t)
	}
	t.Logf("seed %d: %d refused, %d transactions landed, %d failed, %d sets cost the owner something, %d cost more than their report says",
		*conservationSeed, c.refused, c.landed, c.failed, c.costly, c.untold)
	t.Logf("signed sets=%d losses above caps=%d", c.signed, c.above)
	require.Zero(t, c.above)
	require.Zero(t, c.untold)
}

// one draws a set, has it judged, and carries it out if it passes.
func (c *conservation) one(t *testing.T) {
	drawn, txs, report, err := c.judged(t)
	if err != nil {
		c.refused++
		return
	}
	c.signed++
	loss, ok, lost := c.world.carryOut(txs)
	c.landed += ok
	c.failed += len(txs) - ok
	if len(loss.loss) > 0 {
		c.costly++
	}
	if why := above(drawn, report, loss); why != "" {
		c.above++
		t.Errorf("set %d of seed %d: %s\n%s\n%v", c.signed, *conservationSeed, why, report, lost)
	}
	if why := untold(report, loss); why != "" {
		c.untold++
		t.Errorf("set %d of seed %d: %s\n%s\n%v", c.signed, *conservationSeed, why, report, lost)
	}
}

// judged draws a set and has it judged. The error is a refusal.
func (c *conservation) judged(t *testing.T) (corpus.Case, []*signing.Transaction, *signing.Report, error) {
	t.Helper()
	at := c.r.IntN(len(c.policy))
	drawn := c.grammar.Draw(c.r, c.policy[at])
	txs, report, err := c.guards[at].CheckSet(t.Context(), drawn.Unsigned, hold.Options(drawn)...)
	if err == nil {
		return drawn, txs, report, nil
	}
	refusal, ok := errors.AsType[*signing.GuardError](err)
	require.True(t, ok, "%v", err)
	require.NotEmpty(t, refusal.Allowed, "what would have passed")
	return drawn, nil, report, refusal
}

// above says how an outcome is past the caps, "" if it is not. The rent of an
// account that is closed to a named sponsor is the sponsor's.
func above(c corpus.Case, report *signing.Report, o *outcome) string {
	most := caps(c.Unsigned.Intent)
	most[walletfi.NativeMint] += sponsored(report)
	for mint, loss := range o.loss {
		if loss > most[mint] && !slices.Contains(c.Unsigned.Intent.BurnAll, mint) {
			return fmt.Sprintf("%d of %s lost, %d allowed", loss, mint, most[mint])
		}
	}
	for _, other := range o.taken {
		if !slices.Contains(c.Unsigned.Intent.Delegates, other) {
			return other + " has power over an account of the owner's"
		}
	}
	return ""
}

// sponsored is the rent that accounts leave to somebody else who were to be
// closed; of others it is among what the report says that leaves.
func sponsored(report *signing.Report) (lamports uint64) {
	for _, n := range report.Notes {
		if n.Kind == signing.NoteClose && n.Text != "" && n.To != report.Owner {
			lamports += ledger.Rent(195)
		}
	}
	return lamports
}

// untold says what an outcome cost beyond what the report says that leaves.
func untold(report *signing.Report, o *outcome) string {
	if report.Simulated {
		return ""
	}
	told := map[string]uint64{walletfi.NativeMint: report.NetworkFeeLamports() + sponsored(report)}
	for _, m := range report.Leaves {
		told[m.Mint.String()] += m.Amount
	}
	for mint, loss := range o.loss {
		if loss > told[mint] {
			return fmt.Sprintf("%d of %s lost, and the report tells of %d", loss, mint, told[mint])
		}
	}
	return ""
}

// ledgerSimulator simulates on the run's ledger, and lets the exchange do what
// its number says in each transaction that succeeds.
type ledgerSimulator struct{ world *conservedWorld }

// Simulate runs the transaction by itself.
func (l ledgerSimulator) Simulate(_ context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	raw := r.Transaction.Bytes()
	l.world.exchange.watched = true
	s, err := l.world.Simulate(raw, false, false)
	l.world.exchange.watched = false
	answer := &signing.Simulation{}
	switch {
	case err != nil:
		return &signing.Simulation{Err: err.Error()}, nil
	case s.Err != nil:
		return &signing.Simulation{Err: s.Err.Error()}, nil
	}
	for _, key := range r.Accounts {
		answer.Before = append(answer.Before, stateOf(l.world.Account(solana.PublicKey(key))))
		answer.After = append(answer.After, stateOf(s.Touched(l.world.Ledger, solana.PublicKey(key))))
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
	for _, ins := range r.Transaction.Instructions() {
		if solana.PublicKey(ins.Program) == l.world.exchange.id {
			l.world.exchange.seen[string(ins.Data)] = true
		}
	}
	return answer, nil
}

func stateOf(a *ledger.Account) signing.AccountState {
	if a == nil {
		return signing.AccountState{}
	}
	return signing.AccountState{Lamports: a.Lamports, Owner: signing.PublicKey(a.Owner), Data: slices.Clone(a.Data)}
}

// TestConservationSimulated: with a simulator, pinned programs do anything, but
// the guard saw what they did in the simulation.
func TestConservationSimulated(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	c := newConservation(t, *conservationSeed, func(c *conservation, p *signing.Policy) { p.Simulator = ledgerSimulator{c.world} })
	c.run(t, *conservationSets/5)
	require.Greater(t, c.world.exchange.moved, c.signed/40, "the exchange moved next to nothing")
	t.Logf("the exchange carried out %d calls of its own", c.world.exchange.moved)
}
