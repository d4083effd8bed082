package main

import (
	"context"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/predictmeta"
)

// feed listens to the trades of the prediction markets. What it misses makes the bot
// careful: see blind.
type feed struct {
	stream *predictmeta.Stream
	done   chan struct{}

	mu     sync.Mutex
	live   bool
	gapped bool // since the last tick
	trades int
	gaps   int
	last   time.Time // of the newest trade, by the service's clock
}

func openFeed(ctx context.Context, client *predictmeta.Client, instruments []instrument) (*feed, error) {
	var wanted []predictmeta.Subscription
	for _, i := range instruments {
		if !i.isSOL() {
			wanted = append(wanted, predictmeta.Subscription{Channel: predictmeta.ChannelTrades, Ticker: i.Name})
		}
	}
	stream, err := client.Stream(ctx, predictmeta.StreamRequest{Subscriptions: wanted})
	if err != nil {
		return nil, err
	}
	f := &feed{stream: stream, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		for {
			e, err := stream.Recv(ctx)
			if err != nil {
				f.lost()
				return
			}
			f.take(e)
		}
	}()
	return f, nil
}

func (f *feed) take(e predictmeta.FeedEvent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch e := e.(type) {
	case *predictmeta.Connected:
		f.live = true
	case *predictmeta.Disconnected, *predictmeta.RetryFailed:
		f.live, f.gapped = false, true
	case *predictmeta.Gap, *predictmeta.Dropped:
		f.gapped = true
		f.gaps++
	case *predictmeta.TradeUpdate:
		f.trades++
		if e.Timestamp.After(f.last) {
			f.last = e.Timestamp.Time
		}
	}
}

func (f *feed) lost() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.live = false
}

// blind reports whether the feed is down, or missed something since the last tick:
// then nothing is opened. Candles, which are read by requests, have no gaps.
func (f *feed) blind() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	blind := !f.live || f.gapped
	f.gapped = false
	return blind
}

func (f *feed) close() error {
	err := f.stream.Close()
	<-f.done
	return err
}
