package main

import (
	"bytes"
	"context"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/tradingbot/chart"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
)

// screens keeps what is drawn, and calls enough once it has seen so many
// screens of a live feed with an order book.
type screens struct {
	strings.Builder
	live   int
	enough func()
}

func (s *screens) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "   live\n") && strings.Contains(string(b), "\nmid ") {
		if s.live++; s.live == 3 {
			s.enough()
		}
	}
	return s.Builder.Write(b)
}

// all returns the screens in order.
func (s *screens) all() []string { return strings.Split(s.String(), "\x1b[2J\x1b[H")[1:] }

// TestFeed: the service by its address, here that of a sandbox whose clock the
// test moves.
func TestFeed(t *testing.T) {
	box := live(t)
	ctx, cancel := context.WithCancel(t.Context())
	out := &screens{enough: cancel}
	moved := make(chan struct{})
	go func() {
		defer close(moved)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			<-tick.C
			box.Advance(time.Second)
		}
	}()
	require.NoError(t, run(ctx, []string{"-for", "1m"}, out))
	cancel()
	<-moved
	all := out.all()
	require.Contains(t, all[0], "connecting")
	require.Equal(t, 3, out.live)
	last := all[len(all)-1]
	require.NotEqual(t, all[0], last)
	for _, screen := range all {
		require.Regexp(t, `BTC-R6-M1  \S`, screen)
		require.Regexp(t, `yes 0\.\d+   no 0\.\d+`, screen)
		require.Regexp(t, `\d\d:\d\d:\d\d  (buy |sell) +\d+ at 0\.\d+`, screen)
	}
	require.Regexp(t, `\d+  0\.\d+ +0\.\d+  \d+`, last, "a level of both sides")
	require.Regexp(t, `mid 0\.\d+, spread 0\.\d+`, last)
	require.Empty(t, box.Violations())
}

// live starts a sandbox with a manual clock and sets the addresses of the
// environment to it.
func live(t *testing.T) *sandbox.Sandbox {
	t.Helper()
	box, err := sandbox.Start(sandbox.Config{ManualClock: true})
	require.NoError(t, err)
	t.Cleanup(box.Close)
	t.Setenv("MARKETS_URL", box.URL(sandbox.PredictMeta))
	t.Setenv("FEED_URL", box.PredictMeta().WSURL())
	t.Setenv("MARKETS_KEY", box.APIKey(sandbox.PredictMeta))
	return box
}

// TestChartOfSandbox: a run on a sandbox of its own draws the candles in the
// end.
func TestChartOfSandbox(t *testing.T) {
	path := filepath.Join(t.TempDir(), "candles.png")
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-for", "400ms", "-chart", path}, &out))
	require.Contains(t, out.String(), " candles of an hour in "+path)
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	drawn, err := png.Decode(file)
	require.NoError(t, err)
	require.Greater(t, drawn.Bounds().Dx(), 1000)
	require.Greater(t, drawn.Bounds().Dy(), 400)
}

func TestLive(t *testing.T) {
	box := live(t)
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-market", "SOL-R6-M1", "-for", "400ms"}, &out))
	require.Contains(t, out.String(), "SOL-R6-M1")
	require.NotContains(t, out.String(), "candles", "no chart without -chart")
	require.Empty(t, box.Violations())
	require.ErrorIs(t, run(t.Context(), []string{"-market", "NOSUCH"}, io.Discard), walletfi.ErrNotFound)
	t.Setenv("MARKETS_KEY", "another")
	require.ErrorIs(t, run(t.Context(), nil, io.Discard), walletfi.ErrUnauthorized)
}

func TestRefused(t *testing.T) {
	for _, args := range []string{"-for 0s", "-for -1s", "-for long", "-unknown"} {
		require.Error(t, run(t.Context(), strings.Fields(args), io.Discard), args)
	}
}

// TestView: an older book, and a trade that was there at the start, change
// nothing; what may be missing is said.
func TestView(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	v := &view{
		market: &predictmeta.Market{Ticker: "M\x1b[31m", Title: "a\nb"}, lastFound: walletfi.Time{Time: at},
		book: predictmeta.NewOrderBook("M", at, nil, nil),
	}
	book := func(when time.Time, quantity uint64) *predictmeta.BookUpdate {
		half, err := walletfi.NewDecimal("0.5")
		require.NoError(t, err)
		return &predictmeta.BookUpdate{Timestamp: walletfi.Time{Time: when}, Bids: []predictmeta.Level{{Price: half, Quantity: quantity}}}
	}
	v.take(book(at.Add(2*time.Second), 7))
	v.take(book(at.Add(time.Second), 8))
	best, ok := v.book.BestBid()
	require.True(t, ok)
	require.EqualValues(t, 7, best.Quantity)

	v.take(&predictmeta.TradeUpdate{Quantity: 1, Timestamp: walletfi.Time{Time: at}})
	require.Empty(t, v.trades)
	for i := range 2 * depth {
		v.take(&predictmeta.TradeUpdate{Quantity: uint64(i), Timestamp: walletfi.Time{Time: at.Add(time.Duration(i+1) * time.Second)}})
	}
	require.Len(t, v.trades, depth)
	require.EqualValues(t, 2*depth-1, v.trades[0].Quantity)

	v.take(&predictmeta.Gap{From: at, To: at.Add(1500 * time.Millisecond)})
	var out strings.Builder
	require.NoError(t, v.draw(&out))
	require.Contains(t, out.String(), "\n1.5s may be missing\n")
	require.Contains(t, out.String(), "yes -   no -")
	require.Contains(t, out.String(), "ab\n", "the title stays on its line")
	v.take(&predictmeta.Dropped{Count: 3})
	require.Equal(t, "too slow: 3 messages left out", v.note)
	v.take(&predictmeta.BookRefresh{Err: walletfi.ErrNotFound})
	require.Contains(t, v.note, "no order book: ")

	v.take(&predictmeta.Disconnected{Err: walletfi.ErrUnavailable, RetryIn: time.Second})
	require.Contains(t, v.state, "no connection (")
	v.take(&predictmeta.RetryFailed{Err: walletfi.ErrUnavailable, RetryIn: 2 * time.Second})
	require.Contains(t, v.state, "next attempt in 2s")
	v.take(&predictmeta.Connected{})
	require.Equal(t, "live", v.state)
}

// TestChart: candles are drawn green if they rose and red if they fell, and a price
// that never moved can be drawn too. The library draws the axes.
func TestChart(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	inks := func(candles ...chart.Candle) (green, red int) {
		var b bytes.Buffer
		require.NoError(t, writeChart(&b, "M\x1b[31m", candles))
		drawn, err := png.Decode(&b)
		require.NoError(t, err)
		middle := drawn.Bounds().Dx() / 2
		for x := middle; x < drawn.Bounds().Dx(); x++ {
			for y := range drawn.Bounds().Dy() {
				switch color.RGBAModel.Convert(drawn.At(x, y)) {
				case color.RGBA{30, 132, 90, 255}:
					green++
				case color.RGBA{190, 60, 50, 255}:
					red++
				}
			}
		}
		return green, red
	}
	rose := chart.Candle{Start: at, Open: 0.2, High: 0.8, Low: 0.2, Close: 0.8}
	fell := chart.Candle{Start: at.Add(time.Hour), Open: 0.8, High: 0.8, Low: 0.2, Close: 0.2}
	green, red := inks(rose, fell)
	require.Zero(t, green)
	require.Greater(t, red, 1000, "the second hour, which fell, is on the right")
	green, red = inks(chart.Candle{Start: at, Open: 0.5, High: 0.5, Low: 0.5, Close: 0.5})
	require.Positive(t, green)
	require.Zero(t, red)
	require.Empty(t, drawable([]predictmeta.Candlestick{{}}))
}
