package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files")

// binary is the built command: the tests run it as people do.
var binary string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "walletfi")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "walletfi")
		if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
			return 1
		}
		return m.Run()
	}())
}

// result is the output of a run of the binary.
type result struct {
	out, err string
	status   int
}

// call is a run of the binary.
type call struct {
	in  string
	env []string // name=value
	dir string
}

// command runs the binary with arguments, an empty standard input and no variables.
func command(t *testing.T, args ...string) result {
	t.Helper()
	return call{}.run(t, args...)
}

func (c call) run(t *testing.T, args ...string) result {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Stdin, cmd.Env, cmd.Dir = strings.NewReader(c.in), append([]string{}, c.env...), c.dir
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	r := result{out.String(), problems.String(), cmd.ProcessState.ExitCode()}
	require.NotContains(t, r.err, "goroutine", "a panic")
	return r
}

// fails requires a status, nothing on standard output, and a line on standard error
// that holds each of the words.
func (r result) fails(t *testing.T, status int, words ...string) {
	t.Helper()
	require.Equal(t, status, r.status, "%s", r.err)
	require.Empty(t, r.out)
	require.True(t, strings.HasPrefix(r.err, "walletfi: "), r.err)
	lines := 1
	if status == statusUsage {
		lines = 2
	}
	require.Equal(t, lines, strings.Count(r.err, "\n"), r.err)
	for _, word := range words {
		require.Contains(t, r.err, word)
	}
}

// golden holds a text to a file. -update writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// file writes a file that only its owner may read.
func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}
