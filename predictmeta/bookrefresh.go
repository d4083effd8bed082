package predictmeta

import (
	"context"
	"sync"
)

// bookRefresher fetches order books one after the other, in a goroutine that
// ends when no more are due.
type bookRefresher struct {
	stream  *Stream
	ctx     context.Context
	request OrderBookRequest

	mu      sync.Mutex
	due     []Subscription
	round   int // number of the gap that made them due
	running bool
}

// start makes the books of all subscriptions due, also those that an earlier gap
// made due or that are being fetched.
func (r *bookRefresher) start() {
	if r == nil {
		return
	}
	wanted := r.stream.Subscriptions()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.due, r.round = r.due[:0], r.round+1
	for _, w := range wanted {
		if w.Channel == ChannelOrderBook {
			r.due = append(r.due, w)
		}
	}
	if !r.running && len(r.due) > 0 {
		r.running = true
		r.stream.group.Go(r.run)
	}
}

func (r *bookRefresher) run() {
	for {
		next, round, ok := r.next()
		if !ok {
			return
		}
		if !r.stream.wants(next) {
			continue
		}
		book, err := r.stream.client.GetOrderBook(r.ctx, next.Ticker, r.request)
		if r.ctx.Err() == nil && r.current(round) && r.stream.wants(next) {
			r.stream.queue.put(made(&BookRefresh{next.Ticker, book, err}, book.size()))
		}
	}
}

// next returns the book to fetch now. If there is none, the goroutine ends.
func (r *bookRefresher) next() (next Subscription, round int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.due) == 0 || r.ctx.Err() != nil {
		r.running = false
		return Subscription{}, 0, false
	}
	next, r.due = r.due[0], r.due[1:]
	return next, r.round, true
}

// current reports whether no later gap has begun: a book that was requested
// before a gap may be older than the gap.
func (r *bookRefresher) current(round int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.round == round
}

// wants reports whether s still has a subscription.
func (s *Stream) wants(about Subscription) (wanted bool) {
	s.conn.Update(func() [][]byte {
		_, wanted = s.wanted.all[about]
		return nil
	})
	return wanted
}

// size is how many bytes a book counts for in the queue: about as many as its
// message would have.
func (s *BookSnapshot) size() int {
	const level = 32
	if s == nil {
		return 0
	}
	return (len(s.Bids) + len(s.Asks)) * level
}
