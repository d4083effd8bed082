package signer_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// lateNode has something happen when it is asked for a blockhash.
type lateNode struct {
	*node
	happens func()
}

func (n *lateNode) BlockhashValid(ctx context.Context, hash string) (walletfi.BlockhashState, error) {
	n.happens()
	return n.node.BlockhashValid(ctx, hash)
}

// TestATradeIsNotSignedByPricesThatAreOldByThen: the first transaction of a set is judged, and then the nodes
// take their time with the second, or the process is stopped.
func TestATradeIsNotSignedByPricesThatAreOldByThen(t *testing.T) {
	var late *lateNode
	text := strings.Replace(tradesText(), `age = "1m"`, `age = "10s"`, 1)
	m := newMarket(t, 1, text, func(c *signer.Config) {
		late = &lateNode{c.Nodes[0].(*node), func() {}}
		c.Nodes[0] = late
	})
	set := func() signing.SetRequest {
		q, second := m.trade(sol/2, 99_500_000), m.trade(sol/2, 99_400_000)
		q.Unsigned.Transactions = append(q.Unsigned.Transactions, second.Unsigned.Transactions...)
		q.Unsigned.Intent.Spend[0].Amount *= 2
		q.Count = 2
		return q
	}
	asked := 0
	late.happens = func() {
		if asked++; asked == 2 {
			m.pass(30 * time.Second)
			m.price("400", "1") // by which it loses half
		}
	}
	refusal := m.refused("trader", set(), signer.CodeNodes)
	assert.True(t, refusal.Waits)
	require.Equal(t, 2, asked)
	m.price("200", "1")
	m.pass(10 * time.Second)
	m.price("200", "1")
	d, err := m.SignSet(t.Context(), "trader", set())
	require.NoError(t, err)
	for _, message := range d.Messages {
		require.NotNil(t, message.Trade)
	}
}
