package predictmeta

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
)

// feedLag reports to the observer how far the consumer is from the newest event.
type feedLag struct {
	observer observe.Observer
	began    time.Time
	told     atomic.Int64 // when, since the beginning
}

// put queues events, and reports those that had to make room.
func (s *Stream) put(events ...queued) {
	if s.lag.observer == nil {
		s.queue.put(events...)
		return
	}
	at := time.Since(s.lag.began)
	for i := range events {
		events[i].at = at
	}
	if n := s.queue.put(events...); n > 0 {
		observing.Tell(context.Background(), s.lag.observer, observe.FeedDropped{Service: "predictmeta", Events: n})
	}
}

// tell is called after an event was taken. It speaks once a second.
func (l *feedLag) tell(ctx context.Context, q *feedQueue) {
	now := time.Since(l.began)
	last := l.told.Load()
	if last != 0 && now-time.Duration(last) < time.Second || !l.told.CompareAndSwap(last, max(1, int64(now))) {
		return
	}
	waiting, since := q.lag()
	observing.Tell(ctx, l.observer, observe.FeedLag{Service: "predictmeta", Events: waiting, Oldest: max(0, now-since)})
}
