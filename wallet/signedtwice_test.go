package wallet_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha512"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/edwards25519"
	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// resigned is another signature of a key over a message: whoever has the key can make as many as
// there are numbers.
func resigned(t *testing.T, seed, message []byte, number byte) signing.Signature {
	t.Helper()
	scalar := func(parts ...[]byte) *edwards25519.Scalar {
		h := sha512.New()
		for _, p := range parts {
			h.Write(p)
		}
		s, err := edwards25519.NewScalar().SetUniformBytes(h.Sum(nil))
		require.NoError(t, err)
		return s
	}
	expanded := sha512.Sum512(seed)
	secret, err := edwards25519.NewScalar().SetBytesWithClamping(expanded[:32])
	require.NoError(t, err)
	public := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	once := scalar([]byte{number})
	r := (&edwards25519.Point{}).ScalarBaseMult(once).Bytes()
	s := edwards25519.NewScalar().MultiplyAdd(scalar(r, public, message), secret, once).Bytes()
	signature := signing.Signature(append(r, s...))
	require.True(t, signature.Verify(signing.PublicKey(public), message))
	return signature
}

// twice is a wallet whose sponsor has signed before the owner, and signs again.
type twice struct {
	*rig
	unsigned   walletfi.Unsigned
	known, new string // its signatures
}

var sponsorSeed = append([]byte("sponsor"), make([]byte, ed25519.SeedSize-7)...)

func signsTwice(t *testing.T, change func(*wallet.Config)) *twice {
	t.Helper()
	sponsor, err := signing.NewLocalKeyFromSeed(sponsorSeed)
	require.NoError(t, err)
	r := newRigWith(t, func(c *wallet.Config) {
		c.Guard = signing.NewGuard(signing.Policy{Sponsors: []signing.PublicKey{sponsor.PublicKey()}})
		change(c)
	})
	u := sponsored(t, r, solana.PublicKey(sponsor.PublicKey()))
	tx, err := signing.Decode(u.Transactions[0])
	require.NoError(t, err)
	require.NoError(t, signing.SignUnchecked(t.Context(), tx, sponsor))
	u.Transactions[0] = tx.Base64()
	return &twice{r, u, tx.Signature().String(), resigned(t, sponsorSeed, tx.Message(), 1).String()}
}

// lands has the ledger know the transaction by one signature, and its blocks hold it.
func (w *twice) lands(signature string) {
	w.finds(&signature)
	w.Named = func(string, []byte) string { return signature }
}

// asked are the nodes' questions by which the transaction was looked for.
func (w *twice) questions() (all map[string]bool) {
	all = map[string]bool{}
	for _, q := range w.Asked() {
		all[q] = true
	}
	return all
}

// TestSponsorSignsTwice: a signature of another party is not unique, so that the transaction
// that lands may have another one than the bytes that the wallet sent. That the ledger does not
// know the one says nothing: the message is looked for, and it alone.
func TestSponsorSignsTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := signsTwice(t, func(*wallet.Config) {})
		require.NotEqual(t, w.known, w.new)
		w.lands(w.new)
		result, err := w.wallet.Execute(soon(t), w.unsigned, wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.Equal(t, []string{w.new}, result.Signatures())
		asked := w.questions()
		require.True(t, asked["message"])
		require.False(t, asked["absence of 1"], "a signature's absence is no evidence")
	})
	synctest.Test(t, func(t *testing.T) {
		w := signsTwice(t, func(*wallet.Config) {})
		w.lands("")
		_, err := w.wallet.Execute(soon(t), w.unsigned, wallet.ExecuteOptions{})
		require.ErrorIs(t, err, wallet.ErrExpired, "no block has the message")
		asked := w.questions()
		require.True(t, asked["message"])
		require.False(t, asked["absence of 1"])
	})
}

// TestSponsorTellsTheSecond: the relay names the signature that it sent, or the owner's history
// has it: the wallet does not wait for the blockhash's end.
func TestSponsorTellsTheSecond(t *testing.T) {
	for what, tell := range map[string]func(w *twice, node *history){
		"the relay":   func(w *twice, _ *history) { w.names = func(walletfi.Signed) string { return w.new } },
		"the history": func(w *twice, node *history) { node.found = w.new },
	} {
		synctest.Test(t, func(t *testing.T) {
			node := &history{}
			w := signsTwice(t, func(c *wallet.Config) {
				node.chain = c.Confirmer.(*chain)
				c.Confirmer = node
			})
			w.lands(w.new)
			tell(w, node)
			begun := time.Now()
			result, err := w.wallet.Execute(soon(t), w.unsigned, wallet.ExecuteOptions{})
			require.NoError(t, err, what)
			require.Equal(t, []string{w.new}, result.Signatures(), what)
			require.Less(t, time.Since(begun), 10*time.Second, what)
		})
	}
}

// history is a chain that finds one transaction in its owner's history.
type history struct {
	*chain
	found string
}

func (h *history) FindMessage(context.Context, walletfi.MessageSearch) (walletfi.FoundMessage, error) {
	return walletfi.FoundMessage{Signature: h.found}, nil
}

// TestSponsorSignsTwiceAcrossAnInterruption: what was left in doubt is found by its message
// later, under the new signature, and is not paid again.
func TestSponsorSignsTwiceAcrossAnInterruption(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := signsTwice(t, func(*wallet.Config) {})
		w.lands(w.new)
		brief, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err := w.wallet.Execute(brief, w.unsigned, wallet.ExecuteOptions{})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		settled, err := w.wallet.Settle(soon(t))
		require.NoError(t, err)
		require.Equal(t, wallet.StateConfirmed, settled[0].State)
		require.Equal(t, w.new, settled[0].Steps[0].Signature)
	})
}

// TestSponsorsMessageThatFailed: the same message is executed once, under whichever signature:
// a failure that is final is the payment's.
func TestSponsorsMessageThatFailed(t *testing.T) {
	for _, first := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			w := signsTwice(t, func(*wallet.Config) {})
			landed := w.new
			if first {
				landed = w.known
			}
			w.lands(landed)
			w.status = func(_ int, asked string) (walletfi.SignatureStatus, error) {
				return walletfi.SignatureStatus{
					Found: asked == landed, Err: "Custom", Commitment: walletfi.CommitmentFinalized,
				}, nil
			}
			result, err := w.wallet.Execute(soon(t), w.unsigned, wallet.ExecuteOptions{})
			require.ErrorIs(t, err, wallet.ErrFailed)
			require.Equal(t, []string{landed}, result.Signatures())
		})
	}
}

// TestSponsorsSignatureOfSomethingElse: what the bytes hold in the sponsor's place is of another
// transaction. What became of that one says nothing of this one.
func TestSponsorsSignatureOfSomethingElse(t *testing.T) {
	for _, failed := range []string{"", "Custom"} {
		synctest.Test(t, func(t *testing.T) {
			w := signsTwice(t, unproven)
			tx, err := solana.TransactionFromBase64(string(w.unsigned.Transactions[0].(walletfi.Base64Transaction)))
			require.NoError(t, err)
			tx.Signatures[0] = solana.Signature(resigned(t, sponsorSeed, []byte("another message"), 1))
			text, err := tx.ToBase64()
			require.NoError(t, err)
			w.unsigned.Transactions[0] = walletfi.Base64Transaction(text)
			other := tx.Signatures[0].String()
			w.status = func(_ int, asked string) (walletfi.SignatureStatus, error) {
				return walletfi.SignatureStatus{Found: asked == other, Err: failed, Commitment: walletfi.CommitmentFinalized}, nil
			}
			result, err := w.wallet.Execute(soon(t), w.unsigned, wallet.ExecuteOptions{})
			require.Error(t, err)
			require.NotErrorIs(t, err, wallet.ErrFailed)
			if result != nil && len(result.Steps) > 0 {
				require.NotEqual(t, wallet.StateConfirmed, result.Steps[0].State)
			}
		})
	}
}
