package signer_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// endless is a node whose history never ends.
type endless struct {
	*node
	told uint32
}

func (n *endless) History(
	context.Context, signing.PublicKey, uint64, uint64, string,
) (all []string, next string, err error) {
	for range 200 {
		n.told++
		s := signing.Signature{byte(n.told), byte(n.told >> 8), byte(n.told >> 16), 1}
		all = append(all, s.String())
	}
	return all, fmt.Sprint(n.told), nil
}

// TestAnEndlessHistoryHidesNothing: one of three nodes that always has more keeps no theft from being
// found, in the first hour and the next.
func TestAnEndlessHistoryHidesNothing(t *testing.T) {
	for place := range 3 {
		t.Run(fmt.Sprint(place), func(t *testing.T) {
			r := newRig(t, 3, func(c *signer.Config) {
				c.Nodes[place] = &endless{node: c.Nodes[place].(*node)}
			})
			for range 3 {
				r.stolen()
				_ = r.hour()
				_ = r.hour()
				require.Equal(t, []string{owner.String()}, r.frozen())
				require.NoError(t, r.Thaw(t.Context(), "uid 0", "looked"))
			}
			require.NoError(t, r.hour())
			require.Empty(t, r.frozen(), "what was told once is not told again")
		})
	}
}
