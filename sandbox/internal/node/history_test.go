package node_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestSignaturesForAddress(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	node, ctx := s.node(t), t.Context()
	to := build.PublicKey(s.Keypair("to"))
	var sent []solana.Signature
	for i := range 4 {
		signature, err := node.SendTransaction(ctx, s.payment(t, to, uint64(5_000_000+i)))
		require.NoError(t, err)
		sent = append([]solana.Signature{signature}, sent...)
		s.Advance(400 * time.Millisecond)
	}
	list := func(opts rpc.GetSignaturesForAddressOpts) (got []solana.Signature) {
		t.Helper()
		if opts.Commitment == "" {
			opts.Commitment = rpc.CommitmentConfirmed
		}
		answer, err := node.GetSignaturesForAddressWithOpts(ctx, to, &opts)
		require.NoError(t, err)
		for _, entry := range answer {
			got = append(got, entry.Signature)
		}
		return got
	}
	assert.Equal(t, sent, list(rpc.GetSignaturesForAddressOpts{}))
	assert.Equal(t, sent[:2], list(rpc.GetSignaturesForAddressOpts{Limit: new(2)}))
	assert.Equal(t, sent[2:], list(rpc.GetSignaturesForAddressOpts{Before: sent[1]}))
	assert.Equal(t, sent[1:3], list(rpc.GetSignaturesForAddressOpts{Before: sent[0], Until: sent[3]}))
	assert.Empty(t, list(rpc.GetSignaturesForAddressOpts{Before: solana.Signature{1}}), "a signature that it does not know")
	assert.Empty(t, list(rpc.GetSignaturesForAddressOpts{Commitment: rpc.CommitmentFinalized}))

	answer, err := node.GetSignaturesForAddress(ctx, build.PublicKey(s.Keypair("nobody")))
	require.NoError(t, err)
	assert.Empty(t, answer)
	for name, opts := range map[string]rpc.GetSignaturesForAddressOpts{
		"Method does not support commitment": {Commitment: rpc.CommitmentProcessed},
		"Invalid limit":                      {Limit: new(1001)},
		"Minimum context slot":               {Commitment: rpc.CommitmentConfirmed, MinContextSlot: new(uint64(1 << 40))},
	} {
		_, err := node.GetSignaturesForAddressWithOpts(ctx, to, &opts)
		assert.ErrorContains(t, err, name)
	}
}
