package signing

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// reportOfEverything has a line of every kind that the bytes show.
func reportOfEverything(t *testing.T) *Report {
	s := ordinary(
		txbuild.Transfer(owner, ourWrapped, 1_000_000),
		txbuild.Transfer(owner, stranger, 10_000),
		spl.Approve(ourUSDC, approved, owner, 20),
		spl.BurnChecked(ourUSDC, usdc, owner, 2, 6),
		t22.TransferChecked(ourPump, pump, friend, owner, 70, 3),
		txbuild.CreateATA(owner, ourUSDC, owner, usdc, TokenProgram, true),
		spl.TransferChecked(vault, usdc, ourUSDC, maker, 900, 6),
		txbuild.Call(exchange, nil, txbuild.Writable(vault)),
		txbuild.Call(exchange, []byte{1}, txbuild.Writable(listed), txbuild.Writable(ourUSDC)),
		txbuild.Memo("gm"),
	)
	s.policy.CoSigners, s.policy.Tokens = []PublicKey{maker}, TokenList{usdc: {"USDC", 2}}
	s.intent.Receive = []walletfi.Asset{{Mint: usdc.String(), Amount: 900}}
	return s.report(t, txbuild.V0)
}

// TestWholeReports holds both texts of a report against those that a person has
// read, to the last character.
func TestWholeReports(t *testing.T) {
	refused := ordinary(txbuild.Transfer(owner, thief, 77_777), spl.SetAuthority(ourUSDC, owner, 2, thief))
	refused.intent.Service = ""
	_, refusedReport := refused.refusal(t, txbuild.V0)

	hidden := ordinary(txbuild.Transfer(owner, stranger, 10_000), txbuild.Call(exchange, nil, txbuild.Writable(vault), txbuild.Writable(owner)),
		txbuild.Call(exchange, []byte{1}, txbuild.Writable(vault), txbuild.Writable(thief)), txbuild.Memo("x", maker, sponsor))
	hidden.with(behindTables).with(unprotected).with(func(s *scene) { s.signedBy, s.policy.LateCoSigners = []string{"maker"}, 1 })

	first := ordinary(txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true), txbuild.Call(exchange, nil, txbuild.Writable(TokenProgram)))
	_, setReport, err := NewGuard(first.policy).CheckSet(t.Context(), set(txbuild.Legacy, first, ordinary(txbuild.Transfer(owner, friend, 1))))
	require.NoError(t, err)

	for name, report := range map[string]*Report{
		"everything": reportOfEverything(t),
		"refused":    refusedReport,
		"simulated":  swapping(func(*stage) {}).report(t, txbuild.V0),
		"hidden":     hidden.report(t, txbuild.V0),
		"set":        setReport,
	} {
		want, err := os.ReadFile(filepath.Join("testdata", "reports", name+".txt"))
		require.NoError(t, err)
		assert.Equal(t, string(want), report.String()+"\n"+report.Text(), name)
	}
}
