package wallet_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// fullNode is a node that also tells effects and gives hints.
type fullNode struct {
	*chain
	*effectsNode
	watched *atomic.Int64
}

func (w fullNode) Watch(string, func()) (stop func()) {
	w.watched.Add(1)
	return func() {}
}

// TestNode: Config.Node takes each part that is not given, and one that is given wins.
func TestNode(t *testing.T) {
	for name, c := range map[string]struct {
		other func(*wallet.Config, *chain) // gives a part apart
		asked bool                         // the other, for a status
		sent  bool                         // to the other
	}{
		"alone":          {other: func(*wallet.Config, *chain) {}},
		"with submitter": {other: func(c *wallet.Config, o *chain) { c.Submitter = o }, sent: true},
		"with confirmer": {other: func(c *wallet.Config, o *chain) { c.Confirmer = o }, asked: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				other := newChain(t, 1001)
				found := func(int, string) (walletfi.SignatureStatus, error) {
					return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 7}, nil
				}
				other.status = found
				n := fullNode{effectsNode: &effectsNode{}, watched: new(atomic.Int64)}
				n.tell = func(_ int, signature string) (*walletfi.Effects, error) { return brought("owner", signature), nil }
				r := newRigWith(t, func(cfg *wallet.Config) {
					n.chain = cfg.Submitter.(*chain)
					cfg.Submitter, cfg.Confirmer, cfg.Heights, cfg.Node = nil, nil, nil, n
					c.other(cfg, other)
				})
				n.chain.tells(found)
				result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
				require.NoError(t, err)
				require.Equal(t, c.sent, other.submissions() > 0)
				require.Equal(t, c.sent, n.submissions() == 0)
				require.Equal(t, c.asked, other.asked > 0)
				require.Equal(t, c.asked, n.chain.asked == 0)
				require.NotNil(t, result.Steps[0].Effects)
				require.Equal(t, int64(1), n.watched.Load())
			})
		})
	}
	_, err := wallet.New(wallet.Config{Guard: signing.NewGuard(signing.Policy{})})
	require.ErrorContains(t, err, "node")
}

var (
	_ wallet.Node = (*rpcnode.Client)(nil)
	_ wallet.Node = (*rpcnode.Pool)(nil)
)
