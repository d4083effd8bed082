package signing

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// Decimals are those of the transactions that move the token, if all name the same.
func TestDecimalsAreVouchedFor(t *testing.T) {
	named := func(mint PublicKey, decimals uint8) txbuild.Instruction {
		return spl.TransferChecked(AssociatedTokenAddress(owner, mint, TokenProgram), mint, AssociatedTokenAddress(owner, mint, TokenProgram), owner, 1, decimals)
	}
	brings := spl.Transfer(vault, ourUSDC, maker, 900)
	tokens := func(source TokenSource, sets ...[]txbuild.Instruction) []ReportToken {
		var scenes []*scene
		for _, instructions := range sets {
			s := ordinary(instructions...)
			s.policy.CoSigners, s.policy.Tokens = []PublicKey{maker}, source
			s.intent.Receive = []walletfi.Asset{{Mint: usdc.String(), Amount: 0}}
			scenes = append(scenes, s)
		}
		_, report, err := NewGuard(scenes[0].policy).CheckSet(t.Context(), set(txbuild.V0, scenes...))
		require.NoError(t, err)
		return report.Tokens
	}
	var none PublicKey
	six := ReportToken{usdc, TokenInfo{Decimals: 6}, true, DecimalsByTransaction, nil, none}
	list := TokenList{usdc: {"USDC", 2}, NativeMint: {"SOL", 1}}
	type instructions = []txbuild.Instruction
	pump5 := named(pump, 5)
	for _, row := range []struct {
		name   string
		source TokenSource
		set    []instructions
		want   []ReportToken
	}{
		{"named", nil, []instructions{{named(usdc, 6)}}, []ReportToken{six}},
		{"named twice", nil, []instructions{{named(usdc, 6), named(usdc, 6)}}, []ReportToken{six}},
		{"not named", nil, []instructions{{spl.Transfer(ourUSDC, ourUSDC, owner, 1)}}, nil},
		{"of SOL", nil, []instructions{{named(NativeMint, 9)}}, nil},
		{"of the list", list, []instructions{{named(usdc, 6), spl.Transfer(ourUSDC, vault, owner, 1)}}, []ReportToken{{usdc, TokenInfo{"USDC", 6}, true, DecimalsByTransaction, new(uint8(2)), none}}},
		{"of the list, as named", TokenList{usdc: {"USDC", 6}}, []instructions{{named(usdc, 6)}}, []ReportToken{{usdc, TokenInfo{"USDC", 6}, false, DecimalsByTransaction, nil, none}}},
		{"of the list, named otherwise by one", list, []instructions{{named(usdc, 6)}, {named(usdc, 7)}}, []ReportToken{{usdc, TokenInfo{"USDC", 2}, false, DecimalsByList, nil, none}}},
		{"of the list, SOL", TokenList{NativeMint: {"SOL", 1}}, []instructions{{txbuild.Transfer(owner, friend, 1)}}, nil},
		{"of the list, what is asked for", list, []instructions{{txbuild.Transfer(owner, friend, 1)}}, []ReportToken{{usdc, TokenInfo{"USDC", 2}, false, DecimalsByList, nil, none}}},
		{"of the list, what others bring", list, []instructions{{brings}}, []ReportToken{{usdc, TokenInfo{"USDC", 2}, false, DecimalsByList, nil, none}}},
		{"named by each of a set", nil, []instructions{{named(usdc, 6)}, {named(usdc, 6)}}, []ReportToken{six}},
		{"named otherwise by one", nil, []instructions{{named(usdc, 6)}, {named(usdc, 7)}}, nil},
		{"named otherwise by the same", nil, []instructions{{named(usdc, 6), named(usdc, 7)}, {txbuild.Memo("x")}}, nil},
		{"another mint has others", nil, []instructions{{named(usdc, 6), pump5}, {named(usdc, 6), spl.TransferChecked(listed, usdc, listed, owner, 1, 6)}}, []ReportToken{six, {pump, TokenInfo{Decimals: 5}, true, DecimalsByTransaction, nil, none}}},
		{"moved by one that names none", nil, []instructions{{named(usdc, 6)}, {spl.Transfer(ourUSDC, vault, owner, 1)}}, nil},
		{"another mint moved by one that names none", nil, []instructions{{named(usdc, 6)}, {txbuild.Transfer(owner, friend, 1)}}, []ReportToken{six}},
		{"brought, and not named by each", nil, []instructions{{named(usdc, 6), brings}, {txbuild.Memo("x")}}, nil},
		{"brought, and named by each", nil, []instructions{{named(usdc, 6), brings}, {named(usdc, 6)}}, []ReportToken{six}},
		{"another mint brought", nil, []instructions{{named(usdc, 6), txbuild.Transfer(maker, owner, 5)}, {txbuild.Memo("x")}}, []ReportToken{six}},
	} {
		assert.Equal(t, row.want, tokens(row.source, row.set...), row.name)
	}
}

// TestDecimalsOfAnotherTransaction: a transaction that names wrong decimals
// fails, but the others of its set do not.
func TestDecimalsOfAnotherTransaction(t *testing.T) {
	pays := spl.Transfer(ourUSDC, vault, owner, 500)
	named := func(decimals uint8) txbuild.Instruction {
		return spl.TransferChecked(ourUSDC, usdc, ourUSDC, owner, 1, decimals)
	}
	for name, c := range map[string]struct {
		set  [][]txbuild.Instruction
		says string
	}{
		"named by another":        {[][]txbuild.Instruction{{pays}, {named(18)}}, "You pay: 500 units of unknown size of token "},
		"named otherwise":         {[][]txbuild.Instruction{{pays, named(6)}, {named(18)}}, "You pay: 500 units of unknown size of token "},
		"named by each":           {[][]txbuild.Instruction{{pays, named(6)}, {named(6)}}, "You pay: 0.0005* of token "},
		"named where it is moved": {[][]txbuild.Instruction{{pays, named(6)}, {txbuild.Memo("x")}}, "You pay: 0.0005* of token "},
		"named once":              {[][]txbuild.Instruction{{pays, named(6)}}, "You pay: 0.0005* of token "},
	} {
		var scenes []*scene
		for _, instructions := range c.set {
			scenes = append(scenes, ordinary(instructions...))
		}
		_, report, err := NewGuard(scenes[0].policy).CheckSet(t.Context(), set(txbuild.Legacy, scenes...))
		require.NoError(t, err, name)
		assert.Contains(t, report.Text(), c.says, name)
	}
}

// mintOf is the account of a mint.
func mintOf(program PublicKey, decimals uint8, more ...byte) AccountState {
	data := make([]byte, 82)
	data[44], data[45] = decimals, 1
	if len(more) > 0 {
		data = append(append(data, make([]byte, 83)...), more...)
	}
	return AccountState{Lamports: 1, Owner: program, Data: data}
}

// TestDecimalsAreTheMints: of a mint whose decimals the transaction does not name, its account
// stands above the list; it is read once, and if it is not known the report says so.
func TestDecimalsAreTheMints(t *testing.T) {
	const listed, warning = ", are from this wallet's list (Policy.Tokens). If the decimals are wrong, all amounts of that token in this text, those that you asked for too, are wrong by the same factor\n", "WARNING: your list has "
	notMade := mintOf(TokenProgram, 6)
	notMade.Data[45] = 0
	for name, row := range map[string]struct {
		mint   AccountState
		err    error
		short  bool
		amount string
		warns  bool
		reads  int // of two checks
	}{
		"as listed":             {mint: mintOf(TokenProgram, 2), amount: "9 USDC", reads: 1},
		"others":                {mint: mintOf(TokenProgram, 6), amount: "0.0009 USDC", warns: true, reads: 1},
		"with extensions":       {mint: mintOf(Token2022Program, 6, 1, 9), amount: "0.0009 USDC", warns: true, reads: 2},
		"no such account":       {amount: "9 USDC", reads: 2},
		"not initialised":       {mint: notMade, amount: "9 USDC", reads: 2},
		"of another program":    {mint: mintOf(exchange, 6), amount: "9 USDC", reads: 2},
		"a token account":       {mint: holding(TokenProgram, usdc, owner, 1), amount: "9 USDC", reads: 2},
		"one with extensions":   {mint: mintOf(Token2022Program, 6, 2, 9), amount: "9 USDC", reads: 2},
		"the resolver is down":  {mint: mintOf(TokenProgram, 6), err: errors.New("down"), amount: "9 USDC", reads: 2},
		"it answers too little": {mint: mintOf(TokenProgram, 6), short: true, amount: "9 USDC", reads: 2},
	} {
		r := &reader{accounts: map[PublicKey]AccountState{usdc: row.mint}, err: row.err, short: row.short}
		s := ordinary(spl.Transfer(vault, ourUSDC, maker, 900), txbuild.Transfer(owner, friend, 1))
		s.policy.CoSigners, s.policy.Tokens = []PublicKey{maker}, TokenList{usdc: {"USDC", 2}}
		s.policy.Resolver = r
		guard := NewGuard(s.policy)
		for range 2 {
			_, report, err := s.sign(t, guard, txbuild.V0)
			require.NoError(t, err, name)
			text := report.Text()
			assert.Contains(t, text, "  You get: "+row.amount+" (", name)
			assert.Equal(t, row.warns, strings.Contains(text, warning), name)
			byMint := row.mint.Lamports > 0 && row.reads == 1 || row.warns
			assert.Equal(t, !byMint, strings.Contains(text, "Token names, and the decimals of USDC ("+shortOf(usdc)+")"+listed), name)
			assert.Equal(t, byMint, strings.Contains(text, "\n  Token names are from this wallet's list (Policy.Tokens): if a name is wrong, it is another token\n"), name)
			again := new(Report)
			b, err := json.Marshal(report)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(b, again))
			assert.Equal(t, text, again.Text(), name)
		}
		assert.Len(t, r.asked, row.reads, name)
		for _, asked := range r.asked {
			assert.Equal(t, []PublicKey{usdc}, asked, name)
		}
	}
}

// TestDecimalsAreNotAsked of what a transaction names, of what no list knows, and of what is refused.
func TestDecimalsAreNotAsked(t *testing.T) {
	named := ordinary(spl.TransferChecked(ourUSDC, usdc, vault, owner, 500, 6))
	named.policy.Tokens = TokenList{usdc: {"USDC", 6}}
	unlisted := ordinary(spl.Transfer(ourUSDC, vault, owner, 500))
	refused := drained()
	for name, s := range map[string]*scene{"named": named, "not listed": unlisted, "refused": refused} {
		r := &reader{accounts: map[PublicKey]AccountState{usdc: mintOf(TokenProgram, 6)}}
		s.policy.Resolver = r
		_, report, _ := s.sign(t, NewGuard(s.policy), txbuild.V0)
		require.Equal(t, name == "refused", report.Refusal != nil)
		assert.Empty(t, r.asked, name)
		assert.NotContains(t, report.Text(), "WARNING", name)
	}
}

// TestDecimalsOutliveAResolver: an approval stands whether the mint was read or not, if it says
// what the list says, and does not if it contradicts it.
func TestDecimalsOutliveAResolver(t *testing.T) {
	digest := func(mint AccountState) string {
		s := ordinary(spl.Transfer(ourUSDC, vault, owner, 500))
		s.policy.Tokens = TokenList{usdc: {"USDC", 2}}
		s.policy.Resolver = &reader{accounts: map[PublicKey]AccountState{usdc: mint}}
		return s.report(t, txbuild.V0).Digest()
	}
	assert.Equal(t, digest(AccountState{}), digest(mintOf(TokenProgram, 2)))
	assert.NotEqual(t, digest(AccountState{}), digest(mintOf(TokenProgram, 6)))
}
