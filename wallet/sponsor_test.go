package wallet_test

import (
	"testing"
	"testing/synctest"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// sponsored is a transaction whose fee somebody else pays and signs for last.
func sponsored(t *testing.T, r *rig, sponsor solana.PublicKey) walletfi.Unsigned {
	t.Helper()
	tx, err := solana.NewTransaction(
		[]solana.Instruction{system.NewTransferInstruction(1, r.owner, r.shop).Build()}, solana.Hash{1}, solana.TransactionPayer(sponsor))
	require.NoError(t, err)
	tx.Signatures = make([]solana.Signature, 2)
	text, err := tx.ToBase64()
	require.NoError(t, err)
	u := r.pay(t, 1)
	u.Transactions = []walletfi.EncodedTransaction{walletfi.Base64Transaction(text)}
	u.Intent.Sponsor = sponsor.String()
	return u
}

func sponsorRig(t *testing.T) (*rig, *signing.LocalKey) {
	t.Helper()
	sponsor, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	r := newRigWith(t, func(c *wallet.Config) {
		c.Guard = signing.NewGuard(signing.Policy{Sponsors: []signing.PublicKey{sponsor.PublicKey()}})
	})
	return r, sponsor
}

// finds has the ledger know one signature and no other.
func (r *rig) finds(signature *string) {
	r.status = func(_ int, asked string) (walletfi.SignatureStatus, error) {
		if asked == "" || asked != *signature {
			return walletfi.SignatureStatus{}, nil
		}
		return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed}, nil
	}
}

func TestSponsorSignsLast(t *testing.T) {
	r, sponsor := sponsorRig(t)
	told := ""
	r.finds(&told)
	r.names = func(tx walletfi.Signed) string {
		require.Empty(t, tx.Signature)
		sent, err := signing.Decode(tx.Transaction)
		require.NoError(t, err)
		s, err := sponsor.Sign(t.Context(), sent.Message())
		require.NoError(t, err)
		told = s.String()
		return told
	}
	result, err := r.wallet.Execute(soon(t), sponsored(t, r, solana.PublicKey(sponsor.PublicKey())), wallet.ExecuteOptions{})
	require.NoError(t, err)
	require.True(t, result.Confirmed())
	require.Equal(t, []string{told}, result.Signatures())
}

// TestSponsorSignatureThatIsNone: a relay that names a signature of another
// transaction has not proved that this one landed.
func TestSponsorSignatureThatIsNone(t *testing.T) {
	for name, told := range map[string]string{"of another transaction": solana.Signature{1}.String(), "empty": "", "no signature": "landed"} {
		t.Run(name, func(t *testing.T) {
			r, sponsor := sponsorRig(t)
			r.names = func(walletfi.Signed) string { return told }
			r.finds(&told) // it did land
			u := sponsored(t, r, solana.PublicKey(sponsor.PublicKey()))
			result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			require.Equal(t, []wallet.State{wallet.StateUnknown}, states(result))
			require.Empty(t, result.Steps[0].Signature)
			require.Zero(t, r.asked)

			r.height = lastValid + 10
			_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
			var open *wallet.UnsettledError
			require.ErrorAs(t, err, &open, "its expiry does not say that it did not land")
			require.ErrorContains(t, err, "signature that is not known")
			sent := r.gone()
			require.NotEmpty(t, sent)
			for _, tx := range sent { // the keeper may have sent it a second time
				require.Equal(t, sent[0].Transaction, tx.Transaction)
			}
		})
	}
}

// TestSubmitterCannotRenameATransaction: the owner's signature is the first, so
// that it is known whatever the submitter says.
func TestSubmitterCannotRenameATransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		other := solana.Signature{1}.String()
		r.names = func(walletfi.Signed) string { return other }
		r.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
			return walletfi.SignatureStatus{Found: signature == other, Commitment: walletfi.CommitmentFinalized}, nil
		}
		result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
		require.ErrorIs(t, err, wallet.ErrExpired)
		require.NotEqual(t, other, result.Steps[0].Signature)
	})
}

func TestLateCoSigner(t *testing.T) {
	cosigner := solana.NewWallet().PublicKey()
	r := newRigWith(t, func(c *wallet.Config) { c.Guard = signing.NewGuard(signing.Policy{LateCoSigners: 1}) })
	tx, err := solana.NewTransaction([]solana.Instruction{
		system.NewTransferInstruction(1, r.owner, r.shop).Build(),
		solana.NewInstruction(solana.MemoProgramID, solana.AccountMetaSlice{solana.Meta(cosigner).SIGNER()}, []byte("seen")),
	}, solana.Hash{1}, solana.TransactionPayer(r.owner))
	require.NoError(t, err)
	tx.Signatures = make([]solana.Signature, 2)
	text, err := tx.ToBase64()
	require.NoError(t, err)
	u := r.pay(t, 1)
	u.Transactions = []walletfi.EncodedTransaction{walletfi.Base64Transaction(text)}
	u.Intent.CoSigners = []string{cosigner.String()}
	result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
	require.NoError(t, err)
	require.NotEmpty(t, result.Steps[0].Signature, "the owner pays, so that its signature names the transaction")
	sent, err := signing.Decode(result.Steps[0].Signed.Transaction)
	require.NoError(t, err)
	require.True(t, sent.Signatures()[1].IsZero(), "the other is still due")
}
