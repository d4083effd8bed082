package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestTrace: while a wallet has the file open; every state says what to do next, and nothing has the signed bytes.
func TestTrace(t *testing.T) {
	path := filled(t)
	link := filepath.Join(t.TempDir(), "a link to the journal")
	require.NoError(t, os.Symlink(path, link))
	for name, e := range payments() {
		if e.Ledger != nil {
			continue
		}
		got := command(t, "trace", name, "--journal", path)
		require.Zero(t, got.status, got.err)
		require.Empty(t, got.err)
		require.NotContains(t, got.out, "\x1b")
		require.Contains(t, got.out, "next        "+next[e.State]+"\n")
		require.Contains(t, got.out, "time        2026-01-02T03:04:06Z  signed, transactions 1\n")
		require.Equal(t, got, command(t, "trace", name, "--journal", link))
		asJSON := command(t, "trace", name, "--journal", path, "--json")
		require.NotContains(t, got.out+asJSON.out, "AQID", "the bytes")
		var all traced
		require.NoError(t, json.Unmarshal([]byte(asJSON.out), &all))
		require.Equal(t, traceOf(e), all)
	}
	golden(t, "trace-vouched.txt", command(t, "trace", "vouched", "--journal", path).out)
	order := command(t, "trace", "intent:abc", "--journal", path)
	require.Contains(t, order.out, "key         intent:abc\n", "an entry's own key")
	command(t, "trace", "ledger", "--journal", path).fails(t, statusMalformed, "journal show")
	command(t, "trace", "\x1b[2J", "--journal", path).fails(t, statusMalformed, "journal list")
	command(t, "trace", "x", "--journal", filepath.Join(t.TempDir(), "none")).fails(t, statusMalformed, "none")
	command(t, "trace", "x").fails(t, statusUsage, "--journal")
	for state := range stateMeanings {
		require.NotEmpty(t, next[state], state)
	}
	require.Len(t, next, len(stateMeanings))
	waits := payment("key:order", wallet.KeyConfirmed, func(*wallet.EntryStep, *walletfi.Evidence) {})
	waits.FilledLater = true
	require.Contains(t, traceOf(waits).Next, "wait")
}
