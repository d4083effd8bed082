package signing

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// stage is a simulator that answers from memory: what accounts hold before,
// and what becomes of them.
type stage struct {
	before, after map[PublicKey]AccountState
	inner         []InnerInstruction
	fails         string
	err           error
	requests      int
	slot          uint64
}

// SimulateAfter plays the same whatever was before.
func (s *stage) SimulateAfter(ctx context.Context, _ []*Transaction, r SimulationRequest) (*Simulation, error) {
	return s.Simulate(ctx, r)
}

func (s *stage) Simulate(_ context.Context, r SimulationRequest) (*Simulation, error) {
	s.requests++
	if s.err != nil {
		return nil, s.err
	}
	out := &Simulation{Err: s.fails, Inner: s.inner, Slot: s.slot}
	for _, k := range r.Accounts {
		before, after := s.before[k], s.before[k]
		if changed, ok := s.after[k]; ok {
			after = changed
		}
		out.Before, out.After = append(out.Before, before), append(out.After, after)
	}
	canPay(out)
	return out, nil
}

// canPay gives the fee payer, which is the first account, what pays the fee, if nothing is said of it.
func canPay(s *Simulation) {
	if s.Before[0].Lamports == 0 && s.After[0].Lamports == 0 {
		s.Before[0].Lamports, s.After[0].Lamports = 1_000_000_000, 1_000_000_000-5000
	}
}

// unchangedBy is a simulation that changes nothing.
func unchangedBy(r SimulationRequest) *Simulation {
	s := &Simulation{Before: make([]AccountState, len(r.Accounts)), After: make([]AccountState, len(r.Accounts))}
	canPay(s)
	return s
}

// holding is a token account's state.
func holding(program, mint, owner PublicKey, amount uint64, change ...func([]byte)) AccountState {
	d := make([]byte, 165)
	copy(d, mint[:])
	copy(d[32:], owner[:])
	binary.LittleEndian.PutUint64(d[64:], amount)
	d[108] = 1
	for _, f := range change {
		f(d)
	}
	return AccountState{Lamports: accountRent, Owner: program, Data: d}
}

func withDelegate(k PublicKey, amount uint64) func([]byte) {
	return func(d []byte) {
		binary.LittleEndian.PutUint32(d[72:], 1)
		copy(d[76:], k[:])
		binary.LittleEndian.PutUint64(d[121:], amount)
	}
}

func withCloseAuthority(k PublicKey) func([]byte) {
	return func(d []byte) {
		binary.LittleEndian.PutUint32(d[129:], 1)
		copy(d[133:], k[:])
	}
}

func inner(ins txbuild.Instruction) InnerInstruction {
	in := InnerInstruction{Program: ins.Program, Data: ins.Data}
	for _, a := range ins.Accounts {
		in.Accounts = append(in.Accounts, a.Key)
	}
	return in
}

// swapping is a pinned call that turns 500 USDC into 2 SOL, as the stage
// plays it.
func swapping(change func(*stage), intent ...func(*walletfi.Intent)) *scene {
	s := ordinary(txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(ourUSDC), txbuild.Writable(vault), txbuild.Writable(ourWrapped), txbuild.Writable(listed)))
	s.intent.Receive = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 2_000_000_000}}
	for _, f := range intent {
		f(&s.intent)
	}
	play := &stage{
		before: map[PublicKey]AccountState{
			owner:   {Lamports: 5_000_000_000},
			ourUSDC: holding(TokenProgram, usdc, owner, 800),
			vault:   holding(TokenProgram, usdc, stranger, 9000),
		},
		after: map[PublicKey]AccountState{
			owner:   {Lamports: 7_000_000_000 - 5000},
			ourUSDC: holding(TokenProgram, usdc, owner, 300),
			vault:   holding(TokenProgram, usdc, stranger, 9500),
		},
		inner: []InnerInstruction{inner(spl.TransferChecked(ourUSDC, usdc, vault, owner, 500, 6)), inner(txbuild.Call(rogue, []byte{1})), inner(txbuild.Transfer(thief, owner, 2_000_000_000))},
	}
	change(play)
	s.policy.Simulator = play
	return s
}

func TestSimulation(t *testing.T) {
	row := func(name string, rule Rule, change func(*stage), intent ...func(*walletfi.Intent)) verdict {
		return verdict{name, swapping(change, intent...), rule}
	}
	runs := func(list ...txbuild.Instruction) func(*stage) {
		return func(s *stage) {
			for _, ins := range list {
				s.inner = append(s.inner, inner(ins))
			}
		}
	}
	becomes := func(k PublicKey, state AccountState) func(*stage) {
		return func(s *stage) { s.after[k] = state }
	}
	runVerdicts(t, []verdict{
		row("honest", "", func(*stage) {}),
		row("would fail", RuleSimulationFailed, func(s *stage) { s.fails = "custom program error: 0x1" }),
		row("less arrives", RuleSimulationArrival, becomes(owner, AccountState{Lamports: 6_999_994_999})),
		row("it arrives later", "", becomes(owner, AccountState{Lamports: 5_000_000_000 - 5000}), func(i *walletfi.Intent) { i.ReceiveAfter = new(time.Duration(0)) }),
		row("more leaves", RuleSimulationSpend, becomes(ourUSDC, holding(TokenProgram, usdc, owner, 254))),
		row("SOL leaves", RuleSimulationSpend, becomes(owner, AccountState{Lamports: 4_000_000_000}), func(i *walletfi.Intent) { i.Receive = nil }),
		row("an inner transfer past the spend", RuleTokenTransfer, runs(spl.TransferChecked(ourUSDC, usdc, vault, owner, 6, 6))),
		row("an inner transfer of SOL past the spend", RuleSystemTransfer, runs(txbuild.Transfer(owner, stranger, 1<<40))),
		row("an inner transfer of SOL within the spend", "", runs(txbuild.Transfer(owner, stranger, 1_000_000))),
		row("an inner approval that stays", RuleTokenApprove, runs(spl.Approve(ourUSDC, thief, owner, 1))),
		row("an inner new authority", RuleTokenAuthority, runs(spl.SetAuthority(ourUSDC, owner, 2, thief))),
		row("an inner new authority of others", "", runs(spl.SetAuthority(vault, stranger, 2, thief), spl.MintTo(usdc, vault, stranger, 5))),
		row("an inner assign", RuleSystemAssign, runs(txbuild.Assign(owner, rogue))),
		row("an inner instruction that nobody can read", RuleTokenUnknown, func(s *stage) {
			s.inner = append(s.inner, InnerInstruction{Program: TokenProgram, Accounts: []PublicKey{ourUSDC, owner}})
		}),
		row("the same on others", "", func(s *stage) {
			s.inner = append(s.inner, InnerInstruction{Program: TokenProgram, Accounts: []PublicKey{vault, stranger}})
		}),
		row("an inner create of a protocol's account", "", runs(txbuild.CreateAccount(owner, stranger, 3_000_000, 300, rogue))),
		row("an inner create past the rent", RuleRent, runs(txbuild.CreateAccount(owner, stranger, 1<<40, 10<<20, rogue))),
		row("an account handed over", RuleSimulationAuthority, becomes(ourUSDC, holding(TokenProgram, usdc, thief, 300))),
		row("a delegate", RuleSimulationAuthority, becomes(ourUSDC, holding(TokenProgram, usdc, owner, 300, withDelegate(thief, 1)))),
		row("a named delegate", "", becomes(ourUSDC, holding(TokenProgram, usdc, owner, 300, withDelegate(approved, 1)))),
		row("a close authority", RuleSimulationAuthority, becomes(ourUSDC, holding(TokenProgram, usdc, owner, 300, withCloseAuthority(thief)))),
		row("a trap of a new account", RuleSimulationAuthority, becomes(ourWrapped, holding(TokenProgram, NativeMint, owner, 0, withCloseAuthority(thief)))),
		row("the wallet handed over", RuleSimulationAuthority, becomes(owner, AccountState{Lamports: 7_000_000_000, Owner: rogue})),
		row("the wallet given data", RuleSimulationAuthority, becomes(owner, AccountState{Lamports: 7_000_000_000, Data: []byte{1}})),
		row("an inner stake of the pool's own", "", runs(txbuild.Call(StakeProgram, nil, txbuild.Writable(vault), txbuild.Signer(stranger)))),
		row("an inner stake of ours", RuleDeniedProgram, runs(txbuild.Call(StakeProgram, nil, txbuild.Writable(vault), txbuild.Signer(owner)))),
		row("an inner nonce of others", "", runs(txbuild.AdvanceNonce(vault, stranger))),
		row("an inner nonce of ours", RuleSystemNonce, runs(txbuild.WithdrawNonce(vault, thief, owner, 1))),
		row("an inner create of our account where lamports lie", "", runs(txbuild.CreateATA(owner, ourPump, owner, pump, Token2022Program, true),
			txbuild.Transfer(owner, ourPump, accountRent), txbuild.Allocate(ourPump, 170), txbuild.Assign(ourPump, Token2022Program))),
		row("a listed account handed over", RuleSimulationAuthority, func(s *stage) {
			s.before[vault], s.after[vault] = AccountState{}, AccountState{}
			s.before[listed], s.after[listed] = holding(TokenProgram, usdc, multisig, 5), holding(TokenProgram, usdc, thief, 5)
		}),
		row("what arrives wrapped", "", func(s *stage) {
			s.after[owner] = AccountState{Lamports: 5_000_000_000 - 5000 - accountRent}
			wrapped := holding(TokenProgram, NativeMint, owner, 2_000_000_000)
			wrapped.Lamports += 2_000_000_000
			s.after[ourWrapped] = wrapped
		}),
	})
}

// A program can tell that it is simulated: what it then does must not make
// anything allowed.
func TestSimulationOnlyAddsRefusals(t *testing.T) {
	cases := []struct {
		rule Rule
		top  []txbuild.Instruction
		then []txbuild.Instruction
	}{
		{RuleTokenApprove, []txbuild.Instruction{spl.Approve(ourUSDC, thief, owner, 1)}, []txbuild.Instruction{spl.Revoke(ourUSDC, owner)}},
		{RuleSystemCreate, []txbuild.Instruction{txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram)}, []txbuild.Instruction{spl.InitializeAccount3(fresh, usdc, owner)}},
		{RuleTip, []txbuild.Instruction{txbuild.Transfer(owner, thief, 1<<40)}, []txbuild.Instruction{txbuild.CreateATA(thief, thief, owner, bonk, TokenProgram, true)}},
	}
	for _, c := range cases {
		s := swapping(func(s *stage) {
			for _, ins := range c.then {
				in := inner(ins)
				in.Outer = len(c.top)
				s.inner = append(s.inner, in)
			}
			for i := range s.inner {
				s.inner[i].Outer = len(c.top)
			}
		})
		s.instructions = append(c.top, s.instructions...)
		_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
		refusal := wiretest.As[*GuardError](t, err)
		assert.Equal(t, c.rule, refusal.Rule, refusal.Error())
	}
}

func TestSimulatedReport(t *testing.T) {
	report := swapping(func(*stage) {}).report(t, txbuild.V0)
	assert.True(t, report.Simulated)
	assert.Equal(t, []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 2_000_000_000}}, report.Arrives)
	assert.Equal(t, []Movement{{Simulated: true, Rule: RuleTokenTransfer, Mint: usdc, Amount: 500, To: vault, CountsAs: CountsAsSpend}}, report.Leaves)
	assert.Equal(t, []string{"until when this can be executed: usually 1 to 2 minutes after you sign, which is not certain; no last block height was given"}, report.Unseen())
	assert.Contains(t, report.String(), "arrives  2 SOL, simulated")
}

func TestSimulatedDelegateTakesWhatWasApproved(t *testing.T) {
	s := swapping(func(s *stage) {
		s.inner = []InnerInstruction{{Outer: 1, Program: TokenProgram, Accounts: []PublicKey{ourUSDC, usdc, vault, stranger}, Data: spl.TransferChecked(ourUSDC, usdc, vault, stranger, 500, 6).Data}}
	})
	s.instructions = []txbuild.Instruction{spl.Approve(ourUSDC, stranger, owner, 500), s.instructions[0], spl.Revoke(ourUSDC, owner)}
	s.report(t, txbuild.V0)
	stage := s.policy.Simulator.(*stage)
	stage.inner = append(stage.inner, stage.inner[0])
	_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
	refusal := wiretest.As[*GuardError](t, err)
	assert.Equal(t, RuleTokenTransfer, refusal.Rule)
	assert.True(t, refusal.Simulated)
	assert.Equal(t, 1, refusal.Instruction)
}

func TestRentOfAnAssociatedAccountCountsOnce(t *testing.T) {
	s := swapping(func(s *stage) {
		s.inner = []InnerInstruction{inner(txbuild.CreateAccount(owner, ourWrapped, accountRent, 165, TokenProgram)), inner(spl.InitializeAccount3(ourWrapped, NativeMint, owner))}
		for i := range s.inner {
			s.inner[i].Outer = 0
		}
	}, func(i *walletfi.Intent) { i.MaxRentLamports = new(walletfi.Amount(accountRent)) })
	s.instructions = slices.Insert(s.instructions, 0, txbuild.CreateATA(owner, ourWrapped, owner, NativeMint, TokenProgram, true))
	assert.Equal(t, walletfi.Amount(accountRent), s.report(t, txbuild.V0).Total(NativeMint, CountsAsRent))
}

func TestSimulatorFails(t *testing.T) {
	s := swapping(func(s *stage) { s.err = errors.New("node is down") })
	_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
	require.ErrorContains(t, err, "node is down")
	require.NotErrorIs(t, err, ErrRefused)
}

func TestLearn(t *testing.T) {
	sample := func(n uint64, programs ...PublicKey) walletfi.Unsigned {
		s := swapping(func(*stage) {})
		for _, p := range programs {
			s.instructions = append(s.instructions, txbuild.Call(p, []byte{byte(n)}))
		}
		s.instructions = append(s.instructions, txbuild.UnitLimit(uint32(n)))
		return set(txbuild.V0, s)
	}
	policy := swapping(func(*stage) {}).policy
	policy.Pins = nil
	guard := NewGuard(policy)
	p, err := guard.Learn(t.Context(), "swap", []walletfi.Unsigned{sample(1), sample(2, rogue), sample(3), sample(3)})
	require.NoError(t, err)
	assert.Equal(t, 3, p.Samples)
	assert.Equal(t, []LearnedProgram{{exchange, 3}, {rogue, 1}}, p.Programs)
	assert.Equal(t, []PublicKey{exchange}, p.Pins(3))
	assert.Contains(t, p.Warning, "first sample may already be hostile")

	_, err = guard.Learn(t.Context(), "swap", []walletfi.Unsigned{sample(1), sample(2), sample(2), sample(2)})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	_, err = guard.Learn(t.Context(), "swap", []walletfi.Unsigned{sample(1), sample(2), sample(3, StakeProgram)})
	require.ErrorIs(t, err, ErrRefused)
	require.ErrorIs(t, wiretest.Error(new(Guard).Learn(t.Context(), "swap", nil)), ErrNoSimulator)
	_, _, err = guard.CheckSet(t.Context(), sample(1))
	require.ErrorIs(t, err, ErrRefused, "learning pins nothing")
}

// An idempotent create of an account that is there costs nothing: what it was
// assumed to cost is no part of what arrives.
func TestArrivalCountsNoRentThatNobodyPaid(t *testing.T) {
	again := func(s *scene) *scene {
		s.instructions = append([]txbuild.Instruction{
			txbuild.CreateATA(owner, ourUSDC, owner, usdc, TokenProgram, true),
		}, s.instructions...)
		return s
	}
	arriving := func(lamports uint64) func(*stage) {
		return func(s *stage) { s.after[owner] = AccountState{Lamports: walletfi.Amount(lamports)} }
	}
	runVerdicts(t, []verdict{
		{"all arrives", again(swapping(arriving(7_000_000_000 - 5000))), ""},
		{"the rent is missing", again(swapping(arriving(7_000_000_000 - 5000 - accountRent))), RuleSimulationArrival},
	})
}

// TestArrivalLater: what arrives with another transaction is not expected of the bytes, and
// its mint is read all the same.
func TestArrivalLater(t *testing.T) {
	later := func(mint string) func(*scene) {
		return func(s *scene) {
			s.intent.Receive = []walletfi.Asset{{Mint: mint, Amount: 1}}
			s.intent.ReceiveAfter = new(time.Duration(0))
		}
	}
	pays := txbuild.Transfer(owner, friend, 1)
	runVerdicts(t, []verdict{allow("it arrives later", pays).with(later(bonk.String()))})
	s := ordinary(pays).with(later("nonsense"))
	_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
	require.Equal(t, "Intent.Receive", wiretest.As[*walletfi.ValidationError](t, err).Field)
}
