package rpcnode_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

func TestConvert(t *testing.T) {
	b := onSandbox(t, sandbox.Config{})
	legacy := b.build(t, b.pay(1))
	table := solana.NewWallet().PublicKey()
	built, err := solana.NewTransaction([]solana.Instruction{b.pay(1)}, solana.Hash{3}, solana.TransactionPayer(b.me),
		solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{table: {shop}}))
	require.NoError(t, err)
	v0, err := solanago.FromSolana(built)
	require.NoError(t, err)
	require.Equal(t, signing.V0, v0.Version())
	for _, tx := range []*signing.Transaction{legacy, v0} {
		b.sign(t, tx)
		converted, err := solanago.Convert(tx)
		require.NoError(t, err)
		require.NoError(t, converted.VerifySignatures())
		require.Equal(t, solanago.Signatures(tx.Signatures()), converted.Signatures)
		require.Equal(t, solanago.Keys(tx.AccountKeys()), solana.PublicKeySlice(converted.Message.AccountKeys))
		back, err := solanago.FromSolana(converted)
		require.NoError(t, err)
		require.Equal(t, tx.Bytes(), back.Bytes())
		converted.Signatures[0] = solana.Signature{}
		require.False(t, tx.Signature().IsZero(), "a copy")
	}
	_, err = solanago.Convert(v1Payment(t, b, 1))
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "transaction", invalid.Field)
}
