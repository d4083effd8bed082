package node

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// The accounts of the instructions below, in the order of the alphabet.
var letters = map[string]solana.PublicKey{}

func key(letter string) solana.PublicKey {
	letters[letter] = solana.PublicKey{letter[0], 9}
	return letters[letter]
}

// parsedOf writes an instruction and puts the letters of the accounts for their addresses.
func parsedOf(t *testing.T, in solana.Instruction) string {
	t.Helper()
	data, err := in.Data()
	require.NoError(t, err)
	keys, compiled := []solana.PublicKey{in.ProgramID()}, ledger.Compiled{Data: data}
	for _, m := range in.Accounts() {
		keys = append(keys, m.PublicKey)
		compiled.Accounts = append(compiled.Accounts, len(keys)-1)
	}
	out, err := json.Marshal(parsedInstruction(keys, compiled, 1))
	require.NoError(t, err)
	told := string(out)
	for letter, k := range letters {
		told = strings.ReplaceAll(told, k.String(), letter)
	}
	return told
}

// TestParsedInstructions: the bytes are those of solana-go's builders, or written out where
// it has none.
func TestParsedInstructions(t *testing.T) {
	a, b, c, d, e := key("a"), key("b"), key("c"), key("d"), key("e")
	hashes, rents := solana.SysVarRecentBlockHashesPubkey, solana.SysVarRentPubkey
	signers := []solana.PublicKey{d, e}
	raw := func(program solana.PublicKey, data string, keys ...solana.PublicKey) solana.Instruction {
		metas := solana.AccountMetaSlice{}
		for _, k := range keys {
			metas = append(metas, solana.Meta(k))
		}
		return solana.NewInstruction(program, metas, []byte(data))
	}
	const amount = `{"amount":"70","decimals":1,"uiAmount":7,"uiAmountString":"7"}`
	create := system.NewCreateAccountWithSeedInstruction(a, "seed", 1, 2, b, c, d, a).Build()
	nested := raw(solana.SPLAssociatedTokenAccountProgramID, "\x02", a, b, c, d, e, a, b)
	table, twenty22 := solana.AddressLookupTableProgramID, solana.Token2022ProgramID
	seventy := "\x46\x00\x00\x00\x00\x00\x00\x00"
	for _, test := range []struct {
		in            solana.Instruction
		program, kind string
		info          string
	}{
		{system.NewTransferInstruction(7, a, b).Build(), "system", "transfer", `{"source":"a","destination":"b","lamports":7}`},
		{system.NewCreateAccountInstruction(1, 2, c, a, b).Build(), "system", "createAccount",
			`{"source":"a","newAccount":"b","lamports":1,"space":2,"owner":"c"}`},
		{system.NewAssignInstruction(b, a).Build(), "system", "assign", `{"account":"a","owner":"b"}`},
		{create, "system", "createAccountWithSeed",
			`{"source":"c","newAccount":"d","base":"a","seed":"seed","lamports":1,"space":2,"owner":"b"}`},
		{system.NewAdvanceNonceAccountInstruction(a, hashes, b).Build(), "system", "advanceNonce",
			`{"nonceAccount":"a","recentBlockhashesSysvar":"` + hashes.String() + `","nonceAuthority":"b"}`},
		{system.NewInitializeNonceAccountInstruction(b, a, hashes, rents).Build(), "system", "initializeNonce",
			`{"nonceAccount":"a","recentBlockhashesSysvar":"` + hashes.String() + `","rentSysvar":"` + rents.String() +
				`","nonceAuthority":"b"}`},
		{system.NewWithdrawNonceAccountInstruction(5, a, b, hashes, rents, c).Build(), "system", "withdrawFromNonce",
			`{"nonceAccount":"a","destination":"b","recentBlockhashesSysvar":"` + hashes.String() + `","rentSysvar":"` +
				rents.String() + `","nonceAuthority":"c","lamports":5}`},
		{system.NewAuthorizeNonceAccountInstruction(c, a, b).Build(), "system", "authorizeNonce",
			`{"nonceAccount":"a","nonceAuthority":"b","newAuthorized":"c"}`},
		{system.NewAllocateInstruction(5, a).Build(), "system", "allocate", `{"account":"a","space":5}`},
		{token.NewInitializeMintInstruction(6, a, b, c, rents).Build(), "spl-token", "initializeMint",
			`{"mint":"c","rentSysvar":"` + rents.String() + `","decimals":6,"mintAuthority":"a","freezeAuthority":"b"}`},
		{raw(twenty22, "\x14\x06"+string(a[:])+"\x00", b), "spl-token", "initializeMint2",
			`{"mint":"b","decimals":6,"mintAuthority":"a"}`},
		{token.NewInitializeMultisig2Instruction(2, a, signers).Build(), "spl-token", "initializeMultisig2",
			`{"multisig":"a","m":2,"signers":["d","e"]}`},
		{token.NewTransferInstruction(7, a, b, c, nil).Build(), "spl-token", "transfer",
			`{"source":"a","destination":"b","authority":"c","amount":"7"}`},
		{token.NewTransferInstruction(7, a, b, c, signers).Build(), "spl-token", "transfer",
			`{"source":"a","destination":"b","multisigAuthority":"c","signers":["d","e"],"amount":"7"}`},
		{token.NewApproveInstruction(7, a, b, c, signers).Build(), "spl-token", "approve",
			`{"source":"a","delegate":"b","multisigOwner":"c","signers":["d","e"],"amount":"7"}`},
		{token.NewRevokeInstruction(a, b, nil).Build(), "spl-token", "revoke", `{"source":"a","owner":"b"}`},
		{token.NewSetAuthorityInstruction(token.AuthorityAccountOwner, b, a, c, nil).Build(), "spl-token", "setAuthority",
			`{"account":"a","authorityType":"accountOwner","newAuthority":"b","authority":"c"}`},
		{raw(twenty22, "\x06\x00\x00", a, c), "spl-token", "setAuthority",
			`{"mint":"a","authorityType":"mintTokens","newAuthority":null,"authority":"c"}`},
		{token.NewMintToInstruction(7, a, b, c, nil).Build(), "spl-token", "mintTo",
			`{"mint":"a","account":"b","mintAuthority":"c","amount":"7"}`},
		{token.NewBurnInstruction(7, a, b, c, nil).Build(), "spl-token", "burn",
			`{"account":"a","mint":"b","authority":"c","amount":"7"}`},
		{token.NewCloseAccountInstruction(a, b, c, nil).Build(), "spl-token", "closeAccount",
			`{"account":"a","destination":"b","owner":"c"}`},
		{token.NewFreezeAccountInstruction(a, b, c, nil).Build(), "spl-token", "freezeAccount",
			`{"account":"a","mint":"b","freezeAuthority":"c"}`},
		{token.NewTransferCheckedInstruction(70, 1, a, b, c, d, nil).Build(), "spl-token", "transferChecked",
			`{"source":"a","mint":"b","destination":"c","authority":"d","tokenAmount":` + amount + `}`},
		{token.NewApproveCheckedInstruction(70, 1, a, b, c, d, nil).Build(), "spl-token", "approveChecked",
			`{"source":"a","mint":"b","delegate":"c","owner":"d","tokenAmount":` + amount + `}`},
		{token.NewMintToCheckedInstruction(70, 1, a, b, c, nil).Build(), "spl-token", "mintToChecked",
			`{"mint":"a","account":"b","mintAuthority":"c","tokenAmount":` + amount + `}`},
		{token.NewBurnCheckedInstruction(70, 1, a, b, c, nil).Build(), "spl-token", "burnChecked",
			`{"account":"a","mint":"b","authority":"c","tokenAmount":` + amount + `}`},
		{token.NewSyncNativeInstruction(a).Build(), "spl-token", "syncNative", `{"account":"a"}`},
		{token.NewInitializeAccount3Instruction(c, a, b).Build(), "spl-token", "initializeAccount3",
			`{"account":"a","mint":"b","owner":"c"}`},
		{raw(twenty22, "\x15\x07\x00", a), "spl-token", "getAccountDataSize", `{"mint":"a","extensionTypes":["immutableOwner"]}`},
		{raw(twenty22, "\x15", a), "spl-token", "getAccountDataSize", `{"mint":"a"}`},
		{raw(twenty22, "\x18"+"1.5", a), "spl-token", "uiAmountToAmount", `{"mint":"a","uiAmount":"1.5"}`},
		{raw(twenty22, "\x2d\x01"+seventy, a, b, c), "spl-token", "unwrapLamports",
			`{"source":"a","destination":"b","authority":"c","amount":"70"}`},
		{raw(twenty22, "\x1a\x01"+seventy+"\x01"+seventy, a, b, c, d), "spl-token", "transferCheckedWithFee",
			`{"source":"a","mint":"b","destination":"c","authority":"d","tokenAmount":` + amount + `,"feeAmount":` + amount + `}`},
		{raw(twenty22, "\x1a\x00\x00\x01"+string(b[:])+"\x05\x00"+seventy, a), "spl-token", "initializeTransferFeeConfig",
			`{"mint":"a","withdrawWithheldAuthority":"b","transferFeeBasisPoints":5,"maximumFee":70}`},
		{associatedtokenaccount.NewCreateInstruction(a, b, c).Build(), "spl-associated-token-account", "create", ""},
		{nested, "spl-associated-token-account", "recoverNested", `{"nestedSource":"a","nestedMint":"b","destination":"c",
			"nestedOwner":"d","ownerMint":"e","wallet":"a","tokenProgram":"b"}`},
		{raw(table, "\x00\x00\x00\x00"+seventy+"\xfe", a, b, c, d), "address-lookup-table", "createLookupTable",
			`{"lookupTableAccount":"a","lookupTableAuthority":"b","payerAccount":"c","systemProgram":"d","recentSlot":70,"bumpSeed":254}`},
		{raw(table, "\x02\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"+string(e[:]), a, b), "address-lookup-table",
			"extendLookupTable", `{"lookupTableAccount":"a","lookupTableAuthority":"b","newAddresses":["e"]}`},
		{raw(table, "\x04\x00\x00\x00", a, b, c), "address-lookup-table", "closeLookupTable",
			`{"lookupTableAccount":"a","lookupTableAuthority":"b","recipient":"c"}`},
	} {
		t.Run(test.kind, func(t *testing.T) {
			var got struct {
				Program     string           `json:"program"`
				ID          solana.PublicKey `json:"programId"`
				StackHeight int              `json:"stackHeight"`
				Parsed      struct {
					Type string          `json:"type"`
					Info json.RawMessage `json:"info"`
				} `json:"parsed"`
			}
			require.NoError(t, json.Unmarshal([]byte(parsedOf(t, test.in)), &got))
			assert.Equal(t, []any{test.program, test.kind, 1}, []any{got.Program, got.Parsed.Type, got.StackHeight})
			assert.Equal(t, test.in.ProgramID(), got.ID)
			if test.info != "" {
				assert.JSONEq(t, test.info, string(got.Parsed.Info))
			}
		})
	}
	memo := `{"program":"spl-memo","programId":"` + solana.MemoProgramID.String() + `","parsed":"hello","stackHeight":1}`
	assert.JSONEq(t, memo, parsedOf(t, raw(solana.MemoProgramID, "hello", a)))
	for _, in := range []solana.Instruction{
		raw(solana.MemoProgramID, "\xff", a),
		raw(solana.ComputeBudget, "\x02\x01\x00\x00\x00"),
		raw(solana.SystemProgramID, "\x02\x00\x00\x00"+seventy[1:], a, b), // an amount that is too short
		raw(solana.SystemProgramID, "\x02\x00\x00\x00"+seventy, a),
		raw(solana.SystemProgramID, "\x02\x00", a, b), raw(solana.SystemProgramID, "\x63\x00\x00\x00", a, b),
		raw(twenty22, "", a), raw(twenty22, "\x1a", a), raw(twenty22, "\x1a\x09", a), raw(twenty22, "\x06\x63\x00", a, b),
		raw(twenty22, "\x13\x02", a), // a multisig of nobody
	} {
		data, err := in.Data()
		require.NoError(t, err)
		told := []string{}
		for range in.Accounts() {
			told = append(told, string(rune('a'+len(told))))
		}
		want, err := json.Marshal(map[string]any{"programId": in.ProgramID(), "accounts": told, "data": base58.Encode(data), "stackHeight": 1})
		require.NoError(t, err)
		assert.JSONEq(t, string(want), parsedOf(t, in))
	}
}
