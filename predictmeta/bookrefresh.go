package predictmeta

import (
	"context"
	"slices"
	"sync"
)

// bookRefresher fetches order books one after the other, in a goroutine that
// ends when no more are due. Its methods do nothing on nil.
type bookRefresher struct {
	stream    *Stream
	ctx       context.Context
	request   OrderBookRequest
	onNew     bool // fetches the books of new subscriptions too
	mu        sync.Mutex
	new       map[string]uint64 // tickers that the service may not have taken, with the mark that says so
	stale     bool              // all books are due once the service has taken their subscriptions
	due       []string          // tickers
	current   string            // being fetched
	giveUp    context.CancelFunc
	begun     uint64 // fetches
	isRunning bool
}

// subscribed takes new subscriptions. It is called under the lock of
// wsconn.Conn.Update.
func (r *bookRefresher) subscribed(added []Subscription, mark uint64) {
	if r == nil || !r.onNew {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range added {
		if s.Channel == ChannelOrderBook {
			r.new[s.Ticker] = mark
		}
	}
}

// unsubscribed gives up the books of subscriptions that ended: none of them is
// queued after it returns. It is called under the lock of wsconn.Conn.Update.
func (r *bookRefresher) unsubscribed(removed []Subscription) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range removed {
		if s.Channel != ChannelOrderBook {
			continue
		}
		delete(r.new, s.Ticker)
		r.due = slices.DeleteFunc(r.due, func(ticker string) bool { return ticker == s.Ticker })
		if r.giveUp != nil && r.current == s.Ticker {
			r.giveUp()
		}
	}
}

// expire makes all books due as soon as the service has taken their subscriptions.
func (r *bookRefresher) expire() {
	if r == nil {
		return
	}
	r.suspend()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stale = true
}

// suspend gives up what is due or being fetched, since the connection was lost: a
// book that was requested before a gap may be older than the gap, after which it
// is fetched again.
func (r *bookRefresher) suspend() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.due = nil
	if r.giveUp != nil {
		r.giveUp()
	}
}

// reached makes the books due whose subscriptions the service has taken.
func (r *bookRefresher) reached(mark uint64) {
	if r == nil {
		return
	}
	r.stream.conn.Update(func(uint64) [][]byte { // so that none is unsubscribed meanwhile
		r.makeDue(r.stream.wanted.sorted(), mark)
		return nil
	})
}

func (r *bookRefresher) makeDue(wanted []Subscription, mark uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range wanted {
		if s.Channel != ChannelOrderBook {
			continue
		}
		taken, isNew := r.new[s.Ticker]
		if isNew && taken > mark || !isNew && !r.stale {
			continue
		}
		delete(r.new, s.Ticker)
		r.due = append(r.due, s.Ticker)
	}
	r.stale = false
	r.start()
}

// again makes a book due that is not. The fetch that answers it has a higher number than
// the result.
func (r *bookRefresher) again(ticker string) (begun uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.due, ticker) {
		r.due = append(r.due, ticker)
	}
	r.start()
	return r.begun
}

// count returns how many fetches have begun.
func (r *bookRefresher) count() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.begun
}

// start runs the goroutine if it is needed.
func (r *bookRefresher) start() {
	if !r.isRunning && len(r.due) > 0 {
		r.isRunning = true
		r.stream.group.Go(r.run)
	}
}

func (r *bookRefresher) run() {
	for {
		ctx, ticker, ok := r.next()
		if !ok {
			return
		}
		book, err := r.stream.client.GetOrderBook(ctx, ticker, r.request)
		r.deliver(ctx, ticker, book, err)
	}
}

// next returns the book to fetch now. If there is none, the goroutine ends.
func (r *bookRefresher) next() (ctx context.Context, ticker string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.due) == 0 || r.ctx.Err() != nil {
		r.isRunning = false
		return nil, "", false
	}
	r.current, r.due = r.due[0], r.due[1:]
	r.begun++
	ctx, r.giveUp = context.WithCancel(r.ctx)
	return ctx, r.current, true
}

// deliver queues a book unless it was given up.
func (r *bookRefresher) deliver(ctx context.Context, ticker string, book *BookSnapshot, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ctx.Err() == nil {
		r.stream.put(made(&BookRefresh{ticker, book, err, r.begun}, book.size()))
	}
	r.giveUp()
	r.giveUp = nil
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
