package predictmeta

import (
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// topic is a subject of a subscription.
type topic struct {
	channel string
	market  *Market
}

// command is a message of a client.
type command struct {
	Action  string `body:"action,required" oneof:"subscribe unsubscribe"`
	Channel string `body:"channel,required" oneof:"market orderbook trades"`
	Ticker  string `body:"ticker,required" open:"a ticker"`
}

// command executes a client's command. A malformed command is a violation; an
// unknown market is only an error.
func (p *Service) command(conn *kit.FeedConn, message json.RawMessage) {
	var in command
	if problems := kit.ReadJSON(message, reflect.ValueOf(&in).Elem(), ""); len(problems) > 0 {
		for _, problem := range problems {
			conn.Violate(play.Violation{Service: play.PredictMeta, Route: "GET " + p.feed.Path, Problem: problem})
		}
		p.complain(conn, problems[0])
		return
	}
	m, ok := p.byTicker[in.Ticker]
	if !ok {
		p.complain(conn, "market "+in.Ticker+" does not exist")
		return
	}
	chosen := topic{in.Channel, m}
	topics := slices.DeleteFunc(p.wanted[conn], func(t topic) bool { return t == chosen })
	if in.Action == "subscribe" {
		topics = append(topics, chosen)
	}
	p.wanted[conn] = topics
	p.plan()
	// Acknowledgements are not documented: there is none, or one.
	if p.Turn("predictmeta acknowledgements", 2) == 1 {
		conn.Push(map[string]string{"type": in.Action + "d", "channel": in.Channel, "ticker": in.Ticker})
	}
}

// complain reports a client's mistake in one of two shapes: the shape is
// undocumented.
func (p *Service) complain(conn *kit.FeedConn, problem string) {
	if p.Turn("predictmeta complaints", 2) == 0 {
		conn.Push(map[string]string{"type": "error", "message": problem})
		return
	}
	conn.Push(map[string]any{"error": map[string]any{"code": 400, "message": problem}})
}

// forget drops the subscriptions of a connection.
func (p *Service) forget(conn *kit.FeedConn) { delete(p.wanted, conn) }

// plan schedules the push of the next second's messages, if there is any
// subscription.
func (p *Service) plan() {
	if !p.Ticking && p.subscribed() {
		p.Ticking = true
		p.tickAt(p.second() + 1)
	}
}

func (p *Service) subscribed() bool {
	for _, topics := range p.wanted {
		if len(topics) > 0 {
			return true
		}
	}
	return false
}

// tickAt pushes a second's messages when it comes. No second is skipped,
// however late the clock's event is: it may have a trade.
func (p *Service) tickAt(second int64) {
	p.At(time.Unix(second, 0).UTC(), kit.Aside(func() {
		if !p.subscribed() {
			p.Ticking = false
			return
		}
		p.pushSecond(second)
		p.tickAt(second + 1)
	}))
}

// pushSecond pushes a second's messages: to each connection in the order in
// which it subscribed.
func (p *Service) pushSecond(second int64) {
	messages := map[topic][]byte{}
	for _, conn := range p.feed.Conns {
		for _, topic := range p.wanted[conn] {
			message, made := messages[topic]
			if !made {
				message = topic.message(second)
				messages[topic] = message
			}
			if message != nil {
				conn.PushRaw(message)
			}
		}
	}
}

type priceUpdate struct {
	Type      string `json:"type"`
	Ticker    string `json:"ticker"`
	YesPrice  price  `json:"yes_price"`
	NoPrice   price  `json:"no_price"`
	Timestamp string `json:"timestamp"`
}

type bookUpdate struct {
	Type      string  `json:"type"`
	Ticker    string  `json:"ticker"`
	Bids      []level `json:"bids"`
	Asks      []level `json:"asks"`
	Timestamp string  `json:"timestamp"`
}

type tradeUpdate struct {
	Type      string `json:"type"`
	Ticker    string `json:"ticker"`
	Price     price  `json:"price"`
	Quantity  int64  `json:"quantity"`
	Side      string `json:"side"`
	Timestamp string `json:"timestamp"`
}

// message returns a topic's message for a second, or nil: a changed price, the
// book while the market is open and once more when it closes, or a trade.
func (t topic) message(second int64) []byte {
	m, stamp := t.market, Stamp(second)
	switch t.channel {
	case "market":
		if yes := m.YesPrice(second); yes != m.YesPrice(second-1) {
			return kit.MustJSON(priceUpdate{"price_update", m.ticker, yes, 100 - yes, stamp})
		}
	case "orderbook":
		if m.Live(second) || m.Live(second-1) {
			b := m.book(second, depth)
			return kit.MustJSON(bookUpdate{"orderbook_update", m.ticker, b.Bids, b.Asks, stamp})
		}
	case "trades":
		if trade, ok := m.tradeAt(second); ok {
			return kit.MustJSON(tradeUpdate{"trade", m.ticker, trade.price, trade.quantity, trade.side(), stamp})
		}
	}
	return nil
}

// FeedSubscriptions returns what the connections that are up are subscribed
// to, by connection, each in the order in which it subscribed.
func (p *Service) FeedSubscriptions() []play.FeedSubscription {
	p.Lock()
	defer p.Unlock()
	var all []play.FeedSubscription
	for _, conn := range p.feed.Conns {
		for _, topic := range p.wanted[conn] {
			all = append(all, play.FeedSubscription{
				Connection: conn.Number, Channel: topic.channel, Ticker: topic.market.ticker,
			})
		}
	}
	return all
}
