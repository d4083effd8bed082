package signer_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// TestATransferFeeLeavesToo: of a token of Token-2022 whose transfers have a fee, what counts is
// what leaves the owner, and not what arrives.
func TestATransferFeeLeavesToo(t *testing.T) {
	mint := signingtest.Key("a mint with a fee").PublicKey()
	r := newRig(t, 2, func(cfg *signer.Config) {
		ceiling := "[[owner.ceiling]]\nmint = \"" + mint.String() +
			"\"\ntransaction = 1000\nwindow = [{length = \"1h\", most = 1500}]\n\n[[owner.exposure]]"
		policy, err := signer.ParsePolicy([]byte(strings.Replace(policyText(), "[[owner.exposure]]", ceiling, 1)))
		require.NoError(t, err)
		cfg.Policy = policy
	})
	ata := func(who signing.PublicKey) signing.PublicKey {
		return signing.AssociatedTokenAddress(who, mint, signing.Token2022Program)
	}
	ask := func(amount, fee uint64) ([]*signer.Message, error) {
		data := binary.LittleEndian.AppendUint64([]byte{26, 1}, amount) // TransferCheckedWithFee
		data = binary.LittleEndian.AppendUint64(append(data, 6), fee)
		q := r.pay(payee, 1)
		q.Unsigned.Intent.Spend = []walletfi.Asset{{Mint: mint.String(), Amount: walletfi.Amount(amount)}}
		tx := signingtest.Transaction{FeePayer: owner, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{{
			Program: signing.Token2022Program, Data: data, Accounts: []signingtest.Account{
				{Key: ata(owner), Writable: true}, {Key: mint}, {Key: ata(payee), Writable: true}, {Key: owner, Signer: true},
			},
		}}}
		q.Unsigned.Transactions = []walletfi.EncodedTransaction{tx.Unsigned(t)}
		d, err := r.SignSet(t.Context(), "trader", q)
		if err != nil {
			return nil, err
		}
		return d.Messages, nil
	}
	messages, err := ask(1000, 900)
	require.NoError(t, err)
	assert.Contains(t, messages[0].Debits, signer.Debit{Mint: signer.Mint(mint.String()), Amount: 1000})
	_, err = ask(1001, 900)
	require.ErrorContains(t, err, signer.CodeCeiling)
	_, err = ask(600, 500)
	require.ErrorContains(t, err, signer.CodeWindow)
}
