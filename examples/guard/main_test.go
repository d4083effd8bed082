package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

func output(t *testing.T, in string, args ...string) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, run(t.Context(), args, strings.NewReader(in), &out))
	return out.String()
}

// sample is a deposit of the corpus. It calls a program.
func sample(t *testing.T) (*signing.Transaction, corpus.Benign) {
	t.Helper()
	key, _, err := victim()
	require.NoError(t, err)
	for _, b := range corpus.Benigns(corpus.Config{Owner: key.PublicKey()}) {
		if b.Name == "lending: a deposit/v0" {
			tx, err := signing.Decode(b.Unsigned.Transactions[0])
			require.NoError(t, err)
			return tx, b
		}
	}
	t.Fatal("the corpus has no such case")
	return nil, corpus.Benign{}
}

func TestExplain(t *testing.T) {
	tx, benign := sample(t)
	file := filepath.Join(t.TempDir(), "tx")
	require.NoError(t, os.WriteFile(file, []byte(tx.Base58()+"\n"), 0o600))
	program := signing.PublicKey(benign.Policy.Pins["lending"][0]).String()
	refused := output(t, "", string(tx.Base64()))
	assert.Contains(t, refused, "v0 transaction")
	assert.Contains(t, refused, "Associated Token Account, 6 accounts, 1 bytes")
	assert.Contains(t, refused, "rule program.unknown, instruction 3 of "+program)
	assert.Equal(t, refused, output(t, string(tx.Base58())), "from standard input")
	assert.Equal(t, refused, output(t, "", "-file", file), "from a file")
	passed := output(t, "", "-service", "lending", "-pin", program, string(tx.Base64()))
	assert.Contains(t, passed, "passes   an intent that spends nothing")
	assert.Contains(t, passed, "reaches  program "+program)
}

func TestExplainRefusesNonsense(t *testing.T) {
	var out strings.Builder
	require.ErrorIs(t, run(t.Context(), []string{"nonsense"}, nil, &out), signing.ErrRefused)
	require.ErrorContains(t, run(t.Context(), []string{"a", "b"}, nil, &out), "one at a time")
	require.ErrorContains(t, run(t.Context(), []string{"-attack", "kindness"}, nil, &out), "no attack is called")
}

func TestAttackIsShownAndListed(t *testing.T) {
	shown := output(t, "", "-attack", "a new owner of our account")
	assert.Equal(t, 4, strings.Count(shown, "REFUSED"), "in each format")
	assert.Contains(t, shown, "rule token.authority")
	assert.Equal(t, 1, strings.Count(output(t, "", "-attack", "a new owner of our account/v1"), "REFUSED"))
	listed := output(t, "", "-list")
	assert.Contains(t, listed, "a new owner of our account")
	assert.GreaterOrEqual(t, strings.Count(listed, "\n"), 200)
}

func TestShow(t *testing.T) {
	text := output(t, "", "-show")
	for _, want := range []string{
		"SOL to an address that cannot be created\n  rule     system.transfer",
		"a payment to a stranger\n  rule     token.transfer", "a payee of the intent",
		"the spend, and nothing back\n  rule     G9",
		"Leaves your wallet\n", " USDC (", "as spend", "Proven by the bytes", "Not known: ",
	} {
		assert.Contains(t, text, want)
	}
}
