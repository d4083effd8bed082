package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuickstart(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out))
	for _, word := range []string{"confirmed", "COOLDOWN_ACTIVE", "refused", "every check held"} {
		require.Contains(t, out.String(), word)
	}
}
