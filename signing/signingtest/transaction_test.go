package signingtest_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// TestTransaction: solana-go builds the same bytes, and the guard lets them pass.
func TestTransaction(t *testing.T) {
	owner, shop := signingtest.Key("owner"), signingtest.Key("shop").PublicKey()
	program := signingtest.Key("program").PublicKey()
	require.Equal(t, owner.PublicKey(), signingtest.Key("owner").PublicKey())
	me := solana.PublicKey(owner.PublicKey())
	big := make([]byte, 200)
	want, err := solana.NewTransaction([]solana.Instruction{
		system.NewTransferInstruction(7, me, solana.PublicKey(shop)).Build(),
		solana.NewInstruction(solana.PublicKey(program), solana.AccountMetaSlice{solana.Meta(me).SIGNER().WRITE()}, big),
	}, solana.MustHashFromBase58(signingtest.Blockhash), solana.TransactionPayer(me))
	require.NoError(t, err)
	call := signingtest.Call(program, owner.PublicKey())
	call.Data = big
	tx := signingtest.Transaction{FeePayer: owner.PublicKey(), Instructions: []signingtest.Instruction{
		signingtest.Transfer(owner.PublicKey(), shop, 7), call,
	}}
	unsigned, err := signing.Decode(tx.Unsigned(t))
	require.NoError(t, err)
	message, err := want.Message.MarshalBinary()
	require.NoError(t, err)
	require.Equal(t, message, unsigned.Message())
	require.True(t, unsigned.Signature() == signing.Signature{})

	signed := tx.Signed(t, owner)
	require.Equal(t, signed, tx.Signed(t, owner))
	known, ok := walletfi.TransactionSignature(signed.Transaction)
	require.True(t, ok)
	require.Equal(t, known, signed.Signature)

	guard := signing.NewGuard(signing.Policy{Pins: map[string][]signing.PublicKey{"lending": {program}}, AllowBlind: []string{"lending"}})
	txs, _, err := guard.SignSet(t.Context(), walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{tx.Unsigned(t)},
		Intent:       walletfi.Intent{Service: "lending", Owner: owner.PublicKey().String(), PayTo: []string{shop.String()}, Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 7}}},
	}, owner)
	require.NoError(t, err)
	require.Equal(t, signed.Transaction, txs[0].Base64())
}
