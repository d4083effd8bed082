package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// setSigner signs sets and no bytes.
type setSigner struct {
	key   signing.Signer
	asked []signing.SetRequest
	err   error
}

func (s *setSigner) PublicKey() signing.PublicKey { return s.key.PublicKey() }

func (s *setSigner) Sign(context.Context, []byte) (signing.Signature, error) {
	return signing.Signature{}, errors.New("it signs no bytes")
}

func (s *setSigner) SignSet(ctx context.Context, r signing.SetRequest) (signing.SetSignatures, error) {
	s.asked = append(s.asked, r)
	if s.err != nil {
		return signing.SetSignatures{}, s.err
	}
	txs, err := signing.DecodeAll(r.Unsigned)
	if err != nil {
		return signing.SetSignatures{}, err
	}
	var out []signing.Signature
	for _, tx := range txs[r.First : r.First+r.Count] {
		signature, err := s.key.Sign(ctx, tx.Message())
		if err != nil {
			return signing.SetSignatures{}, err
		}
		out = append(out, signature)
	}
	return signing.SetSignatures{Signatures: out}, nil
}

// TestSetSignerSigns: a signer of sets is asked once for a whole set, with the payment's key,
// and its refusal is the wallet's, whether an observer watches or not.
func TestSetSignerSigns(t *testing.T) {
	refusal := &signing.SetRefusal{Code: "frozen", Text: "the signer is frozen"}
	for _, c := range []struct {
		observed bool
		err      error
	}{{false, nil}, {true, nil}, {false, refusal}, {true, refusal}} {
		synctest.Test(t, func(t *testing.T) {
			var set *setSigner
			told := recorded.New(t)
			r := newRigWith(t, func(cfg *wallet.Config) {
				if c.observed {
					cfg.Observer = told
				}
				set = &setSigner{key: cfg.Signer, err: c.err}
				cfg.Signer = set
			})
			u := r.pay(t, 2)
			_, err := r.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{Key: "rent for May"})
			require.Len(t, set.asked, 1)
			asked := set.asked[0]
			require.Equal(t, "rent for May", asked.Key)
			require.Equal(t, 2, asked.Count)
			require.Len(t, asked.Unsigned.Transactions, 2)
			require.Equal(t, u.Intent.Owner, asked.Unsigned.Intent.Owner)
			if c.observed {
				signs := recorded.Ends[observe.Sign, observe.SignEnd](told)
				require.Len(t, signs, 1)
				require.Equal(t, c.err != nil, signs[0].End.Err != nil)
			}
			if c.err == nil {
				require.NoError(t, err)
				return
			}
			answersTo(t, err, walletfi.ErrNotSent)
			require.ErrorIs(t, err, signing.ErrRefused)
			require.Zero(t, r.submissions())
		})
	}
}

// TestSetSignerIsStaged: an order that a signer of sets refuses has reached the stage of signing.
func TestSetSignerIsStaged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		signer := &setSigner{key: brokenSigner{r.owner}, err: errors.New("away")}
		_, err := r.wallet.Place(soon(t), &builder{r: r, t: t}, wallet.PlaceOptions{Key: "a", Signer: signer})
		requireStage(t, err, wallet.StageSign, walletfi.ErrNotSent)
	})
}
