package predictmeta

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/walletfi/walletfi-go/internal/check"
)

// SlowPolicy says what happens to messages that the consumer does not receive as
// fast as they come. The connection never waits for the consumer: it carries all
// channels and the answers to pings, so that waiting would hold up the others too.
type SlowPolicy string

// The policies. Under both, messages that do not fit into the queue are discarded,
// oldest first, and a [Dropped] for each channel comes in their place. To keep one
// channel's messages from being discarded because of another's, use a [Stream] with
// a queue of its own.
const (
	// DropOldest keeps every message that fits.
	DropOldest SlowPolicy = "drop"
	// KeepLatest keeps the newest price, the newest order book and the newest
	// trade of each ticker, and counts the others in Skipped.
	KeepLatest SlowPolicy = "latest"
)

// slowPolicies are the policies of all channels.
type slowPolicies struct{ market, orderBook, trades SlowPolicy }

// of returns the policy of a channel.
func (p slowPolicies) of(channel Channel) SlowPolicy {
	switch channel {
	case ChannelMarket:
		return p.market
	case ChannelOrderBook:
		return p.orderBook
	case ChannelTrades:
		return p.trades
	}
	return DropOldest
}

// slow returns the policies that the request asks for.
func (r StreamRequest) slow() slowPolicies {
	of := func(channel Channel) SlowPolicy { return cmp.Or(r.SlowChannels[channel], r.Slow, DropOldest) }
	return slowPolicies{of(ChannelMarket), of(ChannelOrderBook), of(ChannelTrades)}
}

func (r StreamRequest) slowProblem() error {
	for _, channel := range slices.Sorted(maps.Keys(r.SlowChannels)) {
		field := fmt.Sprintf("slowChannels[%q]", channel)
		err := check.All(
			check.That(slices.Contains([]Channel{ChannelMarket, ChannelOrderBook, ChannelTrades}, channel), field,
				"is not a channel"),
			check.OptionalOneOf(field, r.SlowChannels[channel], DropOldest, KeepLatest),
		)
		if err != nil {
			return err
		}
	}
	return nil
}
