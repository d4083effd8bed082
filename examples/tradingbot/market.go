package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// markets is the source on the services: candles of prediction markets and of SOL,
// and a feed that says what happens in between.
type markets struct {
	ctx      context.Context
	clock    walletfi.Clock
	meta     *predictmeta.Client
	tokens   *onchaindata.Client
	feed     *feed
	until    time.Time // the end, zero for none
	chosen   []instrument
	events   map[string]string    // by ticker of the market: a market's own candles are not documented, its event's are
	seen     map[string]time.Time // start of the last candle by instrument
	failures int
}

// history is how far back the first tick reaches.
const history = 24 * time.Hour

// openMarkets chooses the markets that stay open longest, at most so many, and
// subscribes to them. It ends after lasts, 0 for never.
func openMarkets(ctx context.Context, d *deployment, most int, lasts time.Duration) (*markets, error) {
	m := &markets{ctx: ctx, clock: d.clock, events: map[string]string{}, seen: map[string]time.Time{}}
	if lasts > 0 {
		m.until = walletfi.Now(d.clock).Add(lasts)
	}
	var err error
	if m.meta, err = predictmeta.New(predictmeta.Config{
		BaseURL: d.Markets, WebSocketURL: d.Feed, APIKey: d.marketsKey, Options: walletfi.Options{Clock: d.clock},
	}); err != nil {
		return nil, err
	}
	if m.tokens, err = onchaindata.New(onchaindata.Config{
		DemoBaseURL: d.Candles, APIKey: d.candlesKey, Options: walletfi.Options{Clock: d.clock},
	}); err != nil {
		return nil, err
	}
	if err := m.choose(most); err != nil {
		return nil, err
	}
	m.feed, err = openFeed(ctx, m.meta, m.chosen)
	return m, err
}

func (m *markets) instruments() []instrument { return m.chosen }

// choose picks the leading market of the events that close last, and SOL.
func (m *markets) choose(most int) error {
	var open []predictmeta.Event
	for e, err := range m.meta.AllEvents(m.ctx, predictmeta.EventsRequest{Status: "active"}) {
		if err != nil {
			return err
		}
		open = append(open, e)
	}
	slices.SortStableFunc(open, func(a, b predictmeta.Event) int { return b.CloseTime.Compare(a.CloseTime.Time) })
	for _, e := range open[:min(most, len(open))] {
		whole, err := m.meta.GetEvent(m.ctx, e.Ticker, predictmeta.EventRequest{IncludeMarkets: new(true)})
		if err != nil {
			return err
		}
		if len(whole.Markets) == 0 {
			return fmt.Errorf("event %s has no market", e.Ticker)
		}
		leading := whole.Markets[0]
		m.chosen = append(m.chosen, instrument{
			Name:     leading.Ticker,
			Mint:     leading.YesMint,
			Decimals: 6,
			Closes:   e.CloseTime.Time,
		})
		m.events[leading.Ticker] = e.Ticker
	}
	m.chosen = append(m.chosen, instrument{Name: "SOL", Mint: walletfi.NativeMint, Decimals: solDecimals})
	return nil
}

// next waits for the end of the current interval and reads the candles since the last
// tick. What cannot be read now comes with a later tick.
func (m *markets) next() (tick, error) {
	at := walletfi.Now(m.clock).UTC().Truncate(interval).Add(interval)
	if !m.until.IsZero() && at.After(m.until) {
		return tick{}, io.EOF
	}
	if err := walletfi.Sleep(m.ctx, m.clock, at.Sub(walletfi.Now(m.clock))); err != nil {
		return tick{}, err
	}
	t := tick{At: at, Blind: m.feed.blind()}
	for _, i := range m.chosen {
		read := m.eventCandles
		if i.isSOL() {
			read = m.tokenCandles
		}
		since, ok := m.seen[i.Name]
		if !ok {
			since = at.Add(-history - interval)
		}
		candles, err := read(i, since.Add(interval), at)
		if m.ctx.Err() != nil {
			return tick{}, m.ctx.Err()
		}
		if err != nil {
			m.failures++
			continue
		}
		for _, c := range candles {
			if c.Start.After(since) && !c.Start.Add(interval).After(at) && !c.Close.IsZero() {
				t.Candles = append(t.Candles, c)
				m.seen[i.Name] = c.Start
			}
		}
	}
	return t, nil
}

// eventCandles returns the candles of a market by its event, the oldest first.
func (m *markets) eventCandles(i instrument, from, to time.Time) (all []candle, err error) {
	answer, err := m.meta.GetEventCandlesticks(m.ctx, m.events[i.Name], predictmeta.CandlesticksRequest{
		Interval: predictmeta.Interval1h,
		Start:    from,
		End:      to,
	})
	if err != nil {
		return nil, err
	}
	for _, c := range answer.Candlesticks {
		all = append(all, candle{i.Name, c.Timestamp.UTC(), c.Open, c.High, c.Low, c.Close})
	}
	return sorted(all), nil
}

// tokenCandles returns the candles of a token, the oldest first.
func (m *markets) tokenCandles(i instrument, from, to time.Time) (all []candle, err error) {
	request := onchaindata.CandlesRequest{
		Timeframe: onchaindata.TimeframeHour, Aggregate: new(int(interval / time.Hour)),
		Limit: new(int(to.Sub(from)/interval) + 1), Currency: onchaindata.CurrencyUSD,
	}
	answer, err := m.tokens.ListTokenCandles(m.ctx, "solana", i.Mint, request)
	if err != nil {
		return nil, err
	}
	for _, c := range answer.Items {
		all = append(all, candle{i.Name, c.Timestamp.UTC(), c.Open, c.High, c.Low, c.Close})
	}
	return sorted(all), nil
}

func sorted(all []candle) []candle {
	slices.SortFunc(all, func(a, b candle) int { return cmp.Compare(a.Start.Unix(), b.Start.Unix()) })
	return all
}

func (m *markets) close() error {
	if m.feed == nil {
		return nil
	}
	return m.feed.close()
}
