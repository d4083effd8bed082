package predictmeta

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/running"
)

// Books keeps order books up to date: it fetches each, merges the updates of the feed
// into it, and fetches it again after anything that may be missing. Until then the book
// says that it is stale. See [Book].
//
// A book is compared with the feed by the service's timestamps. An update that is older
// than the book that was fetched is left out, and one that is older than the update before
// it is not merged. If the book and the updates contradict each other by that, or a message
// may be about the book and cannot be read, the book is stale until one is fetched that is
// not older than the newest message about it.
//
// A connection that falls silent is believed for two ping intervals (PingInterval in
// [StreamRequest]): as long may a book that is not stale be out of date.
//
// Books is safe for concurrent use.
type Books struct {
	stream *Stream
	group  running.Group

	mu    sync.Mutex
	more  sync.Cond // a book changed, or it is over
	all   []*liveBook
	down  error // why there is no connection
	ended error
}

// Books keeps the order books of some markets on one connection. It checks the request
// and returns at once; all books are stale at first. It ends with ctx or [Books.Close].
//
// GET /ws, upgraded, and GET /api/v1/orderbook/{ticker}.
func (c *Client) Books(ctx context.Context, req BooksRequest) (*Books, error) {
	if err := req.problem(); err != nil {
		return nil, err
	}
	stream, err := c.Stream(ctx, req.stream())
	if err != nil {
		return nil, err
	}
	b := &Books{stream: stream, down: errNotConnected}
	b.more.L = &b.mu
	for _, ticker := range req.Tickers {
		if b.of(ticker) == nil {
			b.all = append(b.all, newLiveBook(ticker, req))
		}
	}
	b.group.Go(b.run)
	return b, nil
}

func (b *Books) of(ticker string) *liveBook {
	i := slices.IndexFunc(b.all, func(l *liveBook) bool { return l.ticker == ticker })
	if i < 0 {
		return nil
	}
	return b.all[i]
}

// Get returns the newest book of a market, and false if it is not one of the request's.
func (b *Books) Get(ticker string) (Book, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.of(ticker)
	if l == nil {
		return Book{}, false
	}
	return l.book(), true
}

// Changes iterates over the books as they change, in their levels or in Stale: first
// over the newest of each that has changed so far. No backlog builds up: a consumer
// that is slow gets the newest book, with the number that it missed. It ends with
// [Books.Close]; any other end is its last element. There may be several iterations.
func (b *Books) Changes() iter.Seq2[Book, error] {
	return func(yield func(Book, error) bool) {
		seen := make([]int, len(b.all))
		for last := -1; ; {
			book, err := b.next(seen, &last)
			if errors.Is(err, ErrStreamClosed) || !yield(book, err) || err != nil {
				return
			}
		}
	}
}

// next waits for a book that changed, the one after the last first.
func (b *Books) next(seen []int, last *int) (Book, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		if b.ended != nil {
			return Book{}, b.ended
		}
		for n := range b.all {
			i := (*last + 1 + n) % len(b.all)
			if l := b.all[i]; l.version > seen[i] {
				book := l.book()
				book.Skipped = l.version - seen[i] - 1
				seen[i], *last = l.version, i
				return book, nil
			}
		}
		b.more.Wait()
	}
}

// Close ends the connection and waits for the goroutines. It returns nil, also when
// called again. The books are stale afterwards.
func (b *Books) Close() error {
	_ = b.stream.Close() // is nil
	b.group.Wait()
	return nil
}

func (b *Books) run() {
	for {
		event, err := b.stream.Recv(context.Background())
		b.mu.Lock()
		if err != nil {
			b.ended, b.down = err, err
		}
		b.take(event)
		b.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// take changes the books that an event is about.
func (b *Books) take(event FeedEvent) {
	switch e := event.(type) {
	case *Connected:
		b.down = nil
	case *Disconnected:
		b.down = e.Err
	}
	told := b.ended != nil
	for _, l := range b.all {
		if b.down != nil && l.retry != nil {
			l.retry()
			l.retry = nil
		}
		changed := b.merge(l, event)
		switch {
		case b.down != nil || l.waits || !l.needsFetch():
		case l.disputed:
			b.fetchLater(l)
		default:
			b.fetch(l)
		}
		told = l.judge(b.down, changed) || told
	}
	if told {
		b.more.Broadcast()
	}
}

// merge changes one book.
func (b *Books) merge(l *liveBook, event FeedEvent) (changed bool) {
	switch e := event.(type) {
	case *Gap, *Disconnected: // the stream fetches the book when it is connected again
		l.distrust(errMissed)
		l.wait()
	case *Dropped:
		if e.Channel == ChannelOrderBook || e.Channel == "" {
			l.saw(e.newest)
			l.distrust(errMissed)
		}
	case *UnknownMessage:
		if b.mayConcern(e, l.ticker) {
			l.saw(b.timeOf(e.Raw))
			l.distrust(errUnreadable)
		}
	case *BookUpdate:
		switch {
		case e.Ticker != l.ticker && (b.of(e.Ticker) != nil || !isName(l.ticker, e.Ticker)):
		case e.Ticker == l.ticker && l.updates.isReadable(e):
			return l.update(e)
		default:
			l.saw(e.Timestamp)
			l.distrust(errUnreadable)
		}
	case *BookRefresh:
		if e.Ticker == l.ticker && l.waits && e.number > l.asked && b.down == nil {
			return b.refreshed(l, e)
		}
	}
	return false
}

// refreshed takes the book that was fetched. If that does not help, it is fetched again
// after a while.
func (b *Books) refreshed(l *liveBook, e *BookRefresh) (changed bool) {
	err := e.Err
	if err == nil && !(arePrices(e.Book.Bids) && arePrices(e.Book.Asks)) {
		err = errUnreadable
		l.saw(e.Book.Timestamp)
	}
	switch {
	case err == nil:
		changed = l.fetched(e.Book)
	case l.why != nil:
		l.why = err
	}
	if l.needsFetch() {
		b.fetchLater(l)
		return changed
	}
	l.settle()
	if !l.disputed {
		l.failures = 0
	}
	return changed
}

// fetchLater asks for a book after a while, which is longer with each failure.
func (b *Books) fetchLater(l *liveBook) {
	l.wait()
	l.asked = b.stream.books.count()
	if l.retry != nil {
		return
	}
	c := b.stream.client.cfg.Clock
	l.retry = clock.AfterFunc(c, clock.Jitter(c, retryBookLeast, retryBookMost, l.failures), func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		l.retry = nil
		if b.down == nil && l.waits {
			b.fetch(l)
		}
	})
	l.failures++
}

// fetch asks for a book.
func (b *Books) fetch(l *liveBook) {
	l.wait()
	l.asked = b.stream.books.again(l.ticker)
}
