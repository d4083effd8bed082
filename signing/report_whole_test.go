package signing

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
		txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true),
		t22.TransferCheckedWithFee(vault, bonk, ourBonk, maker, 900, 2, 0),
		txbuild.Call(exchange, nil, txbuild.Writable(vault)),
		txbuild.Call(exchange, []byte{1}, txbuild.Writable(listed), txbuild.Writable(ourBonk)),
		txbuild.Memo("gm"),
	)
	s.policy.CoSigners, s.policy.Tokens = []PublicKey{maker}, TokenList{usdc: {"USDC", 2}, bonk: {"BONK", 2}}
	s.intent.Receive, s.intent.OutputTo = []walletfi.Asset{{Mint: bonk.String(), Amount: 900}}, nil
	return s.report(t, txbuild.V0)
}

// What a report says of what an ordinary one does not have.
func TestReportsOfOddThings(t *testing.T) {
	read := &Report{Owner: owner, Brings: []walletfi.Asset{{Mint: "no mint", Amount: 5}}, Leaves: []Movement{{Mint: usdc, Amount: 1, To: TokenProgram}}}
	text := read.Text()
	assert.Contains(t, text, "1 units of unknown size of token "+shortOf(usdc)+" to Token, chosen by the service\n")
	assert.NotContains(t, text, "5 smallest units")
	assert.NotContains(t, text, TokenProgram.String(), "a program's name needs no address")
	assert.Equal(t, `a new kind "x"`, Note{Kind: "a new kind", Text: "x"}.text())
	long := strings.Repeat("a", 161)
	assert.Equal(t, `"`+long[:160]+`"`, printable(long[:160]))
	assert.Equal(t, `"`+long[:160]+`"...`, printable(long))
	assert.Equal(t, "twelveRunesA", printableSymbol("twelveRunesA"))
	assert.Equal(t, `"thirteenRunes"`, printableSymbol("thirteenRunes"))
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

// TestGoldenReports holds both texts of a report against those that a person has
// read, to the last character.
func TestGoldenReports(t *testing.T) {
	refused := ordinary(txbuild.Transfer(owner, thief, 77_777), spl.SetAuthority(ourUSDC, owner, 2, thief))
	refused.intent.Service = ""
	_, refusedReport := refused.refusal(t, txbuild.V0)

	hidden := ordinary(txbuild.Transfer(owner, stranger, 10_000), txbuild.Call(exchange, nil, txbuild.Writable(vault), txbuild.Writable(owner)),
		txbuild.Call(exchange, []byte{1}, txbuild.Writable(vault), txbuild.Writable(thief)), txbuild.Memo("x", maker, sponsor))
	hidden.with(behindTables).with(unprotected).with(func(s *scene) { s.signedBy, s.policy.LateCoSigners, s.intent.OutputTo = []string{"maker"}, 1, nil })

	first := ordinary(txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true), txbuild.Call(exchange, nil, txbuild.Writable(TokenProgram)))
	_, setReport, err := NewGuard(first.policy).CheckSet(t.Context(), set(txbuild.Legacy, first, ordinary(txbuild.Transfer(owner, friend, 1))))
	require.NoError(t, err)
	_, drain := drained().refusal(t, txbuild.V0)
	for name, report := range map[string]*Report{
		"everything": reportOfEverything(t), "refused": refusedReport, "hidden": hidden.report(t, txbuild.V0), "set": setReport,
		"swap": honestSwap().report(t, txbuild.V0), "deposit": deposited().report(t, txbuild.V0),
		"blindswap": blindSwap().report(t, txbuild.V0), "drain": drain, "lookalike": lookingAlike().report(t, txbuild.V0),
		"lookedup": lookedUp(t).report(t, txbuild.V0),
	} {
		path := filepath.Join("testdata", "reports", name+".txt")
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, string(want), report.String()+"\n"+report.Text(), name)
	}
}

// TestGoldenReportsJSON: what version 1 of the form was when the amounts were bare integers in Go is read,
// and written again to the last character, the digests too.
func TestGoldenReportsJSON(t *testing.T) {
	for name, report := range map[string]*Report{
		"everything": reportOfEverything(t), "deposit": deposited().report(t, txbuild.V0), "wide": wide().report(t, txbuild.V1),
	} {
		want, err := os.ReadFile(filepath.Join("testdata", "reports", name+".json"))
		require.NoError(t, err)
		written, err := json.MarshalIndent(report, "", "  ")
		require.NoError(t, err)
		assert.Equal(t, string(want), string(written)+"\n", name)
		var read Report
		require.NoError(t, json.Unmarshal(want, &read))
		assert.Equal(t, report.Leaves, read.Leaves, name)
		assert.Equal(t, report.Digest(), read.Digest(), name)
		again, err := json.MarshalIndent(read, "", "  ")
		require.NoError(t, err)
		assert.Equal(t, string(want), string(again)+"\n", name)
	}
}

// asking is a scene of an intent that spends and expects so much.
func asking(service, spends string, amount uint64, receives string, least uint64, list ...txbuild.Instruction) *scene {
	s := ordinary(list...)
	s.intent = walletfi.Intent{Service: service, Owner: owner.String(), Spend: []walletfi.Asset{{Mint: spends, Amount: walletfi.Amount(amount)}}}
	if receives != "" {
		s.intent.Receive = []walletfi.Asset{{Mint: receives, Amount: walletfi.Amount(least)}}
	}
	s.policy = Policy{Pins: map[string][]PublicKey{service: {exchange}}, Tokens: TokenList{usdc: {"USDC", 6}}}
	s.options = []Option{AtBlockHeight(1000), WithLastValidBlockHeight(1150)}
	return s
}

// wrapsAndSwaps is the usual swap of 0.05 SOL: wrapped first, then taken by the exchange.
func wrapsAndSwaps() *scene {
	return asking("swap", walletfi.NativeMint, 50_000_000, usdc.String(), 9_900_000,
		txbuild.CreateATA(owner, ourWrapped, owner, NativeMint, TokenProgram, true), txbuild.Transfer(owner, ourWrapped, 50_000_000),
		spl.SyncNative(ourWrapped), txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(ourWrapped), txbuild.Writable(ourUSDC), txbuild.Writable(vault)),
		spl.Close(ourWrapped, owner, owner))
}

func honestSwap() *scene {
	s := wrapsAndSwaps()
	takes := inner(spl.Transfer(ourWrapped, vault, owner, 50_000_000))
	takes.Outer = 3
	s.policy.Simulator = &stage{
		before: map[PublicKey]AccountState{owner: {Lamports: 5_000_000_000}, ourUSDC: holding(TokenProgram, usdc, owner, 1)},
		after:  map[PublicKey]AccountState{owner: {Lamports: 4_950_000_000 - 5000}, ourUSDC: holding(TokenProgram, usdc, owner, 10_000_001)},
		inner:  []InnerInstruction{takes},
	}
	return s
}

func blindSwap() *scene {
	return wrapsAndSwaps().with(func(s *scene) { s.policy.AllowBlind = []string{"swap"} })
}

func deposited() *scene {
	s := asking("lending", usdc.String(), 25_000_000, "", 0, txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(ourUSDC), txbuild.Writable(vault)))
	s.policy.Simulator = &stage{
		before: map[PublicKey]AccountState{owner: {Lamports: 5_000_000_000}, ourUSDC: holding(TokenProgram, usdc, owner, 30_000_000)},
		after:  map[PublicKey]AccountState{owner: {Lamports: 5_000_000_000 - 5000}, ourUSDC: holding(TokenProgram, usdc, owner, 5_000_000)},
		inner:  []InnerInstruction{inner(spl.TransferChecked(ourUSDC, usdc, vault, owner, 25_000_000, 6))},
	}
	return s
}

func drained() *scene {
	return asking("lending", usdc.String(), 25_000_000, "", 0,
		txbuild.Transfer(owner, thief, 4_900_000_000), spl.SetAuthority(ourUSDC, owner, 2, thief))
}

// lookingAlike delivers a token whose symbol only looks like USDC.
func lookingAlike() *scene {
	s := asking("swap", usdc.String(), 5_000_000, pump.String(), 5_000_000, spl.TransferChecked(ourUSDC, usdc, vault, owner, 5_000_000, 6),
		t22.TransferCheckedWithFee(vault, pump, ourPump, maker, 5_000_000, 6, 0))
	s.policy.CoSigners, s.policy.Tokens = []PublicKey{maker}, TokenList{usdc: {"USDC", 6}, pump: {"USD\u0421", 6}}
	return s
}

// Whatever a simulated or pinned call may take is not said to stay.
func TestStaysIsNotSaidOfWhatACallMayTake(t *testing.T) {
	for name, s := range map[string]*scene{"simulated": honestSwap(), "blind": blindSwap()} {
		assert.NotContains(t, s.report(t, txbuild.V0).Text(), " stays there", name)
	}
}

// Symbols that the eye does not tell apart are marked, and addresses are never short alike.
func TestLookAlikes(t *testing.T) {
	for symbols, marked := range map[[2]string]bool{
		{"USDC", "BONK"}: false, {"USDC", "usdc"}: true, {"SLIM", "S1IM"}: true, {"BOB", "B0B"}: true, {"SOL", "x"}: true,
		{"wSOL", "x"}: true, {"USD\u0421", "x"}: true, {"US DC", "x"}: true, {"", ""}: false, {"MARNIE", "MAMIE"}: true,
	} {
		tokens := []ReportToken{{Mint: usdc, TokenInfo: TokenInfo{Symbol: symbols[0]}}, {Mint: pump, TokenInfo: TokenInfo{Symbol: symbols[1]}}}
		assert.Equal(t, marked, (&people{report: new(Report), ends: 4}).likeness(tokens, 0) != nil, symbols)
	}
	assert.Equal(t, &like{"USD\u0421", pump, ` that is not "USD\u0421"`},
		(&people{report: new(Report), ends: 4}).likeness([]ReportToken{{Mint: usdc, TokenInfo: TokenInfo{Symbol: "\uff35SDC"}}, {Mint: pump, TokenInfo: TokenInfo{Symbol: "USD\u0421"}}}, 0))
	short := func(k PublicKey, ends int) string { return (&people{report: new(Report), ends: ends}).short(k) }
	twin := owner
	for i := 0; twin == owner || short(twin, 1) != short(owner, 1); i++ {
		twin = addressOf(strconv.Itoa(i))
	}
	for _, row := range []struct {
		ends     int
		distinct bool
		of       []PublicKey
	}{
		{1, false, []PublicKey{owner, twin}}, {4, true, []PublicKey{owner, twin}}, {4, true, []PublicKey{owner, owner}},
		{4, false, []PublicKey{addressLike("wacU", owner), addressLike("WACu", owner)}}, // letters that are much alike
	} {
		p := people{report: new(Report), ends: row.ends}
		for _, k := range row.of {
			p.short(k)
		}
		assert.Equal(t, row.distinct, p.distinct(), row)
	}
	assert.Equal(t, owner.String(), short(owner, 22))
}

// addressLike is an address that begins as text, and else is another.
func addressLike(text string, other PublicKey) PublicKey {
	return MustPublicKey(text + other.String()[len(text):])
}

// TestListHasLookAlikes: of a list, a token whose symbol another one of it has is marked, though
// the set does not name the other, and the same one each time.
func TestListHasLookAlikes(t *testing.T) {
	s := lookingAlike()
	s.intent.Spend, s.instructions = []walletfi.Asset{{Mint: usdc.String(), Amount: 5}}, s.instructions[1:]
	s.intent.Spend[0].Mint = bonk.String()
	s.intent.Receive[0].Mint = pump.String()
	s.policy.Tokens = TokenList{usdc: {"USDC", 6}, listed: {"U5DC", 6}, pump: {"USD\u0421", 6}, NativeMint: {"USDC", 9}, bonk: {"", 6}}
	for range 20 {
		report := s.report(t, txbuild.V0)
		i := slices.IndexFunc(report.Tokens, func(token ReportToken) bool { return token.Mint == pump })
		first := usdc
		if bytes.Compare(listed[:], usdc[:]) < 0 {
			first = listed
		}
		require.Equal(t, first, report.Tokens[i].LooksLike)
		require.Contains(t, report.Text(), "looks like another token of your list, "+shortOf(first)+", and is not that one\n")
		require.Contains(t, report.Text(), shortOf(first)+" = "+first.String()+"\n")
	}
	s.policy.Tokens = struct{ TokenSource }{s.policy.Tokens}
	require.Contains(t, s.report(t, txbuild.V0).Text(), "has characters in its name that can look like others")
}

// TestDocsSayTheOrder: each part of the report that docs/signing.md lists is in one of the golden
// texts, and in each that has several they come in the order of the list.
func TestDocsSayTheOrder(t *testing.T) {
	docs, err := os.ReadFile("../docs/signing.md")
	require.NoError(t, err)
	var parts []string
	for _, item := range regexp.MustCompile("(?m)^[1-9]\\. (?:`[^`]+`(?:, | and )?)+").FindAllString(string(docs), -1) {
		var words []string
		for _, word := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(item, -1) {
			words = append(words, word[1])
		}
		parts = append(parts, "^(?:"+strings.Join(words, "|")+")")
	}
	require.Len(t, parts, 8)
	files, err := filepath.Glob(filepath.Join("testdata", "reports", "*.txt"))
	require.NoError(t, err)
	met := map[int]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		_, forPeople, _ := strings.Cut(string(text), "\n\n")
		assert.Regexp(t, `^You asked for.*: .*(\n.*)*\nProven by .*(\n.*)*\nNot proven\n`, forPeople, file)
		at := 0
		for line := range strings.Lines(forPeople) {
			for i, part := range parts {
				if regexp.MustCompile(part).MatchString(line) {
					assert.GreaterOrEqual(t, i, at, "%s: %s", file, line)
					at, met[i] = i, true
				}
			}
		}
	}
	assert.Len(t, met, len(parts))
}

// TestReportsAreShort: of an honest swap that was simulated a dozen lines, addresses apart.
func TestReportsAreShort(t *testing.T) {
	lines := strings.Split(honestSwap().report(t, txbuild.V0).Text(), "\n")
	addresses := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, " = ") })
	require.Equal(t, 13, addresses)
}

// TestReportsHaveOneMeaning: phrases that people read in two ways are in no report.
func TestReportsHaveOneMeaning(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "reports", "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		_, forPeople, _ := strings.Cut(string(text), "\n\n")
		assert.NotRegexp(t, `(?i)your policy|pinned|service's word|no simulator|on top of|everything|\bours\b|, as (spend|tip|burn)|`+
			`You pay: .*\(your account\)|What passes|nobody|is not looked|Goes into|Leaves your|besides what|as held before|what comes in|your settings allow|`+
			`stranger|no least|lookup table|\bIDL\b|keeps this|besides|amount unknown|kept to|all the same|control of them|once or in parts|as the service says|comes and stays|`+
			`may get nothing|You sign:| now\)|, not named by|its rent, not|it comes back with|signed already$|asking you again|is not seen|when you close it|; allowed: |`+
			`good or bad|At worst you get nothing|see the next line|gets into these|not refused only|alone decides|seen in a simulation|later too|`+
			`signed elsewhere, it could|by your request or|without your signature|can take nothing.*;|may not stay|can take it first|kept for you elsewhere|nothing enforces|chosen by the service and not|Nothing looked|`+
			`at any later time|in addition, if it|smallest units|you set no|may be yours|a part of it only|proves nothing|more or less of that|from others why|`+
			`Nothing refuses|if it fails, only|it comes back when|before this\)|, not proven|You get nothing|is then not yours|may take what you spend|none if|nothing if it|`+
			`stays where it is|lose nothing by it|the service that built it again|need not make it fail|none by itself|after as much of|`+
			`as of a deposit|which others pay|still yours: if|in those of|pay rent once|even empty`, forPeople, file)
		meansOneThing(t, file, forPeople)
		for program, times := range count(regexp.MustCompile(`(?m)^  Program (\S+) .*could (?:have taken|take) `).FindAllStringSubmatch(forPeople, -1)) {
			assert.Equal(t, 1, times, "%s: %s", file, program)
		}
	}
}

// meansOneThing holds a report's claims against one another: an amount to spend is no cap while a program
// could take more, and what is lost at worst is told of all that can be signed.
func meansOneThing(t *testing.T, file, text string) {
	refused, risky := strings.Contains(text, "\nNOT SIGNED: "), regexp.MustCompile("\n  Program .* could take ").MatchString(text)
	assert.Equal(t, !refused && risky, strings.HasPrefix(text, "You asked for (a program that is called can do otherwise, "), file)
	assert.Equal(t, !refused, regexp.MustCompile("^[^\n]*\n(?:  [^\n]+\n)*At worst you lose: [^\n]+\n").MatchString(text), file)
	assert.NotEqual(t, refused || risky, strings.Contains(text, ", and no more"), file)
	assert.False(t, refused && regexp.MustCompile(`You (pay|get|may)\b|could take `).MatchString(text), "what did not happen: %s", file)
	_, below, _ := strings.Cut(text, "\nNot proven\n")
	assert.NotContains(t, below, "(this is proven)", file)
	assert.NotContains(t, below, "can take nothing", file)
}

// count counts the first groups of matches.
func count(matches [][]string) map[string]int {
	times := map[string]int{}
	for _, m := range matches {
		times[m[1]]++
	}
	return times
}
