package signing

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// TestAtWorst: what is lost at worst has all that programs could take and all that is paid, each once, and
// nothing of what is executed already.
func TestAtWorst(t *testing.T) {
	const fee, wallet = 5000, "all SOL of your wallet "
	const later = ", and what these get later, if a program takes control and you go on using them"
	one := []TransactionReport{{FeePayer: owner, BaseFeeLamports: fee}}
	pays := Movement{Rule: RuleSystemTransfer, Mint: NativeMint, Amount: 100, To: vault, CountsAs: CountsAsSpend}
	rent := Movement{Rule: RuleRent, Mint: NativeMint, Amount: 70, To: fresh, Wallet: owner, CountsAs: CountsAsRent}
	wraps := Movement{Mint: NativeMint, Amount: 9, To: ourWrapped}
	tokens := Movement{Rule: RuleTokenTransfer, Mint: usdc, Amount: 3, To: vault}
	seen := tokens
	seen.Simulated = true
	takes := Reach{Program: exchange, Ours: []PublicKey{owner}}
	writes := Reach{Program: exchange, Ours: []PublicKey{fresh}}
	nothing := Reach{Program: exchange, Unsigned: true}
	closes := Note{Kind: NoteClose, Instruction: 1, Account: fresh, To: owner}
	for name, row := range map[string]struct {
		report Report
		want   string
	}{
		"the fee alone":              {Report{}, "0.000005 SOL, and no more. Nothing comes to you in return"},
		"a payment":                  {Report{Leaves: []Movement{pays}}, "0.0000051 SOL, and no more. Nothing comes to you in return"},
		"a program takes the wallet": {Report{Leaves: []Movement{pays}, Reaches: []Reach{takes}}, wallet + "* (what is in it was not looked up)" + later + ". Nothing is certain to come in return"},
		"and tokens leave": {Report{Leaves: []Movement{pays, tokens}, Reaches: []Reach{takes}}, wallet + "* (what is in it was not looked up)" + later +
			"; in addition what the lines below name, up to 3 units of unknown size of token *. Nothing is certain to come in return"},
		"what a simulation saw is part of it": {Report{Leaves: []Movement{seen}, Reaches: []Reach{takes}},
			wallet + "* (what is in it was not looked up)" + later + ". Nothing is certain to come in return"},
		"no program can take anything": {Report{Leaves: []Movement{pays, seen}, Reaches: []Reach{nothing}},
			"0.0000051 SOL and 3 units of unknown size of token *, and no more. Nothing comes to you in return"},
		"rent that comes back":    {Report{Leaves: []Movement{rent}, Notes: []Note{closes}}, "0.000005 SOL, and no more"},
		"rent that stays there":   {Report{Leaves: []Movement{rent}}, "0.00000507 SOL, and no more. Nothing comes to you in return"},
		"rent that can be taken":  {Report{Leaves: []Movement{rent}, Notes: []Note{closes}, Reaches: []Reach{writes}}, "all in your account * (what is in it was not looked up)" + later + "; in addition what the lines below name, up to 0.00000507 SOL. Nothing is certain to come in return"},
		"an account not shown":    {Report{Stays: []Movement{wraps}}, "0.000005009 SOL, and no more. Nothing comes to you in return"},
		"an account that is seen": {Report{Stays: []Movement{wraps}, Simulated: true}, "0.000005 SOL, and no more. Nothing comes to you in return"},
		"something comes":         {Report{Brings: []walletfi.Asset{{Mint: usdc.String(), Amount: 4}}}, "0.000005 SOL, and no more"},
		"too little comes": {Report{Brings: []walletfi.Asset{{Mint: usdc.String(), Amount: 4}}, Unproven: true, Intent: walletfi.Intent{
			Receive: []walletfi.Asset{{Mint: usdc.String(), Amount: 5}}}}, "0.000005 SOL, and no more. At worst you get less than 5 units of unknown size of token *"},
	} {
		row.report.Owner, row.report.Transactions = owner, one
		require.Equal(t, row.want, atWorst(&row.report), name)
		row.report.Refusal = &GuardError{}
		require.NotContains(t, row.report.Text(), "At worst", name)
	}
	done := Report{Owner: owner, Leaves: []Movement{pays}, Stays: []Movement{wraps}, Reaches: []Reach{takes},
		Transactions: []TransactionReport{{FeePayer: owner, BaseFeeLamports: fee, JudgedBy: ByExecution}, {FeePayer: sponsor, BaseFeeLamports: fee}}}
	require.Equal(t, "nothing, and no more. Nothing comes to you in return", atWorst(&done))
}

// atWorst is the rest of the line that names what is lost at worst, each address as an asterisk.
func atWorst(r *Report) string {
	_, text, _ := strings.Cut(r.Text(), "\nAt worst you lose: ")
	text, _, _ = strings.Cut(text, "\n")
	for _, k := range []PublicKey{owner, usdc, fresh} {
		text = strings.ReplaceAll(text, shortOf(k), "*")
	}
	return text
}
