package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInit: what it writes is the program of the guide, builds, and passes its tests against the sandbox.
func TestInit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a bot")
	got := command(t, "init", dir, "--module", "example.com/bot")
	require.Zero(t, got.status, got.err)
	here, err := filepath.Glob("../../examples/live/*")
	require.NoError(t, err)
	require.Greater(t, len(here), 8)
	for _, name := range here {
		want, err := os.ReadFile(name)
		require.NoError(t, err)
		written, err := os.ReadFile(filepath.Join(dir, filepath.Base(name)))
		require.NoError(t, err)
		require.Equal(t, string(want), string(written), "copy examples/live to skeleton again: %s", name)
	}
	require.FileExists(t, filepath.Join(dir, "live.json"))

	// The library as it is here, and the sums of its modules.
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	_, requires, found := strings.Cut(string(mod), "\nrequire")
	require.True(t, found)
	text := "module example.com/bot\n\ngo 1.26.0\n\nrequire " + library + " v0.1.0\n\nreplace " + library + " => " + root + "\n\nrequire" + requires
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o600))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
	test := exec.Command("go", "test", "-mod=mod", "-count=1", ".")
	test.Dir, test.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off")
	out, err := test.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "ok")
}

// TestInitOverwritesNothing: neither a folder, nor by way of a link.
func TestInitOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(filepath.Join(dir, "new"), link))
	for _, to := range []string{dir, link, filepath.Join(dir, "none", "x")} {
		command(t, "init", to).fails(t, statusMalformed, to)
	}
	command(t, "init", filepath.Join(dir, "y"), "--module", "a\nb").fails(t, statusUsage, "--module")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
