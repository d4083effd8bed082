package world_test

import (
	"context"
	"encoding/binary"
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

// exchange is a pinned program that does anything with the accounts of a call,
// as the number in the call's data says. It does so in a simulation, and then
// for those who had it simulated.
type exchange struct {
	id      solana.PublicKey
	watched bool            // a simulation runs
	seen    map[string]bool // the data of calls that were simulated
	moved   int             // calls of other programs that were carried out
}

func (e *exchange) run(x *ledger.Invocation) {
	if len(x.Data) < 9 || !e.watched && !e.seen[string(x.Data)] {
		return
	}
	number := binary.LittleEndian.Uint64(x.Data[1:])
	r := rand.New(rand.NewPCG(number, 0x65786368))
	if r.IntN(4) == 0 {
		return
	}
	for range 1 + r.IntN(2) {
		x.Invoke(e.whim(x, r))
		if !e.watched {
			e.moved++
		}
	}
}

// whim is any instruction over the accounts of the call.
func (e *exchange) whim(x *ledger.Invocation, r *rand.Rand) ledger.Instruction {
	any := func() ledger.Meta { return x.Accounts[r.IntN(len(x.Accounts))] }
	writes := func() ledger.Meta { m := any(); m.Signer, m.Writable = false, true; return m }
	signs := ledger.Meta{Key: x.Accounts[0].Key, Signer: true}
	payer := ledger.Meta{Key: x.Accounts[0].Key, Signer: true, Writable: true}
	number := func(tag ...byte) []byte { return binary.LittleEndian.AppendUint64(tag, r.Uint64N(1<<(6+r.IntN(26)))) }
	source, target := e.pair(x, r)
	token := e.programOf(x, source)
	call := func(program solana.PublicKey, data []byte, accounts ...ledger.Meta) ledger.Instruction {
		return ledger.Instruction{Program: program, Accounts: accounts, Data: data}
	}
	switch r.IntN(12) {
	case 0, 1:
		return call(solana.SystemProgramID, number(2, 0, 0, 0), payer, writes())
	case 2, 3, 4, 5:
		return call(token, number(3), source, target, signs)
	case 6:
		return call(token, number(4), source, any(), signs)
	case 7:
		return call(token, append([]byte{6, byte(2 + r.IntN(2)), 1}, target.Key[:]...), source, signs)
	case 8:
		return call(token, []byte{9}, source, writes(), signs)
	case 9:
		return call(token, number(8), source, e.mintOf(x, source), signs)
	case 10:
		return call(solana.SystemProgramID, append([]byte{1, 0, 0, 0}, e.id[:]...), payer)
	}
	return call(token, []byte{5}, source, signs)
}

// pair is a token account of the owner's and another of the same mint, if the
// call has any.
func (e *exchange) pair(x *ledger.Invocation, r *rand.Rand) (source, target ledger.Meta) {
	var held []ledger.Meta
	for _, m := range x.Accounts {
		if _, ok := ledger.AsToken(x.Peek(m.Key)); ok {
			held = append(held, m)
		}
	}
	source, target = x.Accounts[1], x.Accounts[1]
	if len(held) == 0 {
		return source, target
	}
	source = held[r.IntN(len(held))]
	target = source
	mint, _ := ledger.AsToken(x.Peek(source.Key))
	for _, m := range held {
		if t, _ := ledger.AsToken(x.Peek(m.Key)); t.Mint() == mint.Mint() && m.Key != source.Key {
			target = m
		}
	}
	return source, target
}

func (e *exchange) programOf(x *ledger.Invocation, m ledger.Meta) solana.PublicKey {
	if owner := x.Peek(m.Key).Owner; owner == solana.Token2022ProgramID {
		return owner
	}
	return solana.TokenProgramID
}

func (e *exchange) mintOf(x *ledger.Invocation, m ledger.Meta) ledger.Meta {
	if t, ok := ledger.AsToken(x.Peek(m.Key)); ok {
		return ledger.Meta{Key: t.Mint(), Writable: true}
	}
	return m
}

// TestConservationKnockout: without one of these rules, a guard would sign sets
// of the grammar that cost the owner more than the caps. A set that no other rule
// refuses is carried out as if the rule were not there.
func TestConservationKnockout(t *testing.T) {
	needed := []signing.Rule{
		signing.RuleSystemTransfer, signing.RuleLookup, signing.RuleTokenTransfer, signing.RuleTokenApprove, signing.RuleTokenAuthority,
		signing.RuleTokenClose, signing.RuleTokenBurn, signing.RuleTip, signing.RuleSet, signing.RuleSystemAssign,
	}
	c := newConservation(t, 7, nil)
	draws, found, missing := 0, map[signing.Rule]string{}, len(needed)
	for ; missing > 0 && draws < 60_000; draws++ {
		drawn, _, report, err := c.judged(t)
		if err == nil || len(report.Also) > 0 || report.Transactions == nil {
			continue
		}
		rule := report.Refusal.Rule
		if _, ok := found[rule]; ok {
			continue
		}
		txs, err := signing.DecodeAll(drawn.Unsigned)
		require.NoError(t, err)
		loss, _, _ := c.world.carryOut(txs)
		if why := above(drawn, report, loss); why != "" {
			found[rule] = why
			if slices.Contains(needed, rule) {
				missing--
			}
			t.Logf("without %s, draw %d: %s", rule, draws, why)
		}
	}
	for _, rule := range needed {
		require.Contains(t, found, rule, "no loss without %s in %d draws", rule, draws)
	}
}

// conservedWorld is a ledger that forgets what a set did to it.
type conservedWorld struct {
	*mutationWorld
	exchange *exchange
	wrapped  solana.PublicKey
}

func (m *mutations) conserved(g *corpus.Grammar) *conservedWorld {
	table, held := g.Table()
	w := &conservedWorld{mutationWorld: m.world(corpus.Case{Lookups: map[corpus.Key][]corpus.Key{table: held}}, 1_000_000, 1_000_000_000)}
	w.wrapped = ledger.Associated(m.owner, solana.WrappedSol, solana.TokenProgramID)
	w.exchange = &exchange{id: corpus.NewLedger(m.config).Programs[0], seen: map[string]bool{}}
	w.Register(w.exchange.id, w.exchange.run)
	return w
}

// carryOut executes a set in order, keeps what each transaction does until the
// outcome is known, and puts everything back. A transaction that fails leaves
// the ledger as it was, and the next is tried all the same.
func (w *conservedWorld) carryOut(txs []*signing.Transaction) (o *outcome, landed int, errs []error) {
	before, after, was := map[string]uint64{}, map[string]uint64{}, map[solana.PublicKey]*ledger.Account{}
	o = &outcome{loss: map[string]uint64{}}
	for _, tx := range txs {
		s, err := w.Simulate(tx.Bytes(), false, false)
		if err == nil && s.Err != nil {
			err = s.Err
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		landed++
		for key := range s.Accounts {
			if _, touched := was[key]; !touched {
				was[key] = w.Account(key)
				w.kept(before, key, was[key])
			}
			w.put(key, s.Touched(w.Ledger, key))
		}
	}
	for key := range was {
		if a := w.Account(key); a != nil && a.Lamports > 0 {
			o.taken = append(o.taken, w.kept(after, key, a)...)
		}
	}
	for key, a := range was {
		w.put(key, a)
	}
	clear(w.exchange.seen)
	for mint, had := range before {
		if has := after[mint]; has < had {
			o.loss[mint] = had - has
		}
	}
	return o, landed, errs
}

func (w *conservedWorld) put(key solana.PublicKey, a *ledger.Account) {
	if a == nil {
		a = &ledger.Account{}
	}
	w.Put(key, *a)
}

// kept is count, with the lamports at the address of the owner's wrapped-SOL
// account even if an earlier transaction has closed it: whoever makes it again,
// the owner takes them back.
func (w *conservedWorld) kept(to map[string]uint64, key solana.PublicKey, a *ledger.Account) (others []string) {
	if key == w.wrapped && a != nil && len(a.Data) == 0 {
		to[walletfi.NativeMint] += a.Lamports
		return nil
	}
	return w.count(to, key, a)
}
