package predictmeta

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/dialect"
)

// Channel is a channel of the feed.
type Channel string

// The channels.
const (
	ChannelMarket    Channel = "market"    // delivers PriceUpdate
	ChannelOrderBook Channel = "orderbook" // delivers BookUpdate
	ChannelTrades    Channel = "trades"    // delivers TradeUpdate
)

// Subscription is one channel of one market.
type Subscription struct {
	Channel Channel
	Ticker  string // of the market
}

func (s Subscription) problem() error {
	return check.All(
		check.OneOf("channel", s.Channel, ChannelMarket, ChannelOrderBook, ChannelTrades),
		check.Required("ticker", s.Ticker),
		check.That(utf8.ValidString(s.Ticker), "ticker", "is not valid UTF-8"),
	)
}

// subscriptions has the message that asks for each subscription. It is used only
// under the lock of wsconn.Conn.Update.
type subscriptions struct {
	feed *dialect.Operation
	all  map[Subscription][]byte
}

// add returns the new subscriptions and the messages for them.
func (s *subscriptions) add(wanted []Subscription) (added []Subscription, messages [][]byte) {
	for _, w := range wanted {
		if _, known := s.all[w]; !known {
			s.all[w] = s.message("subscribe", w)
			added, messages = append(added, w), append(messages, s.all[w])
		}
	}
	return added, messages
}

// remove returns the messages that end subscriptions.
func (s *subscriptions) remove(unwanted []Subscription) (messages [][]byte) {
	for _, u := range unwanted {
		if _, known := s.all[u]; known {
			delete(s.all, u)
			messages = append(messages, s.message("unsubscribe", u))
		}
	}
	return messages
}

// sorted returns all subscriptions.
func (s *subscriptions) sorted() []Subscription {
	return slices.SortedFunc(maps.Keys(s.all), func(a, b Subscription) int {
		return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Ticker, b.Ticker))
	})
}

// messages returns the messages for all subscriptions.
func (s *subscriptions) messages() (messages [][]byte) {
	for _, w := range s.sorted() {
		messages = append(messages, s.all[w])
	}
	return messages
}

func (s *subscriptions) message(action string, about Subscription) []byte {
	message, _ := s.live(action, about) // problem saw that it can be said
	return message
}

// problem says that the deployment's words do not fit a message of this package.
func (s *subscriptions) problem() error {
	_, err := s.live("subscribe", Subscription{ChannelMarket, "ticker"})
	return err
}

func (s *subscriptions) live(action string, about Subscription) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(struct { // cannot fail for three strings
		Action  string  `json:"action"`
		Channel Channel `json:"channel"`
		Ticker  string  `json:"ticker"`
	}{action, about.Channel, about.Ticker})
	return s.feed.Tell(bytes.TrimSpace(b.Bytes()))
}
