package proof_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

// asked is a node that says whether a blockhash is valid, and which message it has.
type asked struct {
	walletfi.Prover
	valid bool
	found string
	looks int
}

func (n *asked) BlockhashAt(_ context.Context, hash string, slot uint64) (walletfi.BlockhashState, error) {
	return walletfi.BlockhashState{Valid: n.valid || hash != "hash", AsOfSlot: slot}, nil
}

func (n *asked) MessageAbsence(
	_ context.Context, q walletfi.AbsenceQuery, payer string, message []byte,
) (walletfi.FoundMessage, error) {
	n.looks++
	if q.Blockhash != "hash" || q.Last != 500 || payer != "payer" || string(message) != "message" {
		return walletfi.FoundMessage{}, walletfi.ErrDecode
	}
	return walletfi.FoundMessage{Signature: n.found}, nil
}

func TestAsk(t *testing.T) {
	e, n := &walletfi.NodeEvidence{}, &asked{valid: true}
	final := walletfi.Head{Slot: 2000, Height: 1000}
	a := proof.Asked{Blockhash: "hash", FeePayer: "payer", Message: []byte("message"), Last: 500, Final: final}
	assert.Empty(t, proof.Ask(t.Context(), n, e, a))
	assert.Equal(t, "it still calls the blockhash valid", e.Missing)
	assert.Zero(t, n.looks)

	n.valid, n.found = false, "signature"
	assert.Equal(t, "signature", proof.Ask(t.Context(), n, e, a))
	assert.Equal(t, "the message is in the ledger, as signature", e.Missing)
	assert.Equal(t, final, e.Gone)

	n.found = ""
	assert.Empty(t, proof.Ask(t.Context(), n, e, a))
	assert.Empty(t, e.Missing)
	assert.NotEmpty(t, e.Nulls)
	assert.Equal(t, 2, n.looks)
}
