package signing

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// harmless are the tags that may act on an account of ours and neither take of it nor bind it.
// In a call it is the outcome that shows more of some: what becomes of a new account, and
// whether a transfer has taken anything.
var harmless = map[string][]byte{
	"Token": {1, 17, 21, 22, 23, 24}, "Token-2022": {1, 17, 21, 22, 23, 24, 26}, // made ours, sync native, sizes, texts, what is withheld
	"Token in a call": {0, 1, 12, 16, 17, 18, 20, 21, 22, 23, 24}, "Token-2022 in a call": {0, 1, 12, 16, 17, 18, 20, 21, 22, 23, 24, 26},
}

// TestAttackedEffects: every instruction of the programs with rules, whatever its tag and
// second tag, on an account of ours and with our signature, by the transaction or in a call, is
// refused, is told of in the report, or is among those that are known to be harmless.
func TestAttackedEffects(t *testing.T) {
	data := func(head []byte, key PublicKey) []byte {
		d := append(slices.Clone(head), make([]byte, 40)...)
		copy(d[len(head)+2:], key[:])
		return d
	}
	type kind struct {
		program PublicKey
		name    string
		account PublicKey
		heads   [][]byte
	}
	var tags, systemTags [][]byte
	for tag := range 256 {
		tags = append(tags, []byte{byte(tag)})
		systemTags = append(systemTags, binary.LittleEndian.AppendUint32(nil, uint32(tag)))
	}
	for _, tag := range []byte{26, 27, 28, 30, 33, 34, 36, 37, 39, 40, 41, 42, 43, 44, 46} {
		for second := range 20 {
			tags = append(tags, []byte{tag, byte(second)})
		}
	}
	before := len(swapping(func(*stage) {}).report(t, txbuild.V0).Leaves)
	passed, seen := map[string][]byte{}, 0
	for _, k := range []kind{
		{TokenProgram, "Token", ourUSDC, tags}, {Token2022Program, "Token-2022", ourPump, tags},
		{SystemProgram, "System", owner, systemTags}, {StakeProgram, "Stake", vault, systemTags},
		{VoteProgram, "Vote", vault, systemTags}, {UpgradeableLoader, "Loader", vault, systemTags},
	} {
		for _, head := range k.heads {
			ins := txbuild.Call(k.program, data(head, thief), txbuild.Writable(k.account), txbuild.Writable(vault), txbuild.WritableSigner(owner), txbuild.Signer(owner))
			for _, inCall := range []bool{false, true} {
				s := swapping(func(*stage) {})
				if inCall {
					s.policy.Simulator.(*stage).inner = append(s.policy.Simulator.(*stage).inner, inner(ins))
				} else {
					s.instructions = append(s.instructions, ins)
				}
				s.instructions[0].Accounts = append(s.instructions[0].Accounts, txbuild.Writable(k.account))
				_, report, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
				seen++
				if err != nil {
					wiretest.As[*GuardError](t, err)
					continue
				}
				name := k.name
				if inCall {
					name += " in a call"
				}
				silent := len(report.Leaves) == before && len(report.Notes) == 0 && len(report.Stays) == 0
				if silent && !slices.Contains(passed[name], head[0]) {
					passed[name] = append(passed[name], head[0])
				}
			}
		}
	}
	require.Equal(t, harmless, passed)
	require.Greater(t, seen, 4000)
}

// extended is our account with extensions of Token-2022.
func extended(state byte, extensions ...[]byte) AccountState {
	s := holding(Token2022Program, pump, owner, 70)
	s.Data[108] = state
	s.Data = append(s.Data, 2)
	for _, e := range extensions {
		s.Data = append(s.Data, e...)
	}
	return s
}

// extension is one of a type, with its data.
func extension(kind uint16, data ...byte) []byte {
	e := binary.LittleEndian.AppendUint16(nil, kind)
	return append(binary.LittleEndian.AppendUint16(e, uint16(len(data))), data...)
}

// TestAttackedStates: what states alone show of an account of ours besides its amount. Each
// effect on it is refused, or reported with what it means for the owner.
func TestAttackedStates(t *testing.T) {
	fee := func(n byte) []byte { return extension(2, n, 0, 0, 0, 0, 0, 0, 0) }
	immutable, memo, guardOn := extension(7), func(on byte) []byte { return extension(8, on) }, func(on byte) []byte { return extension(11, on) }
	for name, c := range map[string]struct {
		before, after AccountState
		rule          Rule
		note          string
	}{
		"as it was":                          {extended(1, immutable), extended(1, immutable), "", ""},
		"a fee was withheld":                 {extended(1, immutable, fee(0)), extended(1, immutable, fee(9)), "", ""},
		"a hook was called":                  {extended(1, extension(15, 0)), extended(1, extension(15, 1)), "", ""},
		"frozen":                             {extended(1), extended(2), RuleSimulationAuthority, ""},
		"frozen before":                      {extended(2), extended(2), "", ""},
		"thawed":                             {extended(2), extended(1), "", ""},
		"new, and frozen":                    {AccountState{}, extended(2), "", "is frozen: you cannot move what is in it until the token's issuer thaws it"},
		"given to us, frozen":                {holding(Token2022Program, pump, stranger, 70), extended(2), "", "is frozen"},
		"new, with extensions":               {AccountState{}, extended(1, immutable, fee(0)), "", ""},
		"memos required":                     {extended(1, memo(0)), extended(1, memo(1)), RuleSimulationAuthority, ""},
		"the guard against calls switched":   {extended(1, guardOn(0)), extended(1, guardOn(1)), RuleSimulationAuthority, ""},
		"a confidential balance":             {extended(1, extension(5, 1, 2, 3)), extended(1, extension(5, 1, 2, 4)), RuleSimulationAuthority, ""},
		"an extension more":                  {extended(1), extended(1, memo(0)), RuleSimulationAuthority, ""},
		"an extension less":                  {extended(1, memo(0)), extended(1), RuleSimulationAuthority, ""},
		"its extensions cut short":           {extended(1, memo(0)), extended(1, []byte{8, 0, 9, 0}), RuleSimulationAuthority, ""},
		"one after the fee":                  {extended(1, fee(0), memo(0)), extended(1, fee(1), memo(1)), RuleSimulationAuthority, ""},
		"the fee of a longer form":           {extended(1, fee(0)), extended(1, extension(2, 1)), RuleSimulationAuthority, ""},
		"room after the end, as it was":      {extended(1, make([]byte, 8)), extended(1, make([]byte, 8)), "", ""},
		"the length that it had without any": {holding(Token2022Program, pump, owner, 70), extended(1, immutable), RuleSimulationAuthority, ""},
	} {
		for _, tells := range []func(*stage) Simulator{
			func(s *stage) Simulator { return untold{[]*stage{s}} }, func(s *stage) Simulator { return tellsNone{[]*stage{s}} },
		} {
			play := play(9, accts{ourPump: c.before}, accts{ourPump: c.after})
			s := ordinary(txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(ourPump)))
			s.policy.AllowBlind, s.policy.Simulator = nil, tells(play)
			_, report, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
			if c.rule != "" {
				require.Equal(t, c.rule, wiretest.As[*GuardError](t, err).Rule, name)
				require.Contains(t, err.Error(), ourPump.String(), name)
				continue
			}
			require.NoError(t, err, name)
			if c.note == "" {
				require.Empty(t, report.Notes, name)
				continue
			}
			require.Contains(t, report.Text(), c.note, name)
			require.Contains(t, report.String(), c.note, name)
		}
	}
}
