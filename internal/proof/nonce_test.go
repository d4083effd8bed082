package proof_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

// TestNonceAccount: only a first instruction of the system program that advances a nonce
// names the account that a transaction uses.
func TestNonceAccount(t *testing.T) {
	payer, nonce := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	accounts := solana.AccountMetaSlice{solana.Meta(nonce).WRITE(), solana.Meta(payer).SIGNER()}
	advance := system.NewAdvanceNonceAccountInstruction(nonce, solana.SysVarRecentBlockHashesPubkey, payer).Build()
	pay := system.NewTransferInstruction(1, payer, nonce).Build()
	of := func(program solana.PublicKey, accounts solana.AccountMetaSlice, data ...byte) solana.Instruction {
		return solana.NewInstruction(program, accounts, data)
	}
	for _, row := range []struct {
		what string
		ins  []solana.Instruction
		ok   bool
	}{
		{"it is advanced first", []solana.Instruction{advance, pay}, true},
		{"no bytes but the instruction's number", []solana.Instruction{of(solana.SystemProgramID, accounts, 4, 0, 0, 0)}, true},
		{"it is advanced later", []solana.Instruction{pay, advance}, false},
		{"no instruction", nil, false},
		{"another instruction", []solana.Instruction{of(solana.SystemProgramID, accounts, 5, 0, 0, 0)}, false},
		{"a number that is cut short", []solana.Instruction{of(solana.SystemProgramID, accounts, 4, 0, 0)}, false},
		{"another program", []solana.Instruction{of(solana.TokenProgramID, accounts, 4, 0, 0, 0)}, false},
		{"no account", []solana.Instruction{of(solana.SystemProgramID, nil, 4, 0, 0, 0)}, false},
	} {
		t.Run(row.what, func(t *testing.T) {
			raw := bytesOf(t, payer, row.ins...)
			account, ok := proof.NonceAccount(raw)
			require.Equal(t, row.ok, ok)
			if ok {
				require.Equal(t, nonce, solana.PublicKey(account))
			} else {
				require.Zero(t, account)
			}
			account, ok = proof.NonceAccount(raw[:len(raw)-1])
			require.False(t, ok, "a transaction without its end")
			require.Zero(t, account)
		})
	}
}

// TestNonceAccountOfATable: an account or a program that only a lookup table names is not known
// from the bytes.
func TestNonceAccountOfATable(t *testing.T) {
	payer, nonce, table := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	advance := system.NewAdvanceNonceAccountInstruction(nonce, solana.SysVarRecentBlockHashesPubkey, payer).Build()
	built, err := solana.NewTransaction([]solana.Instruction{advance}, solana.Hash{1}, solana.TransactionPayer(payer),
		solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{table: {nonce}}))
	require.NoError(t, err)
	require.NotEmpty(t, built.Message.AddressTableLookups, "the table names the nonce")
	account, ok := proof.NonceAccount(marshal(t, built))
	require.False(t, ok)
	require.Zero(t, account)
}

// TestWait: a second answer counts once what the first had seen is final.
func TestWait(t *testing.T) {
	once := walletfi.Null{AsOfSlot: 1292}
	for _, row := range []struct {
		what  string
		nulls []walletfi.Null
		final uint64
		want  uint64
	}{
		{"nothing was answered", nil, 1260, 0},
		{"32 slots before", []walletfi.Null{once}, 1260, 32},
		{"one slot before", []walletfi.Null{once}, 1291, 1},
		{"it is final", []walletfi.Null{once}, 1292, 0},
		{"long after", []walletfi.Null{once}, 1400, 0},
		{"answered twice", []walletfi.Null{once, {AsOfSlot: 1324}}, 1260, 0},
	} {
		got := proof.Wait(&node{Nulls: row.nulls}, head{Slot: row.final})
		require.Equal(t, row.want, got, row.what)
	}
}

func bytesOf(t *testing.T, payer solana.PublicKey, ins ...solana.Instruction) []byte {
	t.Helper()
	if len(ins) == 0 {
		ins = []solana.Instruction{solana.NewInstruction(solana.SystemProgramID, nil, nil)}
		built, err := solana.NewTransaction(ins, solana.Hash{1}, solana.TransactionPayer(payer))
		require.NoError(t, err)
		built.Message.Instructions = nil
		return marshal(t, built)
	}
	built, err := solana.NewTransaction(ins, solana.Hash{1}, solana.TransactionPayer(payer))
	require.NoError(t, err)
	return marshal(t, built)
}

func marshal(t *testing.T, built *solana.Transaction) []byte {
	t.Helper()
	built.Signatures = make([]solana.Signature, built.Message.Header.NumRequiredSignatures)
	raw, err := built.MarshalBinary()
	require.NoError(t, err)
	return raw
}
