package signing

import (
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
	six := ReportToken{usdc, TokenInfo{Decimals: 6}, true, nil, none}
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
		{"of the list", list, []instructions{{named(usdc, 6), spl.Transfer(ourUSDC, vault, owner, 1)}}, []ReportToken{{usdc, TokenInfo{"USDC", 6}, true, new(uint8(2)), none}}},
		{"of the list, as named", TokenList{usdc: {"USDC", 6}}, []instructions{{named(usdc, 6)}}, []ReportToken{{usdc, TokenInfo{"USDC", 6}, false, nil, none}}},
		{"of the list, named otherwise by one", list, []instructions{{named(usdc, 6)}, {named(usdc, 7)}}, []ReportToken{{usdc, TokenInfo{"USDC", 2}, false, nil, none}}},
		{"of the list, SOL", TokenList{NativeMint: {"SOL", 1}}, []instructions{{txbuild.Transfer(owner, friend, 1)}}, nil},
		{"of the list, what is asked for", list, []instructions{{txbuild.Transfer(owner, friend, 1)}}, []ReportToken{{usdc, TokenInfo{"USDC", 2}, false, nil, none}}},
		{"of the list, what others bring", list, []instructions{{brings}}, []ReportToken{{usdc, TokenInfo{"USDC", 2}, false, nil, none}}},
		{"named by each of a set", nil, []instructions{{named(usdc, 6)}, {named(usdc, 6)}}, []ReportToken{six}},
		{"named otherwise by one", nil, []instructions{{named(usdc, 6)}, {named(usdc, 7)}}, nil},
		{"named otherwise by the same", nil, []instructions{{named(usdc, 6), named(usdc, 7)}, {txbuild.Memo("x")}}, nil},
		{"another mint has others", nil, []instructions{{named(usdc, 6), pump5}, {named(usdc, 6), spl.TransferChecked(listed, usdc, listed, owner, 1, 6)}}, []ReportToken{six, {pump, TokenInfo{Decimals: 5}, true, nil, none}}},
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
		"named by another":        {[][]txbuild.Instruction{{pays}, {named(18)}}, "Leaves your wallet: 500 smallest units of token "},
		"named otherwise":         {[][]txbuild.Instruction{{pays, named(6)}, {named(18)}}, "Leaves your wallet: 500 smallest units of token "},
		"named by each":           {[][]txbuild.Instruction{{pays, named(6)}, {named(6)}}, "Leaves your wallet: 0.0005* of token "},
		"named where it is moved": {[][]txbuild.Instruction{{pays, named(6)}, {txbuild.Memo("x")}}, "Leaves your wallet: 0.0005* of token "},
		"named once":              {[][]txbuild.Instruction{{pays, named(6)}}, "Leaves your wallet: 0.0005* of token "},
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
