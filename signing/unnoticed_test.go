package signing

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestLentSimulatorIsNotAskedInVain: a node that is lent to a guard is asked about a payment only if
// something is to arrive in return, which its bytes do not tell.
func TestLentSimulatorIsNotAskedInVain(t *testing.T) {
	for _, receives := range []bool{false, true} {
		s := ordinary(txbuild.Transfer(owner, friend, 1))
		s.policy.Pins, s.policy.AllowBlind = nil, nil
		if receives {
			s.intent.Receive = []walletfi.Asset{{Mint: bonk.String(), Amount: 1}}
		}
		lends := &stage{
			before: accts{owner: {Lamports: 9000}, ourBonk: holding(Token2022Program, bonk, owner, 0)},
			after:  accts{owner: {Lamports: 9000}, ourBonk: holding(Token2022Program, bonk, owner, 0)},
		}
		_, _, err := s.sign(t, NewGuard(s.policy).WithNode(lends, nil), txbuild.V0)
		if !receives {
			require.NoError(t, err)
			require.Zero(t, lends.requests)
			continue
		}
		require.ErrorIs(t, err, ErrRefused)
		require.Positive(t, lends.requests)
	}
}

// TestHeldOnceByTwoCalls: what two pinned calls may write is listed once, as a simulation saw it.
func TestHeldOnceByTwoCalls(t *testing.T) {
	report := &Report{Reaches: []Reach{{Ours: []PublicKey{owner}}, {Ours: []PublicKey{owner}}}}
	seen := &node{looks: []look{{accounts: []judge.Key{judge.Key(owner)}, before: []program.State{{Lamports: 7}}}}}
	require.NoError(t, NewGuard(Policy{}).hold(t.Context(), report, seen))
	require.Equal(t, []Holding{{Account: owner, Mint: NativeMint, Amount: 7}}, report.Holds)
}

// TestShortAddressIsShorter: one of which both ends are all of it is written in full.
func TestShortAddressIsShorter(t *testing.T) {
	k := owner
	for i := 0; len(k.String()) != longestAddress; i++ {
		k = addressOf(strconv.Itoa(i))
	}
	whole := &people{report: new(Report), ends: longestAddress / 2}
	require.Equal(t, k.String(), whole.short(k))
	part := &people{report: new(Report), ends: longestAddress/2 - 1}
	require.Equal(t, k.String()[:21]+"…"+k.String()[23:], part.short(k))
}

// TestCallThatCannotReach: a call writes an account of ours only if it is given it, or may be: with
// accounts that nothing looked up, by our signature.
func TestCallThatCannotReach(t *testing.T) {
	moved := Movement{To: ourUSDC, Transaction: 1}
	for name, row := range map[string]struct {
		call    Reach
		reaches bool
	}{
		"others":                {Reach{Transaction: 1, Ours: []PublicKey{ourBonk}}, false},
		"none":                  {Reach{Transaction: 1}, false},
		"it":                    {Reach{Transaction: 1, Ours: []PublicKey{ourUSDC}}, true},
		"it, earlier":           {Reach{Ours: []PublicKey{ourUSDC}}, false},
		"unknown ones":          {Reach{Transaction: 1, Unknown: 1}, true},
		"ones not shown":        {Reach{Transaction: 2, Unshown: 1}, true},
		"unknown, not our sign": {Reach{Transaction: 1, Unknown: 1, Unsigned: true}, false},
	} {
		report := &Report{Reaches: []Reach{row.call}}
		require.Equal(t, row.reaches, report.reaching(moved) != nil, name)
	}
}

// TestLastingPartForgetsTheSimulation: whether a token is got counts, in what a person approves, by what
// is asked for and what the bytes add. A simulation shows other amounts with every slot.
func TestLastingPartForgetsTheSimulation(t *testing.T) {
	mint := func(k PublicKey) []walletfi.Asset { return []walletfi.Asset{{Mint: k.String(), Amount: 1}} }
	r := &Report{Intent: walletfi.Intent{Receive: mint(usdc)}, Brings: mint(pump), Arrives: mint(bonk)}
	for _, lasting := range []bool{false, true} {
		p := &people{report: r, lasting: lasting, ends: 4}
		require.True(t, p.gets(usdc))
		require.True(t, p.gets(pump))
		require.Equal(t, !lasting, p.gets(bonk))
	}
}

// TestOneExecutedOneSimulated: the report names each, and which was shown how.
func TestOneExecutedOneSimulated(t *testing.T) {
	r := &Report{Simulated: true, Transactions: []TransactionReport{{JudgedBy: ByExecution}, {JudgedBy: BySimulation}}}
	p := &people{report: r, ends: 4}
	p.simulated()
	require.Contains(t, p.text.String(), "Shown by what transaction 1 did, and by a simulation of transaction 2")
}

// TestCallsOfOneByteAreCounted with those of the same first byte whose other bytes are arguments.
func TestCallsOfOneByteAreCounted(t *testing.T) {
	var calls []learnedCall
	for i, data := range []string{"a", "a1234567", "a2345678", "a3456789"} {
		calls = append(calls, learnedCall{sample: i, program: exchange, data: []byte(data)})
	}
	all := shown(calls)
	require.Len(t, all, 1)
	require.Equal(t, Discriminator("a"), all[0].Instruction)
	require.Equal(t, 4, all[0].Samples)
}
