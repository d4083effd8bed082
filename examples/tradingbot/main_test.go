package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

// plays runs the program and returns what it wrote.
func plays(t *testing.T, o options) (string, error) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer out.Close()
	failed := run(t.Context(), o, out)
	text, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	t.Log(string(text))
	return string(text), failed
}

// TestPlayAndBacktest: two days with faults, the book equals the ledger, charts and
// reports are written; the same code on the recorded candles trades too, each time
// alike.
func TestPlayAndBacktest(t *testing.T) {
	folder := t.TempDir()
	candles := filepath.Join(folder, "candles.jsonl")
	text, err := plays(t, options{seed: 3, days: 2, faults: true, markets: 2, out: filepath.Join(folder, "play"), record: candles})
	require.NoError(t, err)
	require.Contains(t, text, "book equals ledger")
	require.Contains(t, text, "2026-01-01  equity")
	require.Regexp(t, `trades [1-9]`, text)
	for _, name := range []string{"report.html", "equity.png", "sol.png", "book.jsonl", "wallet.journal"} {
		require.FileExists(t, filepath.Join(folder, "play", name))
	}
	page, err := os.ReadFile(filepath.Join(folder, "play", "report.html"))
	require.NoError(t, err)
	require.Equal(t, 4, strings.Count(string(page), "<svg"), "equity, two markets, SOL")
	require.Contains(t, string(page), "price, USDC")

	first, err := plays(t, options{seed: 1, days: 1, markets: 1, backtest: candles, out: filepath.Join(folder, "test")})
	require.NoError(t, err)
	require.Regexp(t, `trades [1-9]`, first)
	again, err := plays(t, options{seed: 1, days: 1, markets: 1, backtest: candles, out: filepath.Join(folder, "test")})
	require.NoError(t, err)
	require.Equal(t, first, again)
}

// TestALamportTooMuchIsFound: whatever moves the wallet's money past the book makes
// the program fail.
func TestALamportTooMuchIsFound(t *testing.T) {
	for _, c := range []struct {
		name  string
		gift  func(s *sandbox.Sandbox) error
		wants string
	}{
		{"nothing", func(*sandbox.Sandbox) error { return nil }, ""},
		{"a lamport", func(s *sandbox.Sandbox) error { return s.Ledger().FundWallet(s.WalletAddress(), 1) }, "lamports: book"},
		{"a unit", func(s *sandbox.Sandbox) error {
			return s.Ledger().FundToken(s.WalletAddress(), s.Mint("DUST"), 1)
		}, "mint "},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			o := options{seed: 5, days: 1, markets: 1, out: folder, kill: filepath.Join(folder, "kill")}
			s, d, trouble, err := play(o.seed, false, o.lasts())
			require.NoError(t, err)
			defer s.Close()
			s.Options().Clock.AfterFunc(12*time.Hour, func() {
				if err := c.gift(s); err != nil {
					panic(err)
				}
			})
			out, err := os.Create(filepath.Join(folder, "out"))
			require.NoError(t, err)
			defer out.Close()
			err = onSandbox(t.Context(), o, s, d, trouble, out)
			if c.wants == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, errDisagree)
			require.ErrorContains(t, err, c.wants)
		})
	}
}

// TestMutatedBook: every figure of the book is compared.
func TestMutatedBook(t *testing.T) {
	ledger := balances{Lamports: 7, Tokens: map[string]walletfi.Amount{"A": 1, "B": 2}}
	fresh := func() *book {
		b := newBook("A", nil)
		b.start(ledger)
		return b
	}
	require.NoError(t, fresh().agree(ledger))
	mutations := map[string]func(*book){
		"lamports":      func(b *book) { b.holds.Lamports++ },
		"a token":       func(b *book) { b.holds.Tokens["B"]-- },
		"one too many":  func(b *book) { b.holds.Tokens["C"] = 1 },
		"one missing":   func(b *book) { delete(b.holds.Tokens, "A") },
		"an open order": func(b *book) { b.pending["k"] = order{Key: "k"} },
	}
	for name, mutate := range mutations {
		b := fresh()
		mutate(b)
		require.ErrorIs(t, b.agree(ledger), errDisagree, name)
	}
}

// TestKillSwitch: the file is there before the first trade, so that there is none.
func TestKillSwitch(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "kill"), nil, 0o600))
	text, err := plays(t, options{seed: 2, days: 1, markets: 1, out: folder})
	require.NoError(t, err)
	require.Contains(t, text, "closing all positions: the kill switch")
	require.Contains(t, text, "trades 0;")
}

// TestTornLog: a last line that a crash cut short is cut off; damage before it is an
// error.
func TestTornLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "book.jsonl")
	l, err := openLog(path, newBook("U", nil))
	require.NoError(t, err)
	require.NoError(t, l.write(event{Started: &balances{Lamports: 5}}))
	require.NoError(t, l.write(event{Order: &order{Key: "a", Side: buy}}))
	require.ErrorContains(t, l.write(event{Order: &order{Key: "a", Side: buy}}), "written before")
	require.NoError(t, l.close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	line, err := json.Marshal(event{Settled: &settlement{Key: "a", Outcome: notSent}})
	require.NoError(t, err)
	for cut := range len(line) + 1 { // never the end of the line
		require.NoError(t, os.WriteFile(path, append(whole[:len(whole):len(whole)], line[:cut]...), 0o600))
		b := newBook("U", nil)
		l, err := openLog(path, b)
		require.NoError(t, err, cut)
		require.Len(t, b.pending, 1)
		require.NoError(t, l.close())
		left, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(whole), string(left))
	}
	require.NoError(t, os.WriteFile(path, append([]byte("{\n"), whole...), 0o600))
	_, err = openLog(path, newBook("U", nil))
	require.ErrorContains(t, err, "line 1")
}

func TestLimits(t *testing.T) {
	l := newLimits()
	b := newBook("U", []instrument{{Name: "M", Mint: "m", Decimals: 6}})
	b.start(balances{Lamports: l.reserve, Tokens: map[string]walletfi.Amount{"U": 10 * l.exposure}})
	o := order{Key: "k", Instrument: "M", Side: buy, Amount: l.order}
	require.Empty(t, l.opens(b, o, 0))
	require.Empty(t, l.opens(b, o, -l.dailyLoss+1))
	require.Contains(t, l.opens(b, o, -l.dailyLoss), "day's loss")
	more := o
	more.Amount++
	require.Contains(t, l.opens(b, more, 0), "an order is at most 300")
	b.positions["M"] = &position{Units: 1, Cost: l.exposure - l.order}
	require.Empty(t, l.opens(b, o, 0))
	b.pending["open"] = order{Key: "open", Side: buy, Amount: 1}
	require.Contains(t, l.opens(b, o, 0), "exposure", "an open order counts")
	delete(b.pending, "open")
	b.holds.Lamports--
	require.Contains(t, l.opens(b, o, 0), "too little SOL")
	b.holds.Tokens["U"] = o.Amount - 1
	require.Contains(t, l.opens(b, o, 0), "too little USDC")
}
