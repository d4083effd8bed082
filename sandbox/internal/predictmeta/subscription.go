package predictmeta

import "github.com/walletfi/walletfi-go/sandbox/play"

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
