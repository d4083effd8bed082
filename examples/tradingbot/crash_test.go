package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// The environment of a child process: the bot on a sandbox of its parent.
const (
	childFolder = "TRADINGBOT_CHILD"
	childMint   = "TRADINGBOT_MINT"
)

// eager buys and sells in turn, without a look at the price.
type eager struct{}

func (eager) see(candle) {}

func (eager) decide(_ instrument, _ float64, p *position, _ time.Time) (side, string) {
	if p == nil {
		return buy, "always"
	}
	return sell, "always"
}

// ticking returns a tick at once, whenever it is asked for one.
type ticking struct{ all []instrument }

func (s ticking) instruments() []instrument { return s.all }

func (s ticking) next() (tick, error) {
	t := tick{At: time.Now().UTC()}
	for _, i := range s.all {
		t.Candles = append(t.Candles, candle{Instrument: i.Name, Start: t.At, Close: walletfi.MustDecimal("1")})
	}
	return t, nil
}

// child is a bot in a process of its own, to be killed.
func child() int {
	folder := os.Getenv(childFolder)
	err := func() (err error) {
		d, err := load(context.Background(), filepath.Join(folder, "deployment.json"), "")
		if err != nil {
			return err
		}
		d.pace = pace{poll: 10 * time.Millisecond, resend: 50 * time.Millisecond, slot: time.Microsecond, order: 10 * time.Millisecond}
		all := []instrument{{Name: "M", Mint: os.Getenv(childMint), Decimals: 6}, {Name: "SOL", Mint: walletfi.NativeMint, Decimals: solDecimals}}
		log, err := openLog(filepath.Join(folder, "book.jsonl"), newBook(d.USDC, all))
		if err != nil {
			return err
		}
		desk, err := openDesk(d, folder, log)
		if err != nil {
			return err
		}
		ctx := context.Background()
		if err := desk.start(ctx); err != nil {
			return err
		}
		b := newBot(ticking{all}, desk, log)
		b.strategy, b.limits.totalLoss, b.limits.dailyLoss = eager{}, 1<<60, 1<<60
		if err := b.serve(ctx, options{out: folder, kill: filepath.Join(folder, "kill")}, os.Stdout, lines{os.Stdout}); err != nil {
			return err
		}
		return desk.verify(ctx, os.Stdout)
	}()
	if err != nil {
		fmt.Println("child:", err)
		return 1
	}
	return 0
}

// TestKilledAmidTrades: a bot that is killed again and again, at any point of a trade,
// has the right book in the end.
func TestKilledAmidTrades(t *testing.T) {
	s, err := sandbox.Start(sandbox.Config{NoLimits: true})
	require.NoError(t, err)
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	moved := make(chan struct{})
	go func() { // ten times as fast as real time
		defer close(moved)
		for pause.For(ctx, 5*time.Millisecond) == nil {
			s.Advance(45 * time.Millisecond)
		}
	}()
	defer func() { cancel(); <-moved }()
	folder := t.TempDir()
	environment := childEnvironment(t, s, folder)
	for round := range 6 {
		c, out := start(t, environment)
		sent := func() int {
			return s.Hits()[sandbox.Route{Service: sandbox.RPC, Method: "POST", Pattern: "sendTransaction"}]
		}
		enough := sent() + 2 + round
		began := time.Now()
		for sent() < enough {
			if time.Since(began) > 20*time.Second {
				t.Fatal(out.String(), s.Hits())
			}
			require.NoError(t, pause.For(t.Context(), time.Millisecond))
		}
		require.NoError(t, pause.For(t.Context(), time.Duration(round*37)*time.Millisecond)) // anywhere in a trade
		require.NoError(t, c.Process.Kill())
		require.Error(t, c.Wait())
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "kill"), nil, 0o600))
	c, out := start(t, environment)
	require.NoError(t, c.Wait(), out.String())
	require.Contains(t, out.String(), "book equals ledger")
	t.Log(out.String())
	require.Empty(t, s.Violations())
}

func start(t *testing.T, environment []string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	c, out := exec.CommandContext(t.Context(), os.Args[0]), &bytes.Buffer{}
	c.Env, c.Stdout, c.Stderr = append(os.Environ(), environment...), out, out
	require.NoError(t, c.Start())
	return c, out
}

// childEnvironment writes the file of a deployment that is a sandbox.
func childEnvironment(t *testing.T, s *sandbox.Sandbox, folder string) []string {
	t.Helper()
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	d := sandboxed(s)
	d.signer, d.Wallet = key, filepath.Join(folder, "id.json")
	m, err := openMarkets(t.Context(), d, 1, 0)
	require.NoError(t, err)
	mint := m.chosen[0].Mint
	require.NoError(t, m.close())
	writeJSON(t, filepath.Join(folder, "deployment.json"), d)
	numbers := make([]int, len(s.Wallet()))
	for i, b := range s.Wallet() {
		numbers[i] = int(b)
	}
	writeJSON(t, d.Wallet, numbers)
	return []string{
		childFolder + "=" + folder, childMint + "=" + mint, "RPC_URL=" + s.URL(sandbox.RPC),
		"SWAP_API_KEY=" + s.APIKey(sandbox.Swap), "MARKETS_API_KEY=" + s.APIKey(sandbox.PredictMeta), "CANDLES_API_KEY=" + s.APIKey(sandbox.OnchainData),
	}
}

func writeJSON(t *testing.T, path string, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o600))
}

func TestMain(m *testing.M) {
	if os.Getenv(childFolder) != "" {
		os.Exit(child())
	}
	os.Exit(m.Run())
}
