package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, run(t.Context(), args, &out))
	return out.String()
}

func TestAttackIsShownAndListed(t *testing.T) {
	shown := output(t, "-attack", "a new owner of our account")
	assert.Equal(t, 4, strings.Count(shown, "REFUSED"), "in each format")
	assert.Contains(t, shown, "rule token.authority")
	assert.Contains(t, shown, "v0 transaction")
	assert.Equal(t, 1, strings.Count(output(t, "-attack", "a new owner of our account/v1"), "REFUSED"))
	require.ErrorContains(t, run(t.Context(), []string{"-attack", "kindness"}, io.Discard), "no attack is called")
	listed := output(t, "-list")
	assert.Contains(t, listed, "a new owner of our account")
	assert.GreaterOrEqual(t, strings.Count(listed, "\n"), 200)
}

func TestShow(t *testing.T) {
	text := output(t, "-show")
	for _, want := range []string{
		"SOL to an address that cannot be created\n  rule     system.transfer",
		"a payment to a stranger\n  rule     token.transfer", "to those whom your request pays",
		"the spend, and nothing back\n  rule     G9",
		"You asked for", "At worst you lose: ", "You pay: ", " USDC (", "Proven by what", "Until when this can be executed",
	} {
		assert.Contains(t, text, want)
	}
}
