package signer_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// slow is a node that takes nine seconds an answer.
type slow struct {
	*node
	asked int
}

func (n *slow) wait(ctx context.Context) error {
	n.mu.Lock()
	n.asked++
	n.mu.Unlock()
	select {
	case <-time.After(9 * time.Second):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (n *slow) Absence(ctx context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	if err := n.wait(ctx); err != nil {
		return nil, err
	}
	return n.node.Absence(ctx, q)
}

func (n *slow) MessageAbsence(
	ctx context.Context, q walletfi.AbsenceQuery, cursor string, message []byte,
) (walletfi.FoundMessage, error) {
	if err := n.wait(ctx); err != nil {
		return walletfi.FoundMessage{}, err
	}
	return n.node.MessageAbsence(ctx, q, cursor, message)
}

// TestASlowNodeHoldsUpNothing: forty messages of which a node takes nine seconds to say that they are dead are
// settled within a minute, and what they took is back.
func TestASlowNodeHoldsUpNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slowest := &slow{}
		r := newRig(t, 2, func(c *signer.Config) {
			slowest.node = c.Nodes[1].(*node)
			c.Nodes[1] = slowest
		})
		const many = 40
		for i := range many {
			r.signed(r.pay(payee, uint64(1+i)))
		}
		for range 3 {
			r.pass(10 * time.Minute)
			begun := time.Now()
			require.NoError(t, r.Settle(t.Context()))
			require.Less(t, time.Since(begun), time.Minute)
		}
		require.GreaterOrEqual(t, slowest.asked, many)
		require.Equal(t, int64(5*sol), r.left())
	})
}

// late is a node that takes nine seconds to list what a key has signed.
type late struct {
	*node
	asked map[signing.PublicKey]int
}

func (n *late) History(
	ctx context.Context, address signing.PublicKey, since, until uint64, cursor string,
) (all []string, next string, err error) {
	n.pass(9 * time.Second)
	n.asked[address]++
	return n.node.History(ctx, address, since, until, cursor)
}

// TestManyHistoriesTakeTurns: one Settle begins with no owner's history after twenty seconds, and the next one
// goes on with the others.
func TestManyHistoriesTakeTurns(t *testing.T) {
	var slowest *late
	const owners = 6
	text := policyText()
	var keys []signing.Signer
	for i := range owners - 1 {
		key := signingtest.Key(fmt.Sprint("owner ", i))
		keys = append(keys, key)
		text += fmt.Sprintf("\n[[owner]]\nname = \"owner %d\"\nkey = \"%s\"\n", i, key.PublicKey())
	}
	r := newRig(t, 1, func(c *signer.Config) {
		c.Policy, c.Keys = parsed(t, text), append(keys, ownerKey)
		slowest = &late{node: c.Nodes[0].(*node), asked: map[signing.PublicKey]int{}}
		c.Nodes[0] = slowest
	})
	r.pass(2 * time.Hour)
	require.NoError(t, r.Settle(t.Context()))
	require.Len(t, slowest.asked, 3)
	require.NoError(t, r.Settle(t.Context()))
	require.Len(t, slowest.asked, owners)
}
