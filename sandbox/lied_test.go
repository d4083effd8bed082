package sandbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// TestLied: what is no lie is refused by name, and each that is one makes the text wrong.
func TestLied(t *testing.T) {
	const honest = `{"price":5}`
	for _, row := range []struct {
		lie     sandbox.Lie
		member  string
		problem string
	}{
		{"nul", "price", `lie is of no kind: "nul"`},
		{"", "price", `lie is of no kind: ""`},
		{sandbox.LieNull, "", "member names what lies"},
		{sandbox.LieFailure, "price", "member names what lies, and is empty for a failure"},
	} {
		wrong, err := sandbox.Lied([]byte(honest), row.lie, row.member)
		require.ErrorContains(t, err, row.problem)
		require.Nil(t, wrong)
	}
	for _, lie := range sandbox.Lies() {
		member := "price"
		if lie == sandbox.LieFailure {
			member = ""
		}
		wrong, err := sandbox.Lied([]byte(honest), lie, member)
		require.NoError(t, err, lie)
		require.NotEqual(t, honest, string(wrong), lie)
	}
}
