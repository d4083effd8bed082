package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

func TestSandboxSnapshot(t *testing.T) {
	name := filepath.Join(t.TempDir(), "world.bin")
	first := start(t, nil, "--manual-clock", "--seed", "7", "--save", name)
	assert.Zero(t, first.end(t, os.Interrupt))
	again := start(t, nil, "--snapshot", name, "--save", name)
	assert.Equal(t, first.env["WALLETFI_LENDING_KEY"], again.env["WALLETFI_LENDING_KEY"], "the seed is the snapshot's")
	assert.Equal(t, 200, again.get(t, "/v1/pools"))
	assert.Zero(t, again.end(t, os.Interrupt))

	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	s, err := sandbox.Start(sandbox.Config{Snapshot: raw})
	require.NoError(t, err)
	defer s.Close()
	assert.Equal(t, 1, s.Hits()[sandbox.Route{Service: sandbox.Lending, Method: "GET", Pattern: "/v1/pools"}])
	left, err := os.ReadDir(filepath.Dir(name))
	require.NoError(t, err)
	assert.Len(t, left, 1)

	command(t, "sandbox", "--snapshot", name, "--seed", "8").fails(t, statusUsage, "the snapshot has another Config.Seed")
	command(t, "sandbox", "--snapshot", file(t, "hello")).fails(t, statusUsage, "no snapshot of a sandbox")
	command(t, "sandbox", "--snapshot", name+".gone").fails(t, statusMalformed, "no such file")
}
