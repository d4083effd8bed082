package predictmeta

// Subscription is something that a WebSocket connection is subscribed to.
type Subscription struct {
	Connection int    // as in FeedMessage
	Channel    string // "market", "orderbook" or "trades"
	Ticker     string
}

// FeedSubscriptions returns what the connections that are up are subscribed
// to, by connection, each in the order in which it subscribed.
func (p *Service) FeedSubscriptions() []Subscription {
	p.Lock()
	defer p.Unlock()
	var all []Subscription
	for _, conn := range p.feed.Conns {
		for _, topic := range p.wanted[conn] {
			all = append(all, Subscription{conn.Number, topic.channel, topic.market.ticker})
		}
	}
	return all
}
