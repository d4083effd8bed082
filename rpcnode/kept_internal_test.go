package rpcnode

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signing"
)

// TestKeptSignatures: those of so many blocks are kept as fit, and not that a block shows none.
func TestKeptSignatures(t *testing.T) {
	var s signatures
	half := make([]signing.Signature, mostSignatures/2)
	knows := func(blocks ...string) (known []string) {
		for _, b := range blocks {
			if all, ok := s.get(b); ok {
				require.NotEmpty(t, all)
				known = append(known, b)
			}
		}
		return known
	}
	s.put("a", half)
	s.put("none", nil)
	s.put("b", half)
	require.Equal(t, []string{"a", "b"}, knows("a", "b", "none"))
	s.put("c", half[:1])
	require.Equal(t, []string{"c"}, knows("a", "b", "c"))
	s.put("d", half)
	require.Equal(t, []string{"c", "d"}, knows("c", "d"))
	s.put("e", half)
	require.Equal(t, []string{"e"}, knows("c", "d", "e"))
}
