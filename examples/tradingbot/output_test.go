package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestASeedIsARun: two runs of a seed with faults print the same and keep the same
// book.
func TestASeedIsARun(t *testing.T) {
	var texts, books [2]string
	for i := range texts {
		folder := filepath.Join(t.TempDir(), "out")
		text, err := plays(t, options{seed: 7, days: 2, faults: true, markets: 3, out: folder})
		require.NoError(t, err)
		texts[i] = strings.ReplaceAll(text, folder, "FOLDER")
		book, err := os.ReadFile(filepath.Join(folder, bookName))
		require.NoError(t, err)
		books[i] = string(book)
	}
	require.Regexp(t, `trades [1-9]`, texts[0])
	require.Regexp(t, `trouble: +[1-9]`, texts[0])
	require.Equal(t, texts[0], texts[1])
	require.Equal(t, books[0], books[1])
}

// TestFigures: lists end without a comma.
func TestFigures(t *testing.T) {
	require.Equal(t, "0 open", counted(nil, 0))
	require.Equal(t, "2 confirmed, 1 expired, 3 open", counted(map[outcome]int{expired: 1, confirmed: 2}, 3))
	text, err := plays(t, options{seed: 7, days: 1, faults: true, markets: 2, out: t.TempDir()})
	require.NoError(t, err)
	require.NotRegexp(t, `(?m)[,:]\s*$`, text)
	require.Regexp(t, `(?m)^unsure intents \d+: (\d+ [a-z ]+, )*0 open$`, text)
}

// TestTheBarIsForTerminals: a bar with whole lines over it on a terminal, the lines
// alone elsewhere.
func TestTheBarIsForTerminals(t *testing.T) {
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	show := func(out *os.File) {
		p := newProgress(out, from, 24*time.Hour)
		p.step(from.Add(6 * time.Hour))
		p.say("a line")
		p.step(from.Add(12 * time.Hour))
		p.end()
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer file.Close()
	show(file)
	text, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	require.Equal(t, "a line\n", string(text))
	require.IsType(t, lines{}, newProgress(file, from, 0))

	screen, terminal, err := pty.Open()
	require.NoError(t, err)
	defer screen.Close()
	seen := make(chan string)
	go func() {
		all, _ := io.ReadAll(screen) // ends with an error once the terminal is closed
		seen <- string(all)
	}()
	show(terminal)
	require.NoError(t, terminal.Close())
	drawn := <-seen
	require.Contains(t, drawn, "2026-01-01 06:00")
	require.Contains(t, drawn, "25%")
	require.Regexp(t, `\r *\ra line\r\n`, drawn, "on a line of its own")
}

// TestAUsedFolder: the book of an earlier run is of another ledger.
func TestAUsedFolder(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, bookName), nil, 0o600))
	_, err := plays(t, options{seed: 1, days: 1, markets: 1, out: folder})
	require.ErrorContains(t, err, "-out")
	require.ErrorContains(t, err, "another folder")
}

// TestADeploymentNamesWhatIsWrong, field by field.
func TestADeploymentNamesWhatIsWrong(t *testing.T) {
	s, err := sandbox.Start(sandbox.Config{})
	require.NoError(t, err)
	defer s.Close()
	folder := t.TempDir()
	for _, variable := range childEnvironment(t, s, folder) {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	t.Setenv(childFolder, "")
	path := filepath.Join(folder, "deployment.json")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	_, err = load(t.Context(), path, "")
	require.NoError(t, err)
	for _, field := range []string{"swap", "markets", "feed", "candles", "pins", "wallet", "usdc"} {
		broken := strings.Replace(string(whole), `"`+field+`":`, `"x`+field+`":`, 1)
		require.NotEqual(t, string(whole), broken)
		require.NoError(t, os.WriteFile(path, []byte(broken), 0o600))
		_, err := load(t.Context(), path, "")
		require.ErrorContains(t, err, "x"+field, "an unknown field")
		empty := regexp.MustCompile(`"`+field+`":("[^"]*"|\[[^\]]*\]),?`).ReplaceAllString(string(whole), "")
		require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(empty, ",}", "}")), 0o600))
		_, err = load(t.Context(), path, "")
		require.ErrorContains(t, err, field+" is missing")
	}
	require.NoError(t, os.WriteFile(path, whole, 0o600))
	for _, name := range []string{"RPC_URL", "SWAP_API_KEY", "MARKETS_API_KEY", "CANDLES_API_KEY"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "")
			_, err := load(t.Context(), path, "")
			require.ErrorContains(t, err, name)
		})
	}
}
