package transport

import "sync"

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
