package signing_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// section is the part of a text under a heading, as far as its lines are indented.
func section(text, heading string) string {
	_, rest, ok := strings.Cut(text, heading)
	if !ok {
		return ""
	}
	_, rest, _ = strings.Cut(rest, "\n")
	var b strings.Builder
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

const provenHead = "Proven by what you sign: if it succeeds, this happens"

// TestOutsideReportClaims: nothing is called proven over which a pinned program decides.
func TestOutsideReportClaims(t *testing.T) {
	maker := outKey("maker").PublicKey()
	makerUSDC := signing.AssociatedTokenAddress(maker, xUSDC, signing.TokenProgram)
	pays := xTok.TransferChecked(makerUSDC, xUSDC, xMyUSDC, maker, 900, 6)
	jup := xTok.TransferChecked(outAddr("maker jup"), xJUP, xMyJUP, maker, 900, 6)
	wants := func(i *walletfi.Intent) {
		i.Receive = []walletfi.Asset{{Mint: xUSDC.String(), Amount: 900}}
		i.Spend = nil
	}
	table := txbuild.Table{Address: outAddr("table"), Holds: []txbuild.Key{xMyWSOL, xMyUSDC, xMyJUP, outAddr("t1"), outAddr("t2")}}
	with := func(x xTx) xTx { x.by = []string{"maker"}; return x }
	hidden := func(x xTx) xTx { x.tables = []txbuild.Table{table}; return x }
	for _, c := range []struct {
		name    string
		policy  signing.Policy
		set     []xTx
		intent  walletfi.Intent
		proven  string // must not be under "Proven"
		unlike  string // must not be anywhere
		must    string
		opts    []signing.Option
		refused bool
	}{
		{name: "R1 arrives, and a blind call with our signature may take it", policy: xPolicy(blindly),
			set: []xTx{with(v0(pays, call(xMyUSDC)))}, intent: xIntent(wants), proven: "You get: "},
		{name: "R2 arrives in the first, a blind call of the second may take it", policy: xPolicy(blindly),
			set: []xTx{with(v0(pays)), v0(call(xMyUSDC))}, intent: xIntent(wants), proven: "You get: "},
		{name: "R3 arrives, and a simulated call takes it", policy: xPolicy(sim(shows(accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 0)},
			accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 0)}, xTok.TransferChecked(xMyJUP, xJUP, xPool, xOwner, 900, 6)).at(1))),
			set: []xTx{with(v0(jup, call(xMyJUP)))}, intent: xIntent(spends(xJUP, 900)), proven: "You get: "},
		{name: "R4 wraps SOL, a later blind call behind tables may take it", policy: xPolicy(blindly),
			set:    []xTx{v0(txbuild.Transfer(xOwner, xMyWSOL, 3_000_000_000), xTok.SyncNative(xMyWSOL)), hidden(v0(call(xMyWSOL)))},
			intent: xIntent(spends(signing.NativeMint, 1)), proven: " stays there"},
		{name: "R5 tokens stay, a later blind call behind tables may take them", policy: xPolicy(blindly, listedToken(outAddr("jup2"), xJUP)),
			set:    []xTx{v0(xTok.TransferChecked(outAddr("jup2"), xJUP, xMyJUP, xOwner, 70, 6)), hidden(v0(call(xMyJUP)))},
			intent: xIntent(), proven: " stays there"},
		{name: "R6 tokens stay, a later blind call writes the account that the reader does not know", policy: xPolicy(blindly, listedToken(outAddr("jup2"), xJUP)),
			set:    []xTx{v0(xTok.TransferChecked(outAddr("jup2"), xJUP, xMyJUP, xOwner, 70, 6)), v0(call(xMyJUP))},
			intent: xIntent(), proven: " stays there"},
		{name: "R7 stays in a listed account, and a blind call behind a table of the same set", policy: xPolicy(blindly, listedToken(outAddr("jup2"), xJUP)),
			set:    []xTx{v0(xTok.TransferChecked(xMyJUP, xJUP, outAddr("jup2"), xOwner, 70, 6)), hidden(v0(call(outAddr("t1"), xMyUSDC)))},
			intent: xIntent(), proven: " stays there"},
		{name: "R8 two approvals in a batch both remain", policy: xPolicy(listedToken(outAddr("usdc2"), xUSDC)),
			set:    []xTx{v0(xTok.Batch(xTok.Approve(xMyUSDC, xDeleg, xOwner, 100), xTok.Approve(outAddr("usdc2"), xDeleg, xOwner, 50)))},
			intent: xIntent(func(i *walletfi.Intent) { i.Delegates = []string{xDeleg.String()} }), unlike: "  Permission that ends"},
		{name: "R9 a named co-signer must still sign", policy: xPolicy(),
			set:    []xTx{v0(txbuild.Memo("x", xOwner, maker))},
			intent: xIntent(func(i *walletfi.Intent) { i.CoSigners = []string{maker.String()} }), must: "must still sign"},
		{name: "R10 rent of an account that is there already is not proven to leave", policy: xPolicy(sim(shows(nil, nil))),
			set:    []xTx{v0(txbuild.CreateATA(xOwner, xMyUSDC, xOwner, xUSDC, signing.TokenProgram, true), call(xMyUSDC))},
			intent: xIntent(), proven: "You pay: 0.00203928 SOL"},
		{name: "R11 the second not run in order, yet the sum is said to arrive", policy: xPolicy(blindly, sim(shows(nil, accs{
			xOwner: {Lamports: 7_000_000_000 - 5000}}))),
			set: []xTx{v0(call()), v0(numberedCall(2))}, intent: xIntent(gets(signing.NativeMint, 1)), unlike: "You get: 4 SOL"},
		{name: "R12 a service's name writes lines", policy: xPolicy(),
			set:    []xTx{v0(txbuild.Memo("x", xOwner))},
			intent: xIntent(func(i *walletfi.Intent) { i.Service = "swap\nSimulated: yes at slot 5\nProven by all" }), unlike: "\nSimulated: yes"},
		{name: "R13 rent of pinned accounts is not what you asked", policy: xPolicy(),
			set: []xTx{v0(xTok.Approve(xMyUSDC, xDeleg, xOwner, 100))}, intent: xIntent(func(i *walletfi.Intent) { i.Delegates = []string{xDeleg.String()} }),
			must: "Permission that remains"},
		{name: "R14 what others are paid rent for", policy: xPolicy(),
			set:    []xTx{v0(txbuild.CreateATA(xOwner, xThUSDC, xThief, xUSDC, signing.TokenProgram, true))},
			intent: xIntent(func(i *walletfi.Intent) { i.MaxForeignRentLamports = 3_000_000 }), must: "which you do not get back"},
		{name: "R15 approval by a key of ours", policy: xPolicy(func(p *signing.Policy) { p.Keys = []pk{xDeleg} }),
			set: []xTx{v0(xTok.Approve(xMyUSDC, xDeleg, xOwner, 100))}, intent: xIntent(), must: "Permission"},
		{name: "R16 a nonce never ends", policy: xPolicy(), set: []xTx{v0(txbuild.AdvanceNonce(outAddr("nonce"), xOwner), txbuild.Memo("x"))},
			intent: xIntent(), opts: []signing.Option{signing.WithNonce(signing.Nonce{Account: outAddr("nonce"), Value: xHash})},
			must: "stays good until", unlike: "ntil when this can"},
		{name: "R17 a mint", policy: xPolicy(), set: []xTx{{format: txbuild.V0, ins: []ins{txbuild.CreateAccount(xOwner, xFresh, 1_461_600, 82, signing.TokenProgram),
			xTok.InitializeMint2(xFresh, xThief, 6)}, by: []string{"fresh"}}}, intent: xIntent(), must: "mint"},
		{name: "R18 set of step says limits of left", policy: xPolicy(), set: []xTx{v0(txbuild.Transfer(xOwner, xThief, 5))}, intent: xIntent(func(i *walletfi.Intent) { i.TipLamports = 5 }),
			must: "within the tip that you allow"},
		{name: "R19 close to the sponsor says who gets it", policy: xPolicy(), set: []xTx{{format: txbuild.V0, payer: xSponsor, ins: []ins{xTok.Close(xMyUSDC, xSponsor, xOwner)}}},
			intent: xIntent(func(i *walletfi.Intent) { i.Sponsor = xSponsor.String() }), must: ", for rent"},
		{name: "R20 close to the sponsor as asked counts its rent", policy: xPolicy(), set: []xTx{{format: txbuild.V0, payer: xSponsor, ins: []ins{xTok.Close(xMyUSDC, xSponsor, xOwner)}}},
			intent: xIntent(func(i *walletfi.Intent) {
				i.Sponsor = xSponsor.String()
				i.CloseAccounts = []string{xMyUSDC.String()}
			}), must: "0.002"},
		{name: "R21 stays in a token account, whose other account a delegate may take from", policy: xPolicy(listedToken(outAddr("usdc2"), xUSDC)),
			set:    []xTx{v0(xTok.TransferChecked(xMyUSDC, xUSDC, outAddr("usdc2"), xOwner, 700, 6), xTok.Approve(outAddr("usdc2"), xDeleg, xOwner, 500))},
			intent: xIntent(func(i *walletfi.Intent) { i.Delegates = []string{xDeleg.String()} }), must: "can take 0.0005"},
		{name: "R22 left in the first by a call is told at the second", policy: xPolicy(sim(shows(accs{xMyUSDC: myUSDC(400)}, accs{xMyUSDC: myUSDC(390)}, xTok.TransferChecked(xMyUSDC, xUSDC, xPool, xOwner, 10, 6)))),
			set: []xTx{v0(call(xMyUSDC)), v0(numberedCall(2, xMyUSDC))}, intent: xIntent(), must: "400"},
	} {
		t.Run(c.name, func(t *testing.T) {
			skipOpen(t)
			outCount++
			a := attempt{policy: c.policy, set: c.set, intent: c.intent, opts: c.opts}
			if strings.HasPrefix(c.name, "R22") {
				a.step = &signing.Step{Executed: []*walletfi.Effects{{Slot: 9, FeePayer: xOwner.String(), Fee: 5000, Lamports: []walletfi.LamportChange{
					{Account: xOwner.String(), Change: walletfi.Change{Before: 5_000_005_000, After: 5_000_000_000}}},
					Tokens: []walletfi.TokenChange{{Account: xMyUSDC.String(), Owner: xOwner.String(), Mint: xUSDC.String(), Decimals: 6, Change: walletfi.Change{Before: 800, After: 400}}}}}}
			}
			signed, r, err := a.run(t.Context())
			if !signed {
				t.Logf("refused: %v", err)
				return
			}
			text := r.Text()
			if c.proven != "" && strings.Contains(section(text, provenHead), c.proven) {
				t.Errorf("REPORT says under Proven %q\n%s", c.proven, text)
			}
			if c.unlike != "" && strings.Contains(text, c.unlike) {
				t.Errorf("REPORT says %q\n%s", c.unlike, text)
			}
			if c.must != "" && !strings.Contains(text, c.must) {
				t.Errorf("REPORT does not say %q\n%s", c.must, text)
			}
		})
	}
}

var oddSpaces = regexp.MustCompile("[\u00a0\u2000-\u200f\u2028-\u202f\u2060-\u206f\u3000\u3164\u2800\uffa0\u115f\u1160\u17b4\u17b5\ufeff\u00ad\u034f\u180e]")

// TestOutsideMemos: no memo writes a line, an escape, an invisible or a direction.
func TestOutsideMemos(t *testing.T) {
	skipOpen(t)
	for i, memo := range []string{
		"hi\nYou asked for: nothing", "hi\r\nSimulated: yes", "\x1b[2K\x1b[1Gproven", "\u202egnihton", "\u2066abc\u2069", "a\u2028b", "a\u2029b", "\x00",
		"\"\nNot proven\n\"", `"` + " Proven", strings.Repeat("\u00a0", 70) + "Simulated: yes at slot 9", strings.Repeat("\u3000", 50) + "x", strings.Repeat("\u3164", 50) + "x",
		strings.Repeat("\u2800", 50), "z" + strings.Repeat("\u0336", 60), "z" + strings.Repeat("\u0300", 60), "\u200b\u200c\u200d\ufeff", "\xff\xfe\xfd", "\x7f", "\u0085next",
		"\U000e0041\U000e0042", "\u061cx", "\u180ex", "\u034fx", "\uffa0\u115f\u1160", "\x9b31m", "\u009b31m", strings.Repeat("a", 400), strings.Repeat("\u20dd", 40), "\u0e33\u0e33", "\ufdfd\ufdfd", "\U0001242b\U0001242b", "\u2067REFUSED", "line1\vline2\fline3", "\b\b\b\b\b", "\a",
	} {
		outCount++
		a := attempt{policy: xPolicy(), set: []xTx{v0(txbuild.Memo(memo, xOwner))}, intent: xIntent()}
		signed, r, err := a.run(t.Context())
		require.NoError(t, err)
		require.True(t, signed)
		for _, text := range []string{r.Text(), r.String()} {
			lines := 0
			for line := range strings.Lines(text) {
				if strings.Contains(strings.ToLower(line), "memo \"") || strings.Contains(line, "note") {
					lines++
				}
			}
			if lines != 1 {
				t.Errorf("memo %d: %d lines\n%s", i, lines, text)
			}
			if m := oddSpaces.FindString(text); m != "" {
				t.Errorf("memo %d: invisible %q in the report\n%.300q", i, m, text[max(0, strings.Index(text, "memo")-5):])
			}
			if regexp.MustCompile(`\p{M}{3}`).MatchString(text) {
				t.Errorf("memo %d: stacked marks", i)
			}
			if strings.ContainsAny(text, "\x1b\r\x00\x07\x08\u202e\u2066") {
				t.Errorf("memo %d: control", i)
			}
		}
	}
}

// TestOutsideSymbols: what a token source calls a token is never taken for a known one without a mark.
func TestOutsideSymbols(t *testing.T) {
	evil := outAddr("evil mint")
	myEvil := signing.AssociatedTokenAddress(xOwner, evil, signing.TokenProgram)
	maker := outKey("maker").PublicKey()
	for _, symbol := range []string{
		"USDC", "usdc", "Usdc", "USD\u0421", "\uff35\uff33\uff24\uff23", "\U0001d414\U0001d412\U0001d403\U0001d402", "U\u0405DC", "\u222aSDC", "USD\u217d", "USD\u216d", "USD\u03f9", "US\u200bDC", "USDC\u200b", "\u200eUSDC", "U\u0332SDC", "US\u0111C", "USD\u00c7", "USD\u0106", "US\u010eC",
		"\u24ca\u24c8\u24b9\u24b8", "\U0001f184SDC", "\ua4f4\ua4e2\ua4d3\ua4da", "\u1d1c\ua731\u1d05\u1d04", "USD\u1d04", "US\u00d0C", "US\u0110C", "\u0531SDC", "\u054dSDC", "USD\u2ca4", "USD\u2102", "USD\u212d", "U5DC", "USDC ", " USDC", "U SDC", "USDC\t", "USDC\u3164", "USDC\u2800", "USD\u1455", "\u144cSDC", "USDC\ufe0f", "USDC\u20dd", "USDC\u0483", "\U0001f1fa\U0001f1f8\U0001f1e9\U0001f1e8", "\u1200SDC", "USD\u0186", "U\u01a7DC", "\u0426SDC", "US\U00010303C", "USD\U0001f74c", "USD\U000118f2",
		"USDC.", "USDC-", "USDC_", "'USDC'", "USDC'", "`USDC", "USDC|", "USDC!", "(USDC)", "USDC(real)", "USDC/USD", "USDC:", "USDC;", "$USDC", "USDC\u00ae", "USDC\u2122", "USDC\u00b7", "USDC\u2024", "USDG", "USOC", "VSDC", "USDCC", "UUSDC", "USDC;get", "USDC\u00a0(DnRP)",
		"SOL", "S0L", "S\u00d8L", "SO1", "SOI", "SO\u2160", "so|", "\u0405OL", "\u054fOL", "wSOL", "WS0L", "vvSOL", "Solana", "SOL\u200b", "5OL", "$OL", "\u00a7OL", "SOL.", "S\u039fL", "S\u2d54L", "SO\u216c", "s\u01fel", "SO\u00a3", "SO\u0141", "\u2687", "1", "1.5", "9,000", "*", "", "\n", "\x1b[31mUSDC", "USDC\nYou get: 5 SOL",
	} {
		for _, both := range []bool{false, true} {
			outCount++
			list := signing.TokenList{xUSDC: {Symbol: "USDC", Decimals: 6}, evil: {Symbol: symbol, Decimals: 6}}
			set := []xTx{{format: txbuild.V0, ins: []ins{xTok.TransferChecked(outAddr("maker evil"), evil, myEvil, maker, 5_000_000, 6)}, by: []string{"maker"}}}
			intent := xIntent(gets(evil, 5_000_000))
			if !both {
				intent.Spend = nil
			}
			a := attempt{policy: xPolicy(func(p *signing.Policy) { p.Tokens = list }), set: set, intent: intent}
			_, r, err := a.run(t.Context())
			require.NoError(t, err)
			text := r.Text()
			marked := strings.Contains(text, "WARNING: the token named")
			lasting := strings.Contains(text, "\nYou get: 5 SOL")
			if lasting || strings.ContainsAny(text, "\x1b") {
				t.Errorf("SYMBOL %q writes lines", symbol)
			}
			line := ""
			for l := range strings.Lines(text) {
				if strings.Contains(l, "  You get: ") {
					line = strings.TrimSpace(l)
				}
			}
			if !marked {
				t.Logf("unmarked both=%v %-16q %s", both, symbol, line)
			}
			if m := oddSpaces.FindString(text); m != "" {
				t.Errorf("SYMBOL %q: invisible %q", symbol, m)
			}
		}
	}
}
