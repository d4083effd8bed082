package transport

import (
	"math/rand/v2"
	"sync"
	"time"
)

// backoff is the wait before the repeat after attempt n, counted from 0: what
// the service asked for, else full jitter.
func (x *exchange) backoff(n int) time.Duration {
	if x.decision.waitKnown {
		return x.decision.wait
	}
	ceiling := x.client.minWait
	for range n {
		if ceiling > x.client.maxWait/2 {
			ceiling = x.client.maxWait
			break
		}
		ceiling *= 2
	}
	return rand.N(min(ceiling, x.client.maxWait) + 1)
}

// quota keeps repeats from amplifying an outage: ten to begin with, a tenth of
// one earned by each success.
type quota struct {
	mu     sync.Mutex
	tenths int
}

const (
	fullQuota     = 100
	priceOfRepeat = 10
)

func newQuota() *quota { return &quota{tenths: fullQuota} }

func (q *quota) earn() {
	q.mu.Lock()
	q.tenths = min(fullQuota, q.tenths+1)
	q.mu.Unlock()
}

func (q *quota) spend() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.tenths < priceOfRepeat {
		return false
	}
	q.tenths -= priceOfRepeat
	return true
}
