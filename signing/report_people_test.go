package signing

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func shortOf(k PublicKey) string { return (&people{report: new(Report), ends: 4}).short(k) }

func TestReportForPeople(t *testing.T) {
	s := ordinary(
		txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true),
		spl.TransferChecked(ourUSDC, usdc, vault, owner, 450, 6),
		t22.TransferChecked(ourPump, pump, vault, owner, 70, 3),
		spl.TransferChecked(ourUSDC, usdc, vault, owner, 0, 6),
		spl.Approve(ourUSDC, approved, owner, 20), spl.Revoke(ourUSDC, owner),
		txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(ourBonk), txbuild.Readonly(bonk)),
		txbuild.Transfer(owner, stranger, 10_000),
	)
	s.policy.Tokens = TokenList{usdc: {"USDC", 2}, bonk: {"BONK", 5}}
	report := s.report(t, txbuild.V0)
	text := report.Text()
	for _, want := range []string{
		"You asked for (a program that is called can do otherwise, see \"At worst\"): spend at most 0.001 SOL and 0.0005* USDC (" + shortOf(usdc) + ") and 0.07* of token " + shortOf(pump) + "; no minimum is set for what you get in return (usual for a deposit, not for an exchange)\n  And in addition, at most: burn (destroy) 0.00004* USDC (",
		"WARNING: your list has 2 decimals for USDC (" + shortOf(usdc) + "), and the transaction 6: amounts are by the transaction\n",
		"To sign: 1 transaction, built by service swap, with your wallet " + shortOf(owner) + "; not simulated\n",
		"  You pay: 0.00045* USDC (" + shortOf(usdc) + ") to " + shortOf(vault) + ", chosen by the service, within what you asked to spend\n",
		"  You pay: 0.07* of token " + shortOf(pump) + " to " + shortOf(vault) + ", chosen by the service, within what you asked to spend\n",
		"  You pay: at most 0.00203928 SOL to " + shortOf(thiefUSDC) + " (account of " + shortOf(thief) + "), chosen by the service, as rent of that account, which you do not get back; 0 if that account exists already\n",
		"  Permission that ends with the transaction: " + shortOf(approved) + " may take 0.00002* USDC (" + shortOf(usdc) + ")\n",
		"Note: moves nothing from " + shortOf(ourUSDC) + " to " + shortOf(vault) + "\n",
		"Note: ends every approval of " + shortOf(ourUSDC) + "\n",
		"At worst you lose: all SOL of your wallet " + shortOf(owner) + " (what is in it was not looked up) and all in your account " + shortOf(ourBonk) +
			" (what is in it was not looked up), and what these get later, if a program takes control and you go on using them; in addition what the lines below name, up to 0.00047* USDC (",
		"  Program " + shortOf(exchange) + " was not checked: it could take all that \"At worst\" names; this wallet's settings let services call any instruction of it (Policy.Pins)\n",
		"  You pay to the network: 0.000005 SOL, in addition to what you spend\n", "Proven by what you sign, if the ledger executes it. If the ledger fails it, you pay its network fee only\n",
		"* worked out with the decimals that a transaction states; that transaction fails if they are wrong\n",
		shortOf(thief) + " = " + thief.String() + "\n",
	} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, "REFUSED")
	assert.Equal(t, walletfi.NativeMint, NativeMint.String())
}

func TestReportSaysWhatOthersBring(t *testing.T) {
	s := ordinary(spl.TransferChecked(vault, usdc, ourUSDC, maker, 900, 6), txbuild.Transfer(owner, friend, 1))
	s.policy.CoSigners, s.policy.Tokens = []PublicKey{maker}, TokenList{usdc: {"USDC", 2}}
	s.intent.Receive = []walletfi.Asset{{Mint: usdc.String(), Amount: 900}}
	report := s.report(t, txbuild.V0)
	assert.Equal(t, []walletfi.Asset{{Mint: usdc.String(), Amount: 900}}, report.Brings)
	assert.Contains(t, report.Text(), "  You get: 9 USDC (")
	assert.False(t, report.Unproven)
}

// A fee's refusal names the instruction that sets the price.
func TestFeeRefusalNamesItsInstruction(t *testing.T) {
	s := ordinary(txbuild.Memo("x"), txbuild.UnitLimit(1_400_000), txbuild.UnitPrice(8_000_000))
	_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
	refusal := wiretest.As[*GuardError](t, err)
	assert.Equal(t, RuleNetworkFee, refusal.Rule)
	assert.Equal(t, 2, refusal.Instruction)
	assert.Equal(t, ComputeBudgetProgram, refusal.Program)
}

// A symbol comes from a list that others write.
func TestSymbolsWriteNothing(t *testing.T) {
	for symbol, want := range map[string]string{
		"USDC": "USDC", "$WIF": `"$WIF"`, "USDC(real)": `"USDC(real)"`, "a\nREFUSED": `"a\nREFUSED"`, "1000 USDC": `"1000 USDC"`,
		"a\u202eb": `"a\u202eb"`, "USDС": `"USD\u0421"`, "US\u200bDC": `"US\u200bDC"`, "e\u0301": `"e\u0301"`, "averylongsymbol": `"averylongsymbol"`,
	} {
		assert.Equal(t, want, printableSymbol(symbol))
	}
}

// Of a Token-2022 mint whose fee nobody knows, a maker's transfer proves nothing.
func TestWithheldArrivalIsNotProven(t *testing.T) {
	makers := AssociatedTokenAddress(maker, bonk, Token2022Program)
	for _, row := range []struct {
		name     string
		bring    txbuild.Instruction
		expected walletfi.Amount
		unproven bool
	}{
		{"a mint of Token-2022", t22.TransferChecked(makers, bonk, ourBonk, maker, 900, 6), 900, true},
		{"its fee named", t22.TransferCheckedWithFee(makers, bonk, ourBonk, maker, 900, 6, 9), 891, false},
	} {
		s := ordinary(row.bring, txbuild.Transfer(owner, friend, 1))
		s.policy.CoSigners = []PublicKey{maker}
		s.intent.Receive = []walletfi.Asset{{Mint: bonk.String(), Amount: row.expected}}
		assert.Equal(t, row.unproven, s.report(t, txbuild.V0).Unproven, row.name)
	}
}

// TestReportSaysTheSlot: of a simulation that says at which slot it ran. The approval does not bind it.
func TestReportSaysTheSlot(t *testing.T) {
	digests := map[string]bool{}
	for _, slot := range []uint64{0, 77} {
		s := honestSwap()
		s.policy.Simulator.(*stage).slot = slot
		report := s.report(t, txbuild.V0)
		require.Equal(t, slot, report.Slot)
		require.Equal(t, slot > 0, strings.Contains(report.Text(), "Shown by a simulation at slot 77; the ledger can do otherwise\n"))
		digests[report.Digest()] = true
	}
	require.Len(t, digests, 1)
}
