package rpcnode

import (
	"math"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/ratelimit"
)

var (
	_ walletfi.SendBudget = (*Client)(nil)
	_ walletfi.SendBudget = (*Pool)(nil)
)

// leastSends is the part of a limit that is counted on for sends, however much is read.
const leastSends = 0.2

// SendRate returns how many transactions a second the node can be sent, next to what was read of
// it lately: by the Limiter's budgets, and by the node's own words if it has had too many
// requests. It is 0 if neither says.
func (c *Client) SendRate() float64 { return c.wire.sendRate() }

func (w *wire) sendRate() float64 {
	limits, _ := w.limit.(interface{ Usage() []ratelimit.Usage })
	most := math.Inf(1)
	if limits != nil {
		for _, u := range limits.Usage() {
			most = min(most, float64(u.Requests)/u.Per.Seconds())
		}
	}
	w.held.mu.Lock()
	if w.held.space > 0 {
		most = min(most, 1/w.held.space.Seconds())
	}
	w.held.mu.Unlock()
	if math.IsInf(most, 1) {
		return 0
	}
	left := max(most-w.reads.rate(clock.Now(w.clock)), leastSends*most)
	return left / float64(max(1, w.costs["sendTransaction"]))
}

// meter is a rate that forgets.
type meter struct {
	mu sync.Mutex
	at time.Time
	a  float64 // a second, at that time
}

const meterLife = 10 * time.Second

func (m *meter) add(now time.Time, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.a, m.at = m.faded(now)+float64(n)/meterLife.Seconds(), now
}

func (m *meter) rate(now time.Time) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.faded(now)
}

// faded is the rate by now. The lock is held.
func (m *meter) faded(now time.Time) float64 {
	return m.a * math.Exp(-max(0, now.Sub(m.at)).Seconds()/meterLife.Seconds())
}

// SendRate returns how many transactions a second the nodes can be sent together, 0 if that is
// not known of one: see Client.SendRate.
func (p *Pool) SendRate() float64 {
	sum := 0.0
	for _, n := range p.cfg.Nodes {
		rate := n.SendRate()
		if rate == 0 {
			return 0
		}
		sum += rate
	}
	return sum / float64(min(p.cfg.SendTo, len(p.cfg.Nodes)))
}
