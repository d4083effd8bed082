package signing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func wide() *scene {
	return ordinary(
		txbuild.UnitPrice(1_000_000), txbuild.UnitLimit(1000),
		txbuild.CreateATA(owner, ourUSDC, owner, usdc, TokenProgram, true),
		txbuild.Transfer(owner, ourWrapped, 1_000_000),
		txbuild.Transfer(owner, stranger, 10_000),
		spl.Approve(ourUSDC, approved, owner, 20),
		txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(vault)),
		txbuild.Memo("gm\u202e\n"), spl.Burn(ourUSDC, usdc, owner, 2), spl.Close(ourWrapped, owner, owner),
	)
}

func TestReportText(t *testing.T) {
	text := wide().report(t, txbuild.V0).String()
	for _, want := range []string{
		"Signing as " + owner.String() + " for service swap",
		"v0, fee paid by the owner",
		"leaves   0.00203928 SOL to " + ourUSDC.String() + ", an account of the owner, counted as rent",
		"leaves   0.00001 SOL to " + stranger.String() + ", counted as tip",
		"leaves   20 units of " + usdc.String() + " may be taken by " + approved.String() + ", counted as spend",
		"leaves   2 units of " + usdc.String() + " burned from " + ourUSDC.String() + ", counted as burn",
		"stays    0.001 SOL to " + ourWrapped.String(),
		"reaches  program " + exchange.String() + " may write " + owner.String(),
		`note     memo "gm\u202e\n"`,
		"note     the lamports of " + ourWrapped.String() + " go to " + owner.String(),
		"note     " + approved.String() + " may take from " + ourUSDC.String(),
		"costs    0.000006 SOL of network fees",
		"unseen   what the pinned programs do",
	} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, "REFUSED")
}

func TestReportJSON(t *testing.T) {
	report := wide().report(t, txbuild.V1)
	b, err := json.Marshal(report)
	require.NoError(t, err)
	var back Report
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, report.Leaves, back.Leaves)
	assert.Equal(t, report.Reaches, back.Reaches)
	assert.Equal(t, report.Transactions, back.Transactions)
	assert.Contains(t, string(b), `"amount":"10000"`)
	assert.Contains(t, string(b), `"countsAs":"tip"`)
}

func TestRefusalReads(t *testing.T) {
	s := ordinary(txbuild.Memo("x"), txbuild.Transfer(owner, thief, 77_777))
	_, report, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
	require.Error(t, err)
	assert.Equal(t, "refused by the signing guard, instruction 2 of System: found 0.000077777 SOL to "+thief.String()+
		"; allowed: it goes to you, or to those whom your request or settings name; or to anyone else a tip of at most 0.00001 SOL; or to anyone else a service fee of at most 0.000005 SOL (rule G8)", err.Error())
	assert.Contains(t, report.String(), "REFUSED  refused by the signing guard, instruction 2 of System")

	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("guard", "error", err, "report", report)
	for _, want := range []string{"error.rule=G8", "error.instruction=1", "report.owner=" + owner.String(), "report.refusal.rule=G8", "report.leaves="} {
		assert.Contains(t, log.String(), want)
	}
	b, err := json.Marshal(report.Refusal)
	require.NoError(t, err)
	assert.Contains(t, string(b), `"rule":"G8","transaction":0,"instruction":1,"program":"11111111111111111111111111111111"`)
	assert.Equal(t, 1, strings.Count(fmt.Sprint(report.Refusal), "\n")+1)
}

func TestRefusalInASetNamesIts(t *testing.T) {
	e := &GuardError{Rule: RuleTokenClose, Transaction: 2, Instruction: 3, Simulated: true, Program: exchange, Found: "a", Allowed: "b"}
	assert.Equal(t, "refused by the signing guard, transaction 3, instruction 4 of "+exchange.String()+", simulated: found a; allowed: b (rule token.close)", e.Error())
}

func TestReportOfASponsor(t *testing.T) {
	report := ordinary(txbuild.Memo("x", owner)).with(func(s *scene) { s.intent.Sponsor, s.build.Payer = sponsor.String(), sponsor }).report(t, txbuild.Legacy)
	assert.Zero(t, report.NetworkFeeLamports())
	assert.Contains(t, report.String(), "legacy, fee paid by "+sponsor.String())
}

func TestNotesRead(t *testing.T) {
	cases := map[string]Note{
		"the lamports of " + vault.String() + " go to " + owner.String() + ", as asked":     {Kind: NoteClose, Account: vault, To: owner, Text: "as asked"},
		"the lamports of an account that only a lookup table names go to " + owner.String(): {Kind: NoteClose, To: owner},
		"makes the mint " + fresh.String():                                                  {Kind: NoteMint, Account: fresh},
		"a durable nonce: the signature stays good until " + vault.String() + " advances":   {Kind: NoteNonce, Account: vault},
		"Ed25519 verifies signatures that the transaction carries":                          {Kind: NoteSignatures, Text: "Ed25519"},
		`transaction 4 was not simulated: "no\n"`:                                           {Kind: NoteSimulation, Transaction: 3, Text: "no\n"},
		`memo "` + strings.Repeat("a", 160) + `"...`:                                        {Kind: NoteMemo, Text: strings.Repeat("a", 500)},
	}
	for want, note := range cases {
		assert.Equal(t, want, note.text())
	}
}

func TestReportSaysWhatWasAskedFor(t *testing.T) {
	report := ordinary(spl.Close(ourUSDC, owner, owner), spl.Close(ourWrapped, owner, owner)).with(func(s *scene) {
		s.intent.CloseAccounts = []string{ourUSDC.String()}
	}).report(t, txbuild.V0)
	assert.Equal(t, []string{"as asked", ""}, []string{report.Notes[0].Text, report.Notes[1].Text})
}

func TestReportOfTheHidden(t *testing.T) {
	s := ordinary(txbuild.Transfer(owner, stranger, 10_000), txbuild.Call(exchange, nil, txbuild.Writable(vault)), txbuild.Memo("x", maker, sponsor))
	s.with(behindTables).with(unprotected).with(func(s *scene) { s.signedBy, s.policy.LateCoSigners = []string{"maker"}, 1 })
	report := s.report(t, txbuild.V0)
	assert.True(t, report.Leaves[0].Hidden)
	text := report.String()
	assert.Contains(t, text, "0.00001 SOL to an account that only a lookup table names, counted as tip")
	assert.Contains(t, text, "may write 1 account that only a lookup table names")
	assert.Contains(t, text, "signed by "+maker.String()+", awaits "+sponsor.String())
}
