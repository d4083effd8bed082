package postgres_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// slowNode tells what became of transactions once it may.
type slowNode struct {
	signer.Node
	asked, may chan struct{}
}

func (n slowNode) SignatureStatuses(ctx context.Context, all []string) (walletfi.SignatureStatuses, error) {
	n.asked <- struct{}{}
	<-n.may
	return n.Node.SignatureStatuses(ctx, all)
}

// TestEndsOnce: of two signers that look at a message at once, one writes that it landed.
func TestEndsOnce(t *testing.T) {
	slow := slowNode{asked: make(chan struct{}, 10), may: make(chan struct{})}
	p := newPair(t, func(cfg *signer.Config) {
		slow.Node = cfg.Nodes[0]
		cfg.Nodes = []signer.Node{slow}
	})
	q := p.Payment(t, payee, 100_000_000)
	d, err := p.a.SignSet(t.Context(), "client", q)
	require.NoError(t, err)
	tx, err := signing.Decode(q.Unsigned.Transactions[0])
	require.NoError(t, err)
	key, err := signing.NewLocalKey(p.Sandbox.Wallet())
	require.NoError(t, err)
	require.NoError(t, signing.SignUnchecked(t.Context(), tx, key))
	require.Equal(t, d.Signatures[0], tx.Signature())
	require.NoError(t, p.Sandbox.Ledger().FundWallet(signingtest.Key("payee").PublicKey().String(), 1e9))
	_, err = p.Config.Nodes[0].(slowNode).Node.(walletfi.Submitter).Submit(t.Context(), tx.Signed())
	require.NoError(t, err)

	settled := make(chan error, 1)
	go func() { settled <- p.b.Settle(t.Context()) }()
	<-slow.asked
	ends := func() (n int) {
		require.NoError(t, p.a.Each(t.Context(), func(e signer.Entry) error {
			if e.Kind == "end" {
				n++
			}
			return nil
		}))
		return n
	}
	for ends() == 0 {
		require.NoError(t, t.Context().Err())
		require.NoError(t, p.a.Settle(t.Context()))
	}
	close(slow.may)
	require.NoError(t, <-settled)
	require.Equal(t, 1, ends())
}
