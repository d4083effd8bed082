package signing

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestAttackedLearning: one poisoned sample widens no pin. What it shows is counted, and flagged.
func TestAttackedLearning(t *testing.T) {
	number := uint32(0)
	sample := func(data []byte, more ...txbuild.Instruction) walletfi.Unsigned {
		s := swapping(func(*stage) {})
		s.instructions[0].Data = data
		number++
		s.instructions = append(append(s.instructions, more...), txbuild.UnitLimit(number))
		return set(txbuild.V0, s)
	}
	policy := swapping(func(s *stage) { s.before[ourBonk] = holding(Token2022Program, bonk, owner, 5) }).policy
	policy.Pins = nil
	learn := func(samples ...walletfi.Unsigned) *Proposal {
		p, err := NewGuard(policy).Learn(t.Context(), "swap", samples)
		require.NoError(t, err)
		return p
	}
	call := func(program PublicKey, data []byte, accounts ...txbuild.Account) txbuild.Instruction {
		return txbuild.Call(program, data, accounts...)
	}
	may := []Role{NamedAccount, OwnerWallet, ReceivedAccount, SpentAccount}
	trade := Pin{Program: exchange, Instructions: []Discriminator{tradeD}, MayWrite: may}
	honest := func() walletfi.Unsigned { return sample(cat(tradeD, []byte{byte(number)})) }
	counted := []LearnedRole{{NamedAccount, 4}, {OwnerWallet, 4}, {ReceivedAccount, 4}, {SpentAccount, 4}}

	for name, c := range map[string]struct {
		poison walletfi.Unsigned
		odd    LearnedCall
	}{
		"another instruction": {sample(tradeD, call(exchange, withdrawD, txbuild.Writable(ourUSDC))),
			LearnedCall{exchange, withdrawD, 1, []LearnedRole{{SpentAccount, 1}}, true}},
		"one that begins alike": {sample(tradeD, call(exchange, quoteD), call(exchange, []byte{9})),
			LearnedCall{exchange, quoteD, 1, []LearnedRole{}, true}},
		"no data":         {sample(tradeD, call(exchange, nil)), LearnedCall{exchange, nil, 1, []LearnedRole{}, true}},
		"another program": {sample(tradeD, call(rogue, tradeD, txbuild.Writable(ourUSDC))), LearnedCall{rogue, tradeD, 1, []LearnedRole{{SpentAccount, 1}}, true}},
		"twice in one sample": {sample(tradeD, call(rogue, tradeD), call(rogue, tradeD)),
			LearnedCall{rogue, tradeD, 1, []LearnedRole{}, true}},
	} {
		p := learn(honest(), honest(), honest(), c.poison)
		require.Equal(t, []Pin{trade}, p.Calls, name)
		require.Contains(t, p.Shown, c.odd, name)
		require.Contains(t, p.Shown, LearnedCall{exchange, tradeD, 4, counted, false}, name)
		require.Equal(t, p.Calls, p.TypedPins(1), name)
	}
	// An account that one sample writes beside the others.
	poison := sample(tradeD, call(exchange, tradeD, txbuild.Writable(ourBonk)))
	p := learn(honest(), honest(), honest(), poison)
	require.Equal(t, []Pin{trade}, p.Calls)
	require.Contains(t, p.Shown[0].Writes, LearnedRole{AnyAccount, 1})
	two := sample(tradeD, call(exchange, tradeD, txbuild.Writable(ourBonk)))
	require.Contains(t, learn(honest(), honest(), poison, two).Calls[0].MayWrite, AnyAccount, "two of them agree")

	// The first byte names an instruction if three samples differ after it.
	seven := func(n byte) walletfi.Unsigned { return sample([]byte{7, n, 1, 1, 1, 1, 1, 1, 1}) }
	p = learn(seven(1), seven(2), seven(3))
	require.Equal(t, []Discriminator{{7}}, p.Calls[0].Instructions)
	p = learn(seven(1), seven(2), sample([]byte{8}))
	require.Empty(t, p.Calls)
	require.Len(t, p.Shown, 3)
	require.False(t, slices.ContainsFunc(p.Shown, func(c LearnedCall) bool { return !c.Odd }))
	p = learn(seven(1), seven(1), seven(2), seven(3), seven(4))
	require.Equal(t, [][]Discriminator{{{7}}, {{7, 1, 1, 1, 1, 1, 1, 1}}}, [][]Discriminator{p.Calls[0].Instructions, p.Calls[1].Instructions})

	// What is proposed passes what all samples show, and nothing without data.
	policy.TypedPins = map[string][]Pin{"swap": p.Calls}
	_, _, err := NewGuard(policy).CheckSet(t.Context(), sample(nil))
	require.ErrorIs(t, err, ErrRefused)
	_, _, err = NewGuard(policy).CheckSet(t.Context(), seven(9))
	require.NoError(t, err)
}

// TestAttackedTwins: samples that differ after their first transaction are different ones.
func TestAttackedTwins(t *testing.T) {
	calls := func(programs ...PublicKey) walletfi.Unsigned {
		var scenes []*scene
		for _, p := range programs {
			scenes = append(scenes, ordinary(txbuild.Call(p, tradeD)))
		}
		return set(txbuild.V0, scenes...)
	}
	policy := ordinary().policy
	policy.Pins, policy.Simulator = nil, &stage{before: accts{owner: {Lamports: 9_000_000}}, after: accts{owner: {Lamports: 9_000_000 - 5000}}}
	p, err := NewGuard(policy).Learn(t.Context(), "swap", []walletfi.Unsigned{
		calls(exchange), calls(exchange, rogue), calls(exchange, thief), calls(exchange, rogue),
	})
	require.NoError(t, err)
	require.Equal(t, 3, p.Samples)
	require.Equal(t, []LearnedProgram{{exchange, 3}, {rogue, 1}, {thief, 1}}, p.Programs)
}
