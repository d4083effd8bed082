package signing

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// cancelling is a resolver whose caller gives up at its last answer.
type cancelling struct {
	cancel context.CancelFunc
	left   *int
}

func (c cancelling) LookupTable(context.Context, PublicKey) ([]PublicKey, error) {
	if *c.left--; *c.left == 0 {
		c.cancel()
	}
	return []PublicKey{thief}, nil
}

// TestCancelledWhileMatching: a caller that gives up while amounts are matched
// to caps hears of it, not of a set that is too complex.
func TestCancelledWhileMatching(t *testing.T) {
	s := ordinary(append(times(20, txbuild.Transfer(owner, friend, 3_300)), txbuild.Call(exchange, nil, txbuild.Readonly(thief)))...)
	s.build.Tables = []txbuild.Table{{Address: tableOne.Address, Holds: []txbuild.Key{thief}}}
	u := set(txbuild.V0, slices.Repeat([]*scene{s}, 16)...)
	_, report, err := NewGuard(s.policy).CheckSet(t.Context(), u)
	require.Error(t, err)
	require.Equal(t, RuleTooComplex, report.Refusal.Rule, "as long as somebody waits")

	ctx, cancel := context.WithCancel(t.Context())
	left := len(u.Transactions)
	s.policy.Resolver = cancelling{cancel, &left}
	txs, _, err := NewGuard(s.policy).CheckSet(ctx, u)
	require.ErrorIs(t, err, context.Canceled)
	assert.NotErrorIs(t, err, ErrRefused)
	assert.Empty(t, txs)
	assert.Zero(t, left, "every table was read before")
}
