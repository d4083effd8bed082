package signing

import (
	"os"
	"path/filepath"
	"strings"
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

// What a report says of what an ordinary one does not have.
func TestReportsOfOddThings(t *testing.T) {
	read := &Report{Owner: owner, Brings: []walletfi.Asset{{Mint: "no mint", Amount: 5}}, Leaves: []Movement{{Mint: usdc, Amount: 1, To: TokenProgram}}}
	text := read.Text()
	assert.Contains(t, text, "1 smallest units of token "+shortOf(usdc)+" to Token\n")
	assert.NotContains(t, text, "5 smallest units")
	assert.NotContains(t, text, TokenProgram.String(), "a program's name needs no address")
	assert.Equal(t, `a new kind "x"`, Note{Kind: "a new kind", Text: "x"}.text())
	long := strings.Repeat("a", 161)
	assert.Equal(t, `"`+long[:160]+`"`, printable(long[:160]))
	assert.Equal(t, `"`+long[:160]+`"...`, printable(long))
	assert.Equal(t, "twelve_runes", printableSymbol("twelve_runes"))
	assert.Equal(t, `"more_than_12_"`, printableSymbol("more_than_12_"))
	assert.Equal(t, `"thirteen_rune"`, printableSymbol("thirteen_rune"))
	unseen := func(r *Report) (names []string) {
		for _, a := range r.LogValue().Group() {
			names = append(names, a.Key)
		}
		return names
	}
	totals := []string{"owner", "service", "transactions", "networkFeeLamports"}
	assert.Equal(t, append(totals, "unseen"), unseen(&Report{}))
	assert.Equal(t, totals, unseen(&Report{Notes: []Note{{Kind: NoteNonce}}}))
	assert.Equal(t, append(totals, "leaves", "unseen", "refusal"), unseen(&Report{Leaves: read.Leaves, Refusal: &GuardError{}}))
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
