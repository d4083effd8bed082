package program

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMadeByAProgram: a plain account has no data and belongs to the System program.
func TestMadeByAProgram(t *testing.T) {
	require.False(t, (&State{}).Made(), "it is not there")
	require.False(t, (&State{Lamports: 1}).Made())
	require.True(t, (&State{Lamports: 1, Data: make([]byte, 1)}).Made())
	require.True(t, (&State{Lamports: 1, Owner: Token}).Made())
}
