package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

var digest = regexp.MustCompile(`(?m)^digest ([0-9a-f]{16})$`)

// accept learns the pins and accepts them.
func (r *rig) accept(t *testing.T) (said string) {
	t.Helper()
	said = r.says(t, "-learn -amount 3", "Nothing is written", "may already be hostile")
	found := digest.FindStringSubmatch(said)
	require.NotNil(t, found, said)
	return r.says(t, "-learn -amount 3 -accept "+found[1], "written to pins.json")
}

// TestLive walks the way of the guide, each step a process of its own, on a sandbox in
// another process.
func TestLive(t *testing.T) {
	r := newRig(t)
	before := r.balance(t)
	r.fails(t, "-check -amount 3", "rule program.unknown")
	r.fails(t, "-learn -amount 3 -accept 0123456789abcdef", "nothing is written")
	require.NoFileExists(t, filepath.Join(r.folder, "pins.json"))
	require.NotContains(t, r.accept(t), "received", "nothing is deposited that could be withdrawn")
	require.FileExists(t, filepath.Join(r.folder, "pins.json"))
	r.says(t, "-check -amount 3", "expired, just now: can be proven", "spend at most 3 of token", "the guard would sign it")
	require.Zero(t, r.left(t, before), "so far nothing was signed")

	r.says(t, "-order 7 -amount 25.5", "order 7 is placed: confirmed; 25.5 left, 0 arrived (known: true)")
	r.says(t, "-order 7 -amount 25.5", "order 7 was placed before: confirmed; 25.5 left")
	r.fails(t, "-order 7 -amount 26", "the key names another payment")
	require.EqualValues(t, 25_500_000, r.left(t, before))

	r.ended(t, syscall.SIGKILL, "-order 8 -amount 1")
	r.says(t, "-order 8 -amount 1", "order 8 was placed before: confirmed; 1 left")
	require.Contains(t, r.ended(t, syscall.SIGTERM, "-order 9 -amount 2"), "run the same order again")
	r.says(t, "-order 9 -amount 2", "order 9 was placed before: confirmed; 2 left")
	require.EqualValues(t, 28_500_000, r.left(t, before))

	r.fails(t, "-order 10 -amount 5 -withdraw", "refused by the signing guard")
	require.Contains(t, r.accept(t), "received")
	r.fails(t, "-order 11 -amount 12", "28500000 of 40000000 within 24h0m0s are used") // nothing of an earlier run frees
	r.says(t, "-order 10 -amount 5 -withdraw", "order 10 is placed: confirmed; 0 left, 5 arrived")
	require.EqualValues(t, 23_500_000, r.left(t, before))

	var answer struct{ Violations []any }
	r.control(t, "GET", "/violations", "", &answer)
	require.Empty(t, answer.Violations)
}

// TestNothingOfTheSandbox: the program links what it needs on live services alone.
func TestNothingOfTheSandbox(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "walletfi-go/wallet\n")
	for package_ := range strings.Lines(string(out)) {
		require.NotContains(t, package_, "/sandbox")
		require.NotContains(t, package_, "signingtest")
	}
}

// TestSettings: each mistake is named, and all that is missing at once.
func TestSettings(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	example := `{"lending": "https://lending.example.com", "mint": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
		"depositType": "protected", "wallet": "wallet.json", "journal": "j", "pins": "pins.json", "maxFeeLamports": 1,
		"mostPerDay": "1", "mostLamportsPerDay": "1"}`
	for _, c := range []struct{ key, nodes, file, problem string }{
		{"", "", `{}`, "live.json: missing: lending, mint, depositType, wallet, journal, pins, maxFeeLamports, mostPerDay, mostLamportsPerDay, " +
			"variable LENDING_API_KEY, variable RPC_URLS"},
		{"key", " ", example, "live.json: missing: variable RPC_URLS"},
		{"key", "https://node.example.com", `{"walet": "x"}`, `live.json: json: unknown field "walet"`},
		{"key", "https://node.example.com", example, "wallet.json"},
	} {
		t.Setenv("LENDING_API_KEY", c.key)
		t.Setenv("RPC_URLS", c.nodes)
		require.NoError(t, os.WriteFile("live.json", []byte(c.file), 0o600))
		require.ErrorContains(t, run(t.Context(), strings.Fields("-order 7 -amount 1"), io.Discard, io.Discard), c.problem)
	}
	require.ErrorContains(t, run(t.Context(), []string{"-order", "7"}, io.Discard, io.Discard), "-amount and one of")
	require.NoError(t, os.WriteFile("pins.json", []byte(`{"lending": [{"program": "x"}]}`), 0o600))
	_, err := loadPins("pins.json")
	require.ErrorContains(t, err, "pins.json")
}

// TestExample: the file that the guide shows is a whole one.
func TestExample(t *testing.T) {
	t.Setenv("LENDING_API_KEY", "key")
	t.Setenv("RPC_URLS", "https://node.example.com")
	s, err := load("live.example.json")
	require.NoError(t, err)
	require.EqualValues(t, 100_000, s.MaxFee)
	text, err := os.ReadFile("live.example.json")
	require.NoError(t, err)
	require.Equal(t, 11, bytes.Count(text, []byte(`":`)), "each field of settings")
}
