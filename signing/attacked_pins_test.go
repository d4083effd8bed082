package signing

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestAttackedPinWithoutInstructions: an empty list names none. Only a pin that has no list
// lets any instruction through.
func TestAttackedPinWithoutInstructions(t *testing.T) {
	call := txbuild.Call(exchange, tradeD, txbuild.Writable(ourUSDC))
	runVerdicts(t, []verdict{
		refuse("an empty list", RulePinnedCall, call).with(typed([]Discriminator{}, AnyAccount)),
		refuse("an empty list, no data", RulePinnedCall, txbuild.Call(exchange, nil)).with(typed([]Discriminator{}, AnyAccount)),
		allow("no list", call).with(typed(nil, AnyAccount)),
		allow("an empty list and another pin", call).with(pinned(pin([]Discriminator{}, AnyAccount), pin([]Discriminator{tradeD}, SpentAccount))),
	})
	for text, signed := range map[string]bool{
		`,"instructions":[]`: false, `,"instructions":null`: false, ``: true, `,"instructions":["0908070605040302"]`: true,
	} {
		var p Pin
		text := `{"program":"` + exchange.String() + `"` + text + `,"mayWrite":["any"]}`
		err := json.Unmarshal([]byte(text), &p)
		if err == nil {
			again, marshalErr := json.Marshal(p)
			require.NoError(t, marshalErr)
			require.JSONEq(t, text, string(again), "it is kept as it was read")
			s := ordinary(call).with(pinned(p))
			_, _, err = s.sign(t, NewGuard(s.policy), txbuild.V0)
		}
		require.Equal(t, signed, err == nil, text)
	}
}

// TestAttackedBlindPin: whose the accounts are that a blind call may write, the resolver can
// tell; otherwise the report says that nobody did.
func TestAttackedBlindPin(t *testing.T) {
	aux := addressOf("aux") // not an associated account
	call := txbuild.Call(exchange, tradeD, txbuild.WritableSigner(owner), txbuild.Writable(ourUSDC), txbuild.Writable(aux), txbuild.Writable(vault))
	blind := func(may ...Role) *scene {
		return ordinary(call).with(typed([]Discriminator{tradeD}, may...)).with(unprotected)
	}
	accounts := accts{
		aux: holding(TokenProgram, bonk, owner, 900), vault: holding(TokenProgram, usdc, stranger, 5),
		ourUSDC: holding(TokenProgram, usdc, owner, 800), owner: {Lamports: 7},
	}
	reads := func(s *scene) *scene {
		s.policy.Resolver = &reader{accounts: accounts}
		return s
	}

	report := blind(OwnerWallet, SpentAccount).report(t, txbuild.V0)
	require.Equal(t, 2, report.Reaches[0].Unshown)
	require.Contains(t, report.Text(), " and all in 2 other accounts, as far as they are yours (owner not looked up), and ")
	require.Contains(t, report.String(), "and 2 accounts that nothing looked up")

	s := reads(blind(OwnerWallet, SpentAccount))
	_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
	refusal := wiretest.As[*GuardError](t, err)
	require.Equal(t, RulePinnedCall, refusal.Rule)
	require.Contains(t, refusal.Found, aux.String())

	report = reads(blind(AnyAccount)).report(t, txbuild.V0)
	require.Zero(t, report.Reaches[0].Unshown)
	require.Equal(t, []PublicKey{owner, ourUSDC, aux}, report.Reaches[0].Ours)
	require.NotContains(t, report.Text(), "nothing looked that up")
	require.Contains(t, report.Text(), "(900 units of unknown size of token")

	// The plain pin has the same hole, and a simulation closes it.
	s = reads(ordinary(call).with(unprotected))
	require.Equal(t, []PublicKey{owner, ourUSDC, aux}, s.report(t, txbuild.V0).Reaches[0].Ours)
	s = blind(AnyAccount)
	s.policy.Simulator = &stage{before: accounts}
	report = s.report(t, txbuild.V0)
	require.Zero(t, report.Reaches[0].Unshown)
	require.Equal(t, []PublicKey{owner, ourUSDC, aux}, report.Reaches[0].Ours)

	// A resolver that fails leaves them unknown.
	s = blind(OwnerWallet, SpentAccount)
	s.policy.Resolver = &reader{err: ErrUnknown}
	require.Equal(t, 2, s.report(t, txbuild.V0).Reaches[0].Unshown)
}

// TestAttackedPinnedCalls: a pin binds what its program calls in turn, where a simulation tells it.
func TestAttackedPinnedCalls(t *testing.T) {
	aux := addressOf("aux") // of another owner's, who lets us take of it
	trade := func(inner ...txbuild.Instruction) *scene {
		s := swapping(only(append([]txbuild.Instruction{spl.TransferChecked(ourUSDC, usdc, vault, owner, 400, 6)}, inner...)...))
		s.instructions[0].Data = tradeD
		s.instructions[0].Accounts = append(s.instructions[0].Accounts, txbuild.Writable(aux))
		stage := s.policy.Simulator.(*stage)
		stage.before[aux] = holding(TokenProgram, usdc, stranger, 900, withDelegate(owner, 900))
		return s.with(typed([]Discriminator{tradeD}, OwnerWallet, SpentAccount, ReceivedAccount, NamedAccount))
	}
	keys := func(s *scene) { // an account of a key of ours
		s.policy.Simulator.(*stage).before[aux] = holding(TokenProgram, usdc, multisig, 900)
	}
	wide := typed([]Discriminator{tradeD}, AnyAccount)
	runVerdicts(t, []verdict{
		{"nothing else", trade(), ""},
		{"takes from what we are a delegate of", trade(spl.TransferChecked(aux, usdc, vault, owner, 5, 6)), RulePinnedCall},
		{"burns of it", trade(spl.Burn(aux, usdc, owner, 5)), RulePinnedCall},
		{"an account of a key of ours", trade().with(keys), RulePinnedCall},
		{"any account may", trade(spl.TransferChecked(aux, usdc, vault, owner, 5, 6)).with(wide), ""},
		{"an account of a key, any account may", trade().with(keys).with(wide), ""},
		{"by its own owner", trade(spl.TransferChecked(aux, usdc, vault, stranger, 5, 6)), ""},
		{"to what may be received", trade(spl.TransferChecked(ourUSDC, usdc, vault, owner, 5, 6)), ""},
	})

	// A program that is given our signature within is named; who tells no calls, says so.
	with := txbuild.Call(rogue, []byte{1}, txbuild.Signer(owner))
	report := trade(with, with, txbuild.Call(stranger, nil, txbuild.Writable(vault))).report(t, txbuild.V0)
	require.Equal(t, []PublicKey{rogue}, report.Reaches[0].Within)
	require.False(t, report.Untold)
	require.Contains(t, report.Text(), "passes your signature on to "+(&people{report: report, ends: 4}).short(rogue))
	require.Empty(t, trade(txbuild.Call(exchange, nil, txbuild.Signer(owner))).report(t, txbuild.V0).Reaches[0].Within, "itself")

	s := trade()
	s.policy.Simulator = untold{[]*stage{s.policy.Simulator.(*stage)}}
	s.policy.Simulator.(untold).stages[0].before[aux] = AccountState{}
	report = s.report(t, txbuild.V0)
	require.True(t, report.Untold)
	require.Equal(t, 1, strings.Count(report.Text(), "\n  Which programs those call in turn: the simulation did not tell\n"))
	require.Contains(t, report.Unseen(), "what the pinned programs call in turn: no simulation told it")
}
