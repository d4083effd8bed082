package rpcnode

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	associatedtokenaccount "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing"
)

// key is a key with one byte everywhere; text is its base58.
func key(b byte) solana.PublicKey {
	return solana.PublicKeyFromBytes(slices.Repeat([]byte{b}, 32))
}

func text(b byte) string { return `"` + key(b).String() + `"` }

// TestReencode holds what is put together against what solana-go writes.
func TestReencode(t *testing.T) {
	a, b, c, d, s := key(1), key(2), key(3), key(4), []solana.PublicKey{key(5), key(6)}
	rent, hashes := `"`+solana.SysVarRentPubkey.String()+`"`, `"`+solana.SysVarRecentBlockHashesPubkey.String()+`"`
	amount := `"tokenAmount":{"amount":"18446744073709551615","decimals":6,"uiAmount":1.0,"uiAmountString":"x"}`
	const most = 1<<64 - 1
	for name, c := range map[string]struct {
		want   solana.Instruction
		parsed string
	}{
		"createAccount": {system.NewCreateAccountInstruction(most, 165, c, a, b).Build(),
			`{"source":` + text(1) + `,"newAccount":` + text(2) + `,"lamports":18446744073709551615,"space":165,"owner":` + text(3) + `}`},
		"assign":          {system.NewAssignInstruction(b, a).Build(), `{"account":` + text(1) + `,"owner":` + text(2) + `}`},
		"system:transfer": {system.NewTransferInstruction(7, a, b).Build(), `{"source":` + text(1) + `,"destination":` + text(2) + `,"lamports":7}`},
		"advanceNonce": {system.NewAdvanceNonceAccountInstruction(a, solana.SysVarRecentBlockHashesPubkey, b).Build(),
			`{"nonceAccount":` + text(1) + `,"recentBlockhashesSysvar":` + hashes + `,"nonceAuthority":` + text(2) + `}`},
		"withdrawFromNonce": {system.NewWithdrawNonceAccountInstruction(9, a, b, solana.SysVarRecentBlockHashesPubkey, solana.SysVarRentPubkey, c).Build(),
			`{"nonceAccount":` + text(1) + `,"destination":` + text(2) + `,"recentBlockhashesSysvar":` + hashes + `,"rentSysvar":` + rent + `,"nonceAuthority":` + text(3) + `,"lamports":9}`},
		"authorizeNonce": {system.NewAuthorizeNonceAccountInstruction(c, a, b).Build(),
			`{"nonceAccount":` + text(1) + `,"nonceAuthority":` + text(2) + `,"newAuthorized":` + text(3) + `}`},
		"allocate": {system.NewAllocateInstruction(80, a).Build(), `{"account":` + text(1) + `,"space":80}`},
		"transferWithSeed": {system.NewTransferWithSeedInstruction(5, "gold", c, a, b, d).Build(),
			`{"source":` + text(1) + `,"sourceBase":` + text(2) + `,"destination":` + text(4) + `,"lamports":5,"sourceSeed":"gold","sourceOwner":` + text(3) + `}`},

		"transfer": {token.NewTransferInstruction(7, a, b, c, nil).Build(),
			`{"source":` + text(1) + `,"destination":` + text(2) + `,"authority":` + text(3) + `,"amount":"7"}`},
		"transferChecked": {token.NewTransferCheckedInstruction(most, 6, a, b, c, d, nil).Build(),
			`{"source":` + text(1) + `,"mint":` + text(2) + `,"destination":` + text(3) + `,"authority":` + text(4) + `,` + amount + `}`},
		"transferChecked of a multisig": {token.NewTransferCheckedInstruction(most, 6, a, b, c, d, s).Build(),
			`{"source":` + text(1) + `,"mint":` + text(2) + `,"destination":` + text(3) + `,"multisigAuthority":` + text(4) + `,"signers":[` + text(5) + `,` + text(6) + `],` + amount + `}`},
		"approve": {token.NewApproveInstruction(7, a, b, c, nil).Build(),
			`{"source":` + text(1) + `,"delegate":` + text(2) + `,"owner":` + text(3) + `,"amount":"7"}`},
		"approveChecked": {token.NewApproveCheckedInstruction(most, 6, a, b, c, d, nil).Build(),
			`{"source":` + text(1) + `,"mint":` + text(2) + `,"delegate":` + text(3) + `,"owner":` + text(4) + `,` + amount + `}`},
		"revoke": {token.NewRevokeInstruction(a, b, nil).Build(), `{"source":` + text(1) + `,"owner":` + text(2) + `}`},
		"setAuthority": {token.NewSetAuthorityInstruction(token.AuthorityAccountOwner, c, a, b, nil).Build(),
			`{"account":` + text(1) + `,"authorityType":"accountOwner","newAuthority":` + text(3) + `,"authority":` + text(2) + `}`},
		"mintTo": {token.NewMintToInstruction(7, a, b, c, nil).Build(),
			`{"mint":` + text(1) + `,"account":` + text(2) + `,"mintAuthority":` + text(3) + `,"amount":"7"}`},
		"mintToChecked": {token.NewMintToCheckedInstruction(most, 6, a, b, c, nil).Build(),
			`{"mint":` + text(1) + `,"account":` + text(2) + `,"mintAuthority":` + text(3) + `,` + amount + `}`},
		"burn": {token.NewBurnInstruction(7, a, b, c, nil).Build(),
			`{"account":` + text(1) + `,"mint":` + text(2) + `,"authority":` + text(3) + `,"amount":"7"}`},
		"burnChecked": {token.NewBurnCheckedInstruction(most, 6, a, b, c, nil).Build(),
			`{"account":` + text(1) + `,"mint":` + text(2) + `,"authority":` + text(3) + `,` + amount + `}`},
		"closeAccount": {token.NewCloseAccountInstruction(a, b, c, nil).Build(),
			`{"account":` + text(1) + `,"destination":` + text(2) + `,"owner":` + text(3) + `}`},
		"freezeAccount": {token.NewFreezeAccountInstruction(a, b, c, nil).Build(),
			`{"account":` + text(1) + `,"mint":` + text(2) + `,"freezeAuthority":` + text(3) + `}`},
		"syncNative": {token.NewSyncNativeInstruction(a).Build(), `{"account":` + text(1) + `}`},
		"initializeAccount": {token.NewInitializeAccountInstruction(a, b, c, solana.SysVarRentPubkey).Build(),
			`{"account":` + text(1) + `,"mint":` + text(2) + `,"owner":` + text(3) + `,"rentSysvar":` + rent + `}`},
		"initializeAccount2": {token.NewInitializeAccount2Instruction(c, a, b, solana.SysVarRentPubkey).Build(),
			`{"account":` + text(1) + `,"mint":` + text(2) + `,"owner":` + text(3) + `,"rentSysvar":` + rent + `}`},
		"initializeAccount3": {token.NewInitializeAccount3Instruction(c, a, b).Build(),
			`{"account":` + text(1) + `,"mint":` + text(2) + `,"owner":` + text(3) + `}`},
		"initializeMint": {token.NewInitializeMintInstruction(6, b, c, a, solana.SysVarRentPubkey).Build(),
			`{"mint":` + text(1) + `,"decimals":6,"mintAuthority":` + text(2) + `,"freezeAuthority":` + text(3) + `,"rentSysvar":` + rent + `}`},
	} {
		t.Run(name, func(t *testing.T) {
			kind := name
			for _, cut := range []string{"system:", " of a multisig"} {
				kind = removeText(kind, cut)
			}
			data, err := c.want.Data()
			require.NoError(t, err)
			got := reencode(signing.PublicKey(c.want.ProgramID()), json.RawMessage(`{"type":"`+kind+`","info":`+c.parsed+`}`))
			require.Equal(t, data, got.Data)
			accounts := []signing.PublicKey{}
			for _, m := range c.want.Accounts() {
				accounts = append(accounts, signing.PublicKey(m.PublicKey))
			}
			require.Equal(t, accounts, got.Accounts)
			requireAllNeeded(t, got.Program, kind, c.parsed)
		})
	}
}

func removeText(s, cut string) string {
	if i := len(s) - len(cut); i >= 0 && s[i:] == cut {
		return s[:i]
	}
	if len(s) > len(cut) && s[:len(cut)] == cut {
		return s[len(cut):]
	}
	return s
}

// requireAllNeeded takes away each field in turn: without any of them the
// bytes are not made up. A freeze authority and a rent sysvar may be absent.
func requireAllNeeded(t *testing.T, program signing.PublicKey, kind, parsed string) {
	t.Helper()
	var info map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(parsed), &info))
	for name := range info {
		if name == "freezeAuthority" && kind == "initializeMint" || name == "newAuthority" {
			continue
		}
		less := map[string]json.RawMessage{}
		for other, value := range info {
			if other != name {
				less[other] = value
			}
		}
		text, err := json.Marshal(map[string]any{"type": kind, "info": less})
		require.NoError(t, err)
		require.Nil(t, reencode(program, text).Data, "%s without %s", kind, name)
	}
}

// TestReencodeLayouts holds what solana-go does not write against bytes.
func TestReencodeLayouts(t *testing.T) {
	one, two, three := key(1), key(2), key(3)
	u64of := func(n byte) []byte { return []byte{n, 0, 0, 0, 0, 0, 0, 0} }
	for name, c := range map[string]struct {
		program  signing.PublicKey
		parsed   string
		data     []byte
		accounts int
	}{
		"createAccountWithSeed": {signing.SystemProgram,
			`{"source":` + text(1) + `,"newAccount":` + text(2) + `,"base":` + text(3) + `,"seed":"ab","lamports":4,"space":5,"owner":` + text(1) + `}`,
			slices.Concat([]byte{3, 0, 0, 0}, three[:], u64of(2), []byte("ab"), u64of(4), u64of(5), one[:]), 3},
		"assignWithSeed": {signing.SystemProgram, `{"account":` + text(1) + `,"base":` + text(2) + `,"seed":"","owner":` + text(3) + `}`,
			slices.Concat([]byte{10, 0, 0, 0}, two[:], u64of(0), three[:]), 2},
		"allocateWithSeed": {signing.SystemProgram, `{"account":` + text(1) + `,"base":` + text(2) + `,"seed":"z","space":6,"owner":` + text(3) + `}`,
			slices.Concat([]byte{9, 0, 0, 0}, two[:], u64of(1), []byte("z"), u64of(6), three[:]), 2},
		"transferCheckedWithFee": {signing.Token2022Program,
			`{"source":` + text(1) + `,"mint":` + text(2) + `,"destination":` + text(3) + `,"authority":` + text(4) +
				`,"tokenAmount":{"amount":"9","decimals":6},"feeAmount":{"amount":"1","decimals":6}}`,
			slices.Concat([]byte{26, 1}, u64of(9), []byte{6}, u64of(1)), 4},
		"harvestWithheldTokensToMint": {signing.Token2022Program, `{"mint":` + text(1) + `,"sourceAccounts":[` + text(2) + `,` + text(3) + `]}`, []byte{26, 4}, 3},
		"unwrapLamports":              {signing.TokenProgram, `{"source":` + text(1) + `,"destination":` + text(2) + `,"authority":` + text(3) + `,"amount":"3"}`, append([]byte{45, 1}, u64of(3)...), 3},
		"withdrawExcessLamports":      {signing.TokenProgram, `{"source":` + text(1) + `,"destination":` + text(2) + `,"authority":` + text(3) + `}`, []byte{38}, 3},
		"setAuthority": {signing.TokenProgram, `{"mint":` + text(1) + `,"authorityType":"mintTokens","newAuthority":null,"authority":` + text(2) + `}`,
			[]byte{6, 0, 0}, 2},
		"getAccountDataSize":       {signing.TokenProgram, `{"mint":` + text(1) + `,"extensionTypes":["immutableOwner"]}`, []byte{21}, 1},
		"initializeImmutableOwner": {signing.TokenProgram, `{"account":` + text(1) + `}`, []byte{22}, 1},
		"amountToUiAmount":         {signing.TokenProgram, `{"mint":` + text(1) + `,"amount":"2"}`, append([]byte{23}, u64of(2)...), 1},
		"uiAmountToAmount":         {signing.TokenProgram, `{"mint":` + text(1) + `,"uiAmount":"2.5"}`, append([]byte{24}, "2.5"...), 1},
	} {
		t.Run(name, func(t *testing.T) {
			got := reencode(c.program, json.RawMessage(`{"type":"`+name+`","info":`+c.parsed+`}`))
			require.Equal(t, c.data, got.Data)
			require.Len(t, got.Accounts, c.accounts)
		})
	}
}

func TestReencodeAssociated(t *testing.T) {
	want := associatedtokenaccount.NewCreateInstruction(key(1), key(2), key(3)).Build()
	account := want.Accounts()[1].PublicKey.String()
	info := `{"source":` + text(1) + `,"account":"` + account + `","wallet":` + text(2) + `,"mint":` + text(3) +
		`,"systemProgram":"11111111111111111111111111111111","tokenProgram":"` + solana.TokenProgramID.String() + `"}`
	for kind, tag := range map[string]byte{"create": 0, "createIdempotent": 1} {
		got := reencode(associatedTokenProgram, json.RawMessage(`{"type":"`+kind+`","info":`+info+`}`))
		require.Equal(t, []byte{tag}, got.Data)
		for i, k := range got.Accounts {
			require.Equal(t, want.Accounts()[i].PublicKey, solana.PublicKey(k))
		}
	}
}

func TestReencodeWhatIsNotKnown(t *testing.T) {
	foreign := signing.PublicKey(key(9))
	for name, parsed := range map[string]string{
		"unknown program":     `{"type":"transfer","info":{"from":` + text(1) + `,"deep":[{"to":` + text(2) + `}]}}`,
		"unknown instruction": `{"type":"dance","info":{"a":` + text(1) + `,"b":` + text(2) + `}}`,
		"a text":              `{"type":7,"info":[` + text(1) + `,` + text(2) + `]}`,
	} {
		program := signing.TokenProgram
		if name == "unknown program" {
			program = foreign
		}
		got := reencode(program, json.RawMessage(parsed))
		require.Nil(t, got.Data, name)
		require.ElementsMatch(t, []signing.PublicKey{signing.PublicKey(key(1)), signing.PublicKey(key(2))}, got.Accounts, name)
	}
	memo := reencode(memoProgram, json.RawMessage(`"hello"`))
	require.Equal(t, "hello", string(memo.Data))
	for _, odd := range []string{
		`{"type":"transfer","info":{"source":` + text(1) + `,"destination":` + text(2) + `,"authority":` + text(3) + `,"amount":"-1"}}`,
		`{"type":"transfer","info":{"source":` + text(1) + `,"destination":` + text(2) + `,"authority":` + text(3) + `,"amount":"18446744073709551616"}}`,
		`{"type":"transfer","info":{"source":` + text(1) + `,"destination":` + text(2) + `,"authority":` + text(3) + `,"amount":1.5}}`,
		`{"type":"setAuthority","info":{"account":` + text(1) + `,"authorityType":"somethingNew","newAuthority":null,"authority":` + text(2) + `}}`,
		`null`, `7`, `{}`, ``,
	} {
		require.Nil(t, reencode(signing.TokenProgram, json.RawMessage(odd)).Data, odd)
	}
}
