package signing

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// inOrder runs a set in order; what it answers of a later transaction is after.
type inOrder struct {
	answering
	after  answering
	before []int
}

func (s *inOrder) SimulateAfter(_ context.Context, earlier []*Transaction, r SimulationRequest) (*Simulation, error) {
	s.before = append(s.before, len(earlier))
	return s.after(r)
}

func quiet(r SimulationRequest) (*Simulation, error) {
	return unchangedBy(r), nil
}

func fails(SimulationRequest) (*Simulation, error) { return &Simulation{Err: "account not found"}, nil }

// blank is a resolver that knows no table.
type blank struct{}

func (blank) LookupTable(context.Context, PublicKey) (LookupTable, error) {
	return LookupTable{}, ErrUnknown
}

func unknown(SimulationRequest) (*Simulation, error) { return nil, ErrUnknown }

// TestLaterTransactions: a set is signed only if every transaction of it was judged
// on the state that the earlier ones leave, or the caller allows the service blind.
func TestLaterTransactions(t *testing.T) {
	laterFails := func(r SimulationRequest) (*Simulation, error) {
		for _, ins := range r.Transaction.Instructions() {
			if ins.Program == exchange {
				return fails(r)
			}
		}
		return quiet(r)
	}
	cases := []struct {
		name      string
		simulator Simulator
		rule      Rule // without AllowBlind
		blind     Rule // with it
		why       string
	}{
		{"by itself", answering(quiet), RuleBlind, "", "the simulator does not run it after those before it"},
		{"by itself it fails", answering(laterFails), RuleBlind, "",
			`the simulator does not run it after those before it; by itself it would fail: "account not found"`},
		{"by itself unknown", &inOrder{answering: quiet, after: unknown}, RuleBlind, "", "the simulator does not run it after those before it"},
		{"after the first", &inOrder{answering: quiet, after: quiet}, "", "", ""},
		{"after the first it fails", &inOrder{answering: quiet, after: fails}, RuleSimulationFailed, RuleSimulationFailed, ""},
		{"nothing is known", answering(unknown), RuleBlind, "", "the simulator could not run it"},
	}
	for _, c := range cases {
		for _, format := range txbuild.Formats {
			t.Run(c.name+"/"+format.String(), func(t *testing.T) {
				first, second := ordinary(txbuild.Memo("x")), ordinary(txbuild.Call(exchange, nil, txbuild.WritableSigner(owner)))
				first.policy.Simulator = c.simulator
				u := set(format, first, second)
				txs, report, err := NewGuard(first.policy).SignSet(t.Context(), u, ownerKey)
				if c.blind == "" {
					require.NoError(t, err)
					require.Len(t, txs, 2)
					if c.why != "" {
						assert.Contains(t, report.Blind, Blind{1, c.why})
						assert.Contains(t, report.Text(), "NOT CHECKED: nothing shows what the programs in transaction 2 do (")
						assert.Contains(t, report.String(), "BLIND: transaction 2")
					}
					assert.Equal(t, c.why == "", report.Simulated)
				} else {
					require.Equal(t, c.blind, wiretest.As[*GuardError](t, err).Rule)
				}
				first.policy.AllowBlind = []string{"lending"}
				_, report, err = NewGuard(first.policy).SignSet(t.Context(), u, ownerKey)
				assert.Empty(t, report.Blind)
				if c.rule == "" {
					require.NoError(t, err)
					return
				}
				refusal := wiretest.As[*GuardError](t, err)
				require.Equal(t, c.rule, refusal.Rule, refusal.Error())
				if c.rule == RuleBlind {
					assert.Contains(t, refusal.Allowed, `AllowBlind: []string{"swap"}`, "the line to add")
					assert.Contains(t, refusal.Allowed, "at the risk of all")
				}
			})
		}
	}
}

// TestBytesBoundWhatCallsNothingPinned: a payment needs no outcome, and the report
// says that it has none.
func TestBytesBoundWhatCallsNothingPinned(t *testing.T) {
	pay := ordinary(txbuild.Transfer(owner, friend, 1))
	pay.policy.Simulator, pay.policy.AllowBlind = answering(quiet), nil
	u := set(txbuild.V0, pay, ordinary(txbuild.Transfer(owner, friend, 2)))
	_, report, err := NewGuard(pay.policy).CheckSet(t.Context(), u)
	require.NoError(t, err)
	assert.Empty(t, report.Blind)
	assert.False(t, report.Simulated)
	assert.Equal(t, []Note{{Transaction: 1, Instruction: EnvelopeInstruction, Kind: NoteSimulation,
		Text: "the simulator does not run it after those before it"}}, report.Notes)
	assert.Contains(t, report.Text(), `Note: transaction 2 was not simulated: "the simulator`)
}

// TestSetsAreRunInOrder: each later transaction is run after all before it.
func TestSetsAreRunInOrder(t *testing.T) {
	s := ordinary(txbuild.Memo("x"))
	simulator := &inOrder{answering: quiet, after: quiet}
	s.policy.Simulator, s.policy.AllowBlind = simulator, nil
	_, report, err := NewGuard(s.policy).CheckSet(t.Context(), set(txbuild.V0, s, ordinary(txbuild.Memo("y")), ordinary(txbuild.Memo("z"))))
	require.NoError(t, err)
	assert.True(t, report.Simulated)
	assert.Equal(t, []int{1, 2}, simulator.before)
}

// TestUnknownTables: what a table loads is unknown to a node, so that nobody saw
// what becomes of it.
func TestUnknownTables(t *testing.T) {
	s := ordinary(txbuild.Call(exchange, nil, txbuild.Writable(thief), txbuild.Signer(owner))).with(behindTables).with(unprotected)
	for name, change := range map[string]func(*Policy){
		"no resolver":                   func(p *Policy) { p.Simulator = answering(quiet) },
		"a resolver that does not know": func(p *Policy) { p.Simulator, p.Resolver = answering(quiet), blank{} },
		"and no simulator":              func(p *Policy) { p.Resolver = blank{} },
		"nobody at all":                 func(*Policy) {},
	} {
		policy := s.policy
		change(&policy)
		_, report, err := s.sign(t, NewGuard(policy), txbuild.V0)
		require.NoError(t, err, name)
		require.Len(t, report.Blind, 1, name)
		policy.AllowBlind = nil
		_, _, err = s.sign(t, NewGuard(policy), txbuild.V0)
		require.Equal(t, RuleBlind, wiretest.As[*GuardError](t, err).Rule, name)
	}
}

// TestBareGuard: without a simulator, a pinned program that may write something of
// ours needs a word of the caller's.
func TestBareGuard(t *testing.T) {
	bare := func(v verdict) verdict { return v.with(func(s *scene) { s.policy.AllowBlind = nil }) }
	call := func(a ...txbuild.Account) txbuild.Instruction { return txbuild.Call(exchange, nil, a...) }
	runVerdicts(t, []verdict{
		bare(allow("nothing pinned is called", spl.TransferChecked(ourUSDC, usdc, vault, owner, 5, 6))),
		bare(allow("nothing of ours is written", call(txbuild.Writable(vault), txbuild.Readonly(ourUSDC)))),
		bare(refuse("the wallet", RuleBlind, call(txbuild.WritableSigner(owner)))),
		bare(refuse("by our signature, the account of a mint that nobody names", RuleBlind, call(txbuild.Signer(owner), txbuild.Writable(ourBonk)))).with(func(s *scene) {
			s.build.Payer, s.intent.Sponsor = sponsor, sponsor.String()
		}),
		bare(refuse("a token account", RuleBlind, call(txbuild.Writable(ourUSDC)))),
		bare(refuse("a listed account", RuleBlind, call(txbuild.Writable(listed)))),
		bare(refuse("after one that writes nothing", RuleBlind, call(txbuild.Writable(vault)), call(txbuild.Writable(ourUSDC)))),
	})
}
