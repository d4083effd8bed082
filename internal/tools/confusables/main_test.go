package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTable: the guard's table is the one that this command writes.
func TestTable(t *testing.T) {
	want, err := os.ReadFile("../../../signing/internal/lookalike/confusables.txt")
	require.NoError(t, err)
	var got strings.Builder
	write(&got)
	require.Equal(t, string(want), got.String())
}
