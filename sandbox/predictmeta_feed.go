package sandbox

import (
	"encoding/json"
	"reflect"
	"slices"
	"time"
)

// predictMetaTopic is what a connection subscribes to.
type predictMetaTopic struct {
	channel string
	market  *predictMetaMarket
}

// predictMetaCommand is what a client may send.
type predictMetaCommand struct {
	Action  string `body:"action,required" oneof:"subscribe unsubscribe"`
	Channel string `body:"channel,required" oneof:"market orderbook trades"`
	Ticker  string `body:"ticker,required"`
}

// command carries out what a client sent. What is malformed is a violation; a
// market that does not exist is an error.
func (p *predictMeta) command(conn *feedConn, message json.RawMessage) {
	var in predictMetaCommand
	if problems := readJSON(message, reflect.ValueOf(&in).Elem(), ""); len(problems) > 0 {
		for _, problem := range problems {
			p.violations = append(p.violations, Violation{PredictMeta, "GET " + p.feed.path, problem})
		}
		p.complain(conn, problems[0])
		return
	}
	m, ok := p.byTicker[in.Ticker]
	if !ok {
		p.complain(conn, "market "+in.Ticker+" does not exist")
		return
	}
	topic := predictMetaTopic{in.Channel, m}
	topics := slices.DeleteFunc(p.wanted[conn], func(t predictMetaTopic) bool { return t == topic })
	if in.Action == "subscribe" {
		topics = append(topics, topic)
	}
	p.wanted[conn] = topics
	p.plan()
	// Acknowledgements are not documented: there is none, or one.
	if p.turn("predictmeta acknowledgements", 2) == 1 {
		conn.push(map[string]string{"type": in.Action + "d", "channel": in.Channel, "ticker": in.Ticker})
	}
}

// complain tells a client of its mistake in one of two shapes, since none is
// documented.
func (p *predictMeta) complain(conn *feedConn, problem string) {
	if p.turn("predictmeta complaints", 2) == 0 {
		conn.push(map[string]string{"type": "error", "message": problem})
		return
	}
	conn.push(map[string]any{"error": map[string]any{"code": 400, "message": problem}})
}

// forget drops what a connection wanted.
func (p *predictMeta) forget(conn *feedConn) { delete(p.wanted, conn) }

// plan sees to it that the next second's messages are pushed, if anybody wants
// any.
func (p *predictMeta) plan() {
	if !p.ticking && p.subscribed() {
		p.ticking = true
		p.tickAt(p.second() + 1)
	}
}

func (p *predictMeta) subscribed() bool {
	for _, topics := range p.wanted {
		if len(topics) > 0 {
			return true
		}
	}
	return false
}

// tickAt pushes a second's messages when it comes. No second is left out,
// however late the clock's event is: the tape has a trade in it, maybe.
func (p *predictMeta) tickAt(second int64) {
	p.at(time.Unix(second, 0).UTC(), func() {
		if !p.subscribed() {
			p.ticking = false
			return
		}
		p.pushSecond(second)
		p.tickAt(second + 1)
	})
}

// pushSecond pushes a second's messages: to each connection in the order in
// which it subscribed.
func (p *predictMeta) pushSecond(second int64) {
	messages := map[predictMetaTopic][]byte{}
	for _, conn := range p.feed.conns {
		for _, topic := range p.wanted[conn] {
			message, made := messages[topic]
			if !made {
				message = topic.message(second)
				messages[topic] = message
			}
			if message != nil {
				conn.pushRaw(message)
			}
		}
	}
}

type predictMetaPriceUpdate struct {
	Type      string           `json:"type"`
	Ticker    string           `json:"ticker"`
	YesPrice  predictMetaPrice `json:"yes_price"`
	NoPrice   predictMetaPrice `json:"no_price"`
	Timestamp string           `json:"timestamp"`
}

type predictMetaBookUpdate struct {
	Type      string             `json:"type"`
	Ticker    string             `json:"ticker"`
	Bids      []predictMetaLevel `json:"bids"`
	Asks      []predictMetaLevel `json:"asks"`
	Timestamp string             `json:"timestamp"`
}

type predictMetaTradeUpdate struct {
	Type      string           `json:"type"`
	Ticker    string           `json:"ticker"`
	Price     predictMetaPrice `json:"price"`
	Quantity  int64            `json:"quantity"`
	Side      string           `json:"side"`
	Timestamp string           `json:"timestamp"`
}

// message is what a topic has to say of a second, nil for nothing: a price that
// changed, the book while there is one and once more when it is gone, a trade.
func (t predictMetaTopic) message(second int64) []byte {
	m, stamp := t.market, predictMetaStamp(second)
	switch t.channel {
	case "market":
		if yes := m.yesPrice(second); yes != m.yesPrice(second-1) {
			return mustJSON(predictMetaPriceUpdate{"price_update", m.ticker, yes, 100 - yes, stamp})
		}
	case "orderbook":
		if m.live(second) || m.live(second-1) {
			b := m.book(second, predictMetaDepth)
			return mustJSON(predictMetaBookUpdate{"orderbook_update", m.ticker, b.Bids, b.Asks, stamp})
		}
	case "trades":
		if trade, ok := m.tradeAt(second); ok {
			return mustJSON(predictMetaTradeUpdate{"trade", m.ticker, trade.price, trade.quantity, trade.side(), stamp})
		}
	}
	return nil
}

// FeedSubscription is something that a WebSocket connection is subscribed to.
type FeedSubscription struct {
	Connection int    // as in FeedMessage
	Channel    string // "market", "orderbook" or "trades"
	Ticker     string
}

// FeedSubscriptions returns what the connections that are up are subscribed
// to, by connection, each in the order in which it subscribed.
func (s *Sandbox) FeedSubscriptions() []FeedSubscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []FeedSubscription
	p := s.predictMeta
	for _, conn := range p.feed.conns {
		for _, topic := range p.wanted[conn] {
			all = append(all, FeedSubscription{conn.number, topic.channel, topic.market.ticker})
		}
	}
	return all
}
