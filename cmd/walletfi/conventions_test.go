package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// leaves are all commands that do something.
func leaves(t *testing.T) (all []*cobra.Command) {
	t.Helper()
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, child := range cmd.Commands() {
			walk(child)
		}
		if cmd.Runnable() && (!cmd.HasSubCommands() || cmd.Flags().HasFlags()) {
			all = append(all, cmd)
		}
	}
	walk(newRoot(streams{}))
	require.GreaterOrEqual(t, len(all), 10)
	return all
}

// words are the arguments that name a command.
func words(cmd *cobra.Command) []string { return strings.Fields(cmd.CommandPath())[1:] }

// inProcess runs a command line without a process of its own.
func inProcess(args ...string) result {
	var out, problems bytes.Buffer
	status := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &problems})
	return result{out.String(), problems.String(), status}
}

// TestEveryCommand holds each command to what people know of others. A new one is held to it too.
func TestEveryCommand(t *testing.T) {
	for _, cmd := range leaves(t) {
		t.Run(strings.Join(words(cmd), " "), func(t *testing.T) {
			require.NotEmpty(t, cmd.Short)
			require.NotContains(t, cmd.Short, "\n")
			require.Regexp(t, `(?m)^  .*`+cmd.CommandPath()+`\b`, cmd.Example, "an example")
			require.NotNil(t, cmd.Flags().Lookup("json"), "--json")
			help := inProcess(append(words(cmd), "--help")...)
			require.Zero(t, help.status)
			require.Contains(t, help.out, "\nExamples:\n")
			require.Regexp(t, `\nExit statuses:\n  0  .+\n  1  .+\n  2  .+\n`, help.out)
			require.Empty(t, help.err)
			mistyped := inProcess(append(words(cmd), "--jsno")...)
			mistyped.fails(t, statusUsage, "--jsno", "do you mean --json?", cmd.CommandPath()+" --help")
		})
	}
}

// secretive are names of flags whose values would be secrets.
var secretive = regexp.MustCompile(`(^|-)(key|keypair|secret|token|password|passphrase|mnemonic|credential|auth)s?($|-)`)

// TestNoSecretInArguments: a flag for a secret takes the name of a file or of a variable.
func TestNoSecretInArguments(t *testing.T) {
	seen := 0
	for _, cmd := range leaves(t) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !secretive.MatchString(f.Name) {
				return
			}
			seen++
			require.Regexp(t, `-(file|env)$`, f.Name, cmd.CommandPath())
			require.Regexp(t, `file|variable`, f.Usage, cmd.CommandPath())
		})
	}
	require.Positive(t, seen)
	require.True(t, secretive.MatchString("api-key") && secretive.MatchString("token") && !secretive.MatchString("monkey"))
}

// TestEveryCompletion: what takes a service or a network offers their names.
func TestEveryCompletion(t *testing.T) {
	seen := 0
	for _, cmd := range leaves(t) {
		for _, name := range []string{"service", "network", "tiers", "encoding", "event"} {
			if cmd.Flags().Lookup(name) == nil {
				continue
			}
			seen++
			offered := inProcess(append(append([]string{"__complete"}, words(cmd)...), "--"+name, "")...)
			require.Contains(t, offered.out, ":4\n", "%s --%s: and no file", cmd.CommandPath(), name)
			require.Greater(t, strings.Count(offered.out, "\n"), 2, "%s --%s", cmd.CommandPath(), name)
		}
	}
	require.GreaterOrEqual(t, seen, 4)
	require.Contains(t, inProcess("__complete", "explain", "--service", "").out, "lending\n")
	require.Contains(t, inProcess("__complete", "deployment", "init", "swap", "").out, "webhooks\n")
}

func TestSuggestions(t *testing.T) {
	for line, want := range map[string]string{
		"explian": `do you mean explain?`, "journal shwo": "do you mean show?", "deployment chekc": "do you mean check?",
		"sandbox --tiers lendign=pro": "do you mean lending?", "explain --encoding base46 x": "do you mean base64?",
		"deployment init lendin": "do you mean lending?", "sandbox recrod": "do you mean record?",
	} {
		inProcess(strings.Fields(line)...).fails(t, statusUsage, want)
	}
	require.NotContains(t, inProcess("qqqqqqqq").err, "do you mean")
}

func TestVersion(t *testing.T) {
	require.Equal(t, command(t, "version"), command(t, "--version"))
	require.Regexp(t, `^\{\n  "walletfi": "`, command(t, "version", "--json").out)
	require.Contains(t, command(t, "exit-status", "--json").out, `"status": 9,`)
}

// TestProgress: on a terminal a command that is silent for two seconds says that it works, and
// leaves nothing of that behind.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		p := &progress{to: &screen}
		stop := p.start("explain")
		time.Sleep(1900 * time.Millisecond)
		synctest.Wait()
		require.Empty(t, screen.String())
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Contains(t, screen.String(), "walletfi explain: 3 s")
		out := &sink{to: &screen, busy: p}
		_, err := out.Write([]byte("answer\n"))
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(screen.String(), "\r\x1b[Kanswer\n"), "%q", screen.String())
		p.hush()
		long := screen.Len()
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, long, screen.Len(), "a server is silent")
		stop()
	})
	require.Nil(t, newProgress(&bytes.Buffer{}), "quiet when piped")
	(*progress)(nil).start("x")()
}

// TestExplainFile: an argument may be a file; a transaction is one, whatever files there are.
func TestExplainFile(t *testing.T) {
	text64, text58, _ := deposit(t)
	want := command(t, "explain", text64)
	require.Equal(t, want, command(t, "explain", file(t, text58)))
	require.Equal(t, want, call{in: text64}.run(t, "explain", "-"))
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "AAAA"), []byte(text64), 0o600))
	require.NoError(t, os.Symlink("AAAA", filepath.Join(dir, "a link")))
	require.Equal(t, want, call{dir: dir}.run(t, "explain", "AAAA"))
	require.Equal(t, want, call{dir: dir}.run(t, "explain", "a link"))
	command(t, "explain", "unsigned.json").fails(t, statusMalformed, "unsigned.json", "no such file")
	command(t, "explain", dir).fails(t, statusMalformed, "directory")
	command(t, "explain", "-", "-").fails(t, statusUsage, "once")
}

// TestRefusalOnce: the report says why, the error which flag would have let it pass, and each flag is one of explain's.
func TestRefusalOnce(t *testing.T) {
	text64, _, program := deposit(t)
	got := command(t, "explain", text64)
	require.Equal(t, 1, strings.Count(got.out+got.err, "REFUSED: "))
	require.NotContains(t, got.err, "the rule allows only")
	require.Contains(t, got.err, "--service NAME --pin "+program)
	flags, seen := newExplain(streams{}).Flags(), 0
	for rule, text := range allows {
		for _, name := range regexp.MustCompile(`--[a-z-]+`).FindAllString(text, -1) {
			seen++
			require.NotNil(t, flags.Lookup(name[2:]), "%s: %s", rule, name)
		}
	}
	require.Greater(t, seen, 15)
	command(t, "verify-webhook").fails(t, statusSecret, "--secret-file")
	command(t, "explain", "--node", text64).fails(t, statusSecret, "--node-file")
}
