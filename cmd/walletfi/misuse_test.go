package main

import (
	"crypto/rand"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUsage(t *testing.T) {
	text64, _, program := deposit(t)
	for name, row := range map[string]struct {
		args []string
		says string
	}{
		"no such command": {[]string{"explode"}, `"explode"`}, "no such flag": {[]string{"explain", "--nosuch"}, "--nosuch"},
		"encoding": {[]string{"explain", "--encoding", "hex", text64}, `"hex"`}, "no colon": {[]string{"explain", "--spend", "SOL", text64}, "MINT:AMOUNT"},
		"no mint": {[]string{"explain", "--spend", "x:1", text64}, "no mint"}, "a fraction": {[]string{"explain", "--burn", "SOL:1.5", text64}, "smallest units"},
		"negative": {[]string{"explain", "--receive", "SOL:-1", text64}, "smallest units"}, "too much": {[]string{"explain", "--spend", "SOL:18446744073709551616", text64}, "smallest units"},
		"a pin alone": {[]string{"explain", "--pin", program, text64}, "--service"}, "no program": {[]string{"explain", "--service", "x", "--pin", "x", text64}, "--pin"},
		"no owner": {[]string{"explain", "--owner", "x", text64}, "--owner"}, "no payee": {[]string{"explain", "--pay-to", "x", text64}, "--pay-to"},
		"twice from standard input": {[]string{"explain", "-f", "-", "-f", "-"}, "once"}, "policy too": {[]string{"explain", "--policy", "-"}, "once"},
		"two bodies": {[]string{"verify-webhook", "a", "b"}, `"b"`}, "no duration": {[]string{"verify-webhook", "--max-age", "x"}, "--max-age"},
		"no age": {[]string{"verify-webhook", "--max-age", "0s"}, "positive"}, "no time": {[]string{"verify-webhook", "--at", "noon"}, "RFC 3339"},
		"an argument": {[]string{"sandbox", "now"}, `"now"`}, "version of what": {[]string{"version", "x"}, `"x"`},
		"no tier": {[]string{"sandbox", "--tiers", "lendign=pro"}, "lendign"}, "no port": {[]string{"sandbox", "--port", "99999"}, "99999"},
	} {
		t.Run(name, func(t *testing.T) { command(t, row.args...).fails(t, statusUsage, row.says) })
	}
}

func TestMalformed(t *testing.T) {
	random := make([]byte, 3000)
	_, _ = rand.Read(random)
	text64, _, _ := deposit(t)
	for name, row := range map[string]struct {
		in   string
		args []string
		says string
	}{
		"nothing": {in: "", says: "empty"}, "blanks": {in: " \n ", says: "no transaction"}, "garbage": {in: "garbage", says: "no transaction"},
		"random bytes": {in: "z" + string(random), says: "no transaction"}, "zeros": {in: strings.Repeat("\x00", 100), says: "no transaction"},
		"cut": {in: text64[:len(text64)-8], says: "no transaction"}, "longer": {in: text64[:len(text64)-4] + "AAAA" + text64[len(text64)-4:], says: "no transaction"},
		"escape codes": {in: "\x1b[2J\x1b]0;x\x07", says: "no transaction"}, "huge": {in: strings.Repeat("A", 5<<20), says: "larger than 1048576"},
		"no JSON": {in: "{", says: "standard input"}, "empty JSON": {in: "{}", says: "standard input"}, "null intent": {in: `{"transactions":[{"encoding":"base64","transaction":"` + text64 + `"}],"intent":null}`, says: "intent"},
		"a file that is not there": {args: []string{"-f", "/nonexistent/x"}, says: "/nonexistent/x"}, "a folder": {args: []string{"-f", "/"}, says: "/"},
		"an intent of misspelt members": {args: []string{"--intent", file(t, `{"owner":"x","spned":[]}`), text64}, says: "spned"},
		"an intent and more":            {args: []string{"--intent", file(t, `{}{}`), text64}, says: "after the value"},
		"a policy of misspelt members":  {args: []string{"--policy", file(t, `{"pinz":{}}`), text64}, says: "pinz"},
		"a policy with a bad key":       {args: []string{"--policy", file(t, `{"pins":{"lending":["x"]}}`), text64}, says: "key"},
		"a policy with a bad token":     {args: []string{"--policy", file(t, `{"tokens":{"x":{"decimals":1}}}`), text64}, says: `"x"`},
		"late co-signers":               {args: []string{"--policy", file(t, `{"lateCoSigners":-1}`), text64}, says: "lateCoSigners"},
		"an owner that is no address":   {args: []string{"--intent", file(t, `{"owner":"x"}`), text64}, says: "Owner"},
	} {
		t.Run(name, func(t *testing.T) {
			got := call{in: row.in}.run(t, append([]string{"explain"}, row.args...)...)
			got.fails(t, statusMalformed, row.says)
			require.NotContains(t, got.err, "\x1b")
			require.Less(t, len(got.err), 1000)
		})
	}
}

// TestEndlessInput: an input without an end is given up, not kept.
func TestEndlessInput(t *testing.T) {
	for _, args := range [][]string{{"explain"}, {"explain", "-f", "/dev/zero"}, {"verify-webhook"}} {
		read, write, err := os.Pipe()
		require.NoError(t, err)
		go func() {
			block := make([]byte, 1<<16)
			for {
				if _, err := write.Write(block); err != nil {
					return
				}
			}
		}()
		cmd := exec.Command(binary, args...)
		cmd.Stdin, cmd.Env = read, []string{secretVariable + "=s", "GOMEMLIMIT=256MiB"}
		var problems strings.Builder
		cmd.Stderr = &problems
		_ = cmd.Run()
		read.Close()
		write.Close()
		require.Equal(t, statusMalformed, cmd.ProcessState.ExitCode(), problems.String())
		require.Contains(t, problems.String(), "larger than")
	}
}

// TestFullDisk: an answer that could not be written is no success.
func TestFullDisk(t *testing.T) {
	text64, _, program := deposit(t)
	for _, args := range [][]string{
		{"explain", "--service", "lending", "--pin", program, "--blind", text64}, {"explain", "--service", "lending", "--pin", program, "--blind", "--json", text64},
		{"version"}, {"exit-status"}, {"--help"}, {"completion", "bash"}, {"sandbox"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		require.NoError(t, err)
		var problems strings.Builder
		cmd := exec.Command(binary, args...)
		cmd.Stdout, cmd.Stderr = full, &problems
		_ = cmd.Run()
		full.Close()
		require.Equal(t, statusFailed, cmd.ProcessState.ExitCode(), "%v: %s", args, problems.String())
		require.Contains(t, problems.String(), "no space left")
	}
}

// TestBrokenPipe: whoever stops reading, as head does, ends the command by the
// signal that every command gets, without a word.
func TestBrokenPipe(t *testing.T) {
	text64, _, _ := deposit(t)
	read, write, err := os.Pipe()
	require.NoError(t, err)
	read.Close()
	var problems strings.Builder
	cmd := exec.Command(binary, "explain", text64)
	cmd.Stdout, cmd.Stderr = write, &problems
	_ = cmd.Run()
	write.Close()
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	require.True(t, ok)
	require.True(t, status.Signaled())
	require.Equal(t, syscall.SIGPIPE, status.Signal())
	require.Empty(t, problems.String())
}

func TestHelpAndCompletion(t *testing.T) {
	help := command(t, "--help")
	require.Zero(t, help.status)
	require.Empty(t, help.err)
	golden(t, "help.txt", help.out)
	require.Equal(t, help, command(t), "without a command")
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		script := command(t, "completion", shell)
		require.Zero(t, script.status)
		require.Contains(t, script.out, "walletfi")
	}
	words := command(t, "__complete", "explain", "--encoding", "")
	require.Contains(t, words.out, "base58\n")
	version := command(t, "version")
	require.Regexp(t, `^walletfi .+\nwalletfi-go .+\ngo1.+\n$`, version.out)
}

// TestReadme: the README's table of exit statuses is the command's, and each status
// is one that a test here reaches.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, m := range meanings {
		require.Contains(t, string(readme), "| "+string(rune('0'+m.Status))+" | "+m.Text+" |")
	}
	_, rest, found := strings.Cut(string(readme), "```json\n")
	require.True(t, found)
	policy, _, _ := strings.Cut(rest, "```")
	text64, _, _ := deposit(t)
	taken := command(t, "explain", "--policy", file(t, policy), text64)
	require.Equal(t, statusRefused, taken.status, "the policy of the page is read: %s", taken.err)
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	var tests strings.Builder
	for _, name := range files {
		f, err := os.Open(name)
		require.NoError(t, err)
		_, err = io.Copy(&tests, f)
		require.NoError(t, err)
		f.Close()
	}
	for _, name := range []string{"statusFailed", "statusUsage", "statusRefused", "statusMalformed", "statusSignature", "statusNetwork", "statusSecret", "statusViolations"} {
		require.Greater(t, strings.Count(tests.String(), name), 1, name)
	}
	require.Len(t, meanings, 10)
}
