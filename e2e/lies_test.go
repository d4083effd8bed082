package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestLies: each lie of the sandbox about a member that decides is an error that names it,
// in a list beside the record that has it.
func TestLies(t *testing.T) {
	for _, lie := range sandbox.Lies() {
		s, err := sandbox.Start(sandbox.Config{ManualClock: true})
		require.NoError(t, err)
		defer s.Close()
		client, err := lending.New(lending.Config{
			BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)),
		})
		require.NoError(t, err)
		honest, err := client.ListPools(t.Context())
		require.NoError(t, err)
		member := "pools.*.decimals"
		if lie == sandbox.LieFailure {
			member = ""
		}
		s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Lie: lie, Member: member})
		pools, err := client.ListPools(t.Context())
		switch lie {
		case sandbox.LieZero, sandbox.LieOther: // a number that can be one
			require.NoError(t, err, lie)
		case sandbox.LieFailure:
			require.ErrorIs(t, err, walletfi.ErrRejected, lie)
		default:
			require.ErrorContains(t, err, "decimals", lie)
			require.ErrorIs(t, err, walletfi.ErrDecode, lie)
			if pools != nil {
				require.Len(t, pools.Items, len(honest.Items), lie)
			}
		}
	}
}
