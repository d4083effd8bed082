package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// historian is a chain that a sponsor's transactions land on, and that can be
// searched.
type historian struct {
	*chain
	sponsor *signing.LocalKey
	landed  map[string]uint64 // slots by signature
	since   []uint64          // of the searches
	wrong   int               // heads that are far ahead, at first
}

func (h *historian) slot() uint64 {
	head, _ := h.chain.Head(context.Background())
	return head.Slot
}

// Submit signs last, lands the transaction and loses the answer.
func (h *historian) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	sent, err := signing.Decode(tx.Transaction)
	if err != nil {
		return "", err
	}
	signature, err := h.sponsor.Sign(ctx, sent.Message())
	if err != nil {
		return "", err
	}
	if _, ok := h.landed[signature.String()]; !ok {
		h.landed[signature.String()] = h.slot()
	}
	return "", errors.New("the answer is lost")
}

func (h *historian) SignatureStatuses(_ context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	all := make([]walletfi.SignatureStatus, len(signatures))
	for i, s := range signatures {
		if slot, ok := h.landed[s]; ok {
			all[i] = walletfi.SignatureStatus{Found: true, Slot: slot, Commitment: walletfi.CommitmentFinalized}
		}
	}
	return walletfi.SignatureStatuses{Statuses: all, AsOfSlot: h.slot()}, nil
}

func (h *historian) Head(ctx context.Context) (head walletfi.Head, err error) {
	head, err = h.chain.Head(ctx)
	if h.wrong > 0 {
		h.wrong--
		return walletfi.Head{Slot: head.Slot + 50_000, Height: head.Height}, err
	}
	return head, err
}

// FindMessage answers for the slots Since alone, if it has reached AsOf.
func (h *historian) FindMessage(ctx context.Context, search walletfi.MessageSearch) (walletfi.FoundMessage, error) {
	h.since = append(h.since, search.Since)
	if search.AsOf > h.slot() {
		return walletfi.FoundMessage{}, errors.New("the node has not reached that slot")
	}
	s, err := h.sponsor.Sign(ctx, search.Message)
	if err != nil {
		return walletfi.FoundMessage{}, err
	}
	if slot, ok := h.landed[s.String()]; ok && slot >= search.Since {
		return walletfi.FoundMessage{Signature: s.String()}, nil
	}
	return walletfi.FoundMessage{}, nil
}

// TestSponsoredHeadThatWasWrongAtSigning: the search does not begin at a slot
// that a wrong head named.
func TestSponsoredHeadThatWasWrongAtSigning(t *testing.T) {
	for name, wrong := range map[string]int{"right": 0, "wrong": 1, "wrong for long": 4} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sponsor, err := signing.GenerateLocalKey()
				require.NoError(t, err)
				h := &historian{sponsor: sponsor, landed: map[string]uint64{}, wrong: wrong}
				r := newRigWith(t, func(c *wallet.Config) {
					c.Guard = signing.NewGuard(signing.Policy{Sponsors: []signing.PublicKey{sponsor.PublicKey()}})
					c.Submitter, c.Confirmer, c.Heights, c.ConfirmTimeout = h, h, h, 10*time.Minute
					h.chain = newChain(t, 60_000)
					h.Named = func(_ string, message []byte) string {
						s, err := sponsor.Sign(t.Context(), message)
						require.NoError(t, err)
						require.Contains(t, h.landed, s.String())
						return s.String()
					}
				})
				u := sponsored(t, r, solana.PublicKey(sponsor.PublicKey()))
				u.LastValidBlockHeight = 0
				result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
				require.NoError(t, err)
				require.True(t, result.Confirmed())
				require.Len(t, h.landed, 1)
				require.NotEmpty(t, h.since)
			})
		})
	}
}
