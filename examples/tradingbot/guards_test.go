package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// script is a source of one market whose closes are given, an hour apart.
type script struct {
	closes []string
	before func(tick int) // called before each tick
	at     int
}

var scripted = instrument{Name: "M", Mint: "m", Decimals: 6}

func (s *script) instruments() []instrument {
	return []instrument{scripted, {Name: "SOL", Mint: walletfi.NativeMint, Decimals: solDecimals}}
}

func (s *script) next() (tick, error) {
	if s.at == len(s.closes) {
		return tick{}, io.EOF
	}
	if s.before != nil {
		s.before(s.at)
	}
	at := time.Date(2026, 1, 1, s.at, 0, 0, 0, time.UTC)
	price := walletfi.MustDecimal(s.closes[s.at])
	s.at++
	return tick{At: at, Candles: []candle{
		{Instrument: "M", Start: at, Open: price, High: price, Low: price, Close: price},
		{Instrument: "SOL", Start: at, Close: walletfi.MustDecimal("150")},
	}}, nil
}

// greedy buys the market at every candle and never sells.
type greedy struct{}

func (greedy) see(candle) {}

func (greedy) decide(i instrument, _ float64, _ *position, _ time.Time) (side, string) {
	if i.isSOL() {
		return "", ""
	}
	return buy, "always"
}

// scriptedBot trades on paper with 10,000 USDC, without limits but those that a test
// sets.
func scriptedBot(t *testing.T, s *script, strategy decider) *bot {
	t.Helper()
	log := &ledgerLog{book: newBook("U", s.instruments())}
	require.NoError(t, log.write(event{Started: &balances{Lamports: 100_000_000_000, Tokens: map[string]walletfi.Amount{"U": 10_000_000_000}}}))
	p := &paper{log: log}
	b := newBot(s, p, log)
	p.last = b.last
	b.strategy, b.killed = strategy, func() bool { return false }
	b.limits = limits{order: 300_000_000, exposure: 1 << 60, dailyLoss: 1 << 60, totalLoss: 1 << 60}
	b.progress = lines{io.Discard}
	b.days.say = b.progress.say
	return b
}

// filled counts the book's fills of a side.
func filled(b *bot, s side) (n int) {
	for _, f := range b.log.book.fills {
		if f.Order.Side == s {
			n++
		}
	}
	return n
}

func TestExposureIsLimited(t *testing.T) {
	flat := []string{"0.5", "0.5", "0.5", "0.5", "0.5", "0.5"}
	free := scriptedBot(t, &script{closes: flat}, greedy{})
	require.NoError(t, free.run(t.Context()))
	require.Equal(t, 6, filled(free, buy), "without the limit it buys each time")

	bound := scriptedBot(t, &script{closes: flat}, greedy{})
	bound.limits.exposure = 650_000_000
	require.NoError(t, bound.run(t.Context()))
	require.Equal(t, 2, filled(bound, buy))
	require.Equal(t, 4, bound.refused["the exposure is at most 650 USDC"])
	for _, s := range bound.samples {
		require.LessOrEqual(t, s.Exposure, int64(650_000_000))
	}
}

// TestTheDaysLossStopsPurchases, until the next day.
func TestTheDaysLossStopsPurchases(t *testing.T) {
	closes := []string{"0.5", "0.2"} // 300 USDC become 120
	for len(closes) < 26 {
		closes = append(closes, "0.2")
	}
	b := scriptedBot(t, &script{closes: closes}, greedy{})
	b.limits.order, b.limits.dailyLoss = 300_000_000, 150_000_000
	require.NoError(t, b.run(t.Context()))
	require.Equal(t, 23, b.refused["the day's loss is at its limit"])
	require.Equal(t, 3, filled(b, buy), "the first, and two of the next day")
}

// TestTheLossEndsTheBot sells what it has and stops, long before the source ends.
func TestTheLossEndsTheBot(t *testing.T) {
	s := &script{closes: []string{"0.5", "0.5", "0.1", "0.1", "0.1", "0.1", "0.1"}}
	b := scriptedBot(t, s, greedy{})
	b.limits.totalLoss = 200_000_000
	require.NoError(t, b.run(t.Context()))
	require.Equal(t, 3, s.at, "it reads no further")
	require.Equal(t, 2, filled(b, buy))
	require.Equal(t, 1, filled(b, sell))
	require.Empty(t, b.log.book.positions)
}

// TestTheKillSwitchClosesWhatIsOpen: the file appears between two candles.
func TestTheKillSwitchClosesWhatIsOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kill")
	s := &script{closes: []string{"0.5", "0.5", "0.5", "0.5", "0.5"}}
	s.before = func(tick int) {
		if tick == 2 {
			require.NoError(t, os.WriteFile(path, nil, 0o600))
		}
	}
	b := scriptedBot(t, s, greedy{})
	killed, stop := killSwitch(path)
	defer stop()
	b.killed = killed
	require.NoError(t, b.run(t.Context()))
	require.Equal(t, 3, s.at)
	require.Equal(t, 2, filled(b, buy))
	require.Empty(t, b.log.book.positions, "it is sold")
}

// away is a broker whose service is away for some orders, and whose clock counts.
type away struct {
	*paper
	refusals int
	paused   time.Duration
	widest   int
}

func (a *away) trade(ctx context.Context, o order) error {
	if o.Side == sell {
		a.widest = max(a.widest, o.slippage)
		if a.refusals--; a.refusals >= 0 {
			return walletfi.ErrUnavailable
		}
	}
	return a.paper.trade(ctx, o)
}

func (a *away) pause(_ context.Context, d time.Duration) error { a.paused += d; return nil }

// TestClosingWaitsForAService: a service that is away for most of an hour is asked
// again each minute, and no worse price is taken for it.
func TestClosingWaitsForAService(t *testing.T) {
	b := scriptedBot(t, &script{closes: []string{"0.5"}}, greedy{})
	service := &away{paper: b.broker.(*paper), refusals: 50}
	b.broker = service
	require.NoError(t, b.run(t.Context()))
	require.Empty(t, b.log.book.positions)
	require.Equal(t, 50*time.Minute, service.paused)
	require.Equal(t, slippage(scripted, 0), service.widest)

	b = scriptedBot(t, &script{closes: []string{"0.5"}}, greedy{})
	b.broker = &away{paper: b.broker.(*paper), refusals: 1 << 30}
	require.ErrorContains(t, b.run(t.Context()), "1 positions and orders could not be closed")
}
