package predictmeta

import (
	"cmp"

	"github.com/walletfi/walletfi-go"
)

// maxPending is how many updates of a book are kept while it is being fetched.
const maxPending = 4096

// liveBook merges what the feed says of one market into its book. It is used under the
// lock of Books.
type liveBook struct {
	ticker  string
	updates BookUpdates
	depth   int
	bookSides
	at       walletfi.Time // of what was taken last
	snapshot walletfi.Time // of the book that was fetched last
	said     walletfi.Time // of the last update since then, also if it was left out
	// feed is the book as the feed has it, while its updates are older than the book
	// that was fetched; nil if none was.
	feed *bookSides

	why     error         // why there is no whole book; nil if there is one
	asked   uint64        // only a fetch with a higher number shows what was asked for
	waits   bool          // for that fetch
	pending []*BookUpdate // since it waits
	newest  walletfi.Time // of the last update since it waits
	before  walletfi.Time // of what came before them
	missed  bool          // pending was full
	lost    walletfi.Time // the time of the last update that it lost

	stale    error
	version  int                   // counts the changes
	disputed bool                  // feed and book contradicted each other, and no update was taken since
	failures int                   // fetches in a row that did not help
	retry    func() (stopped bool) // nil if none is due
}

func newLiveBook(ticker string, r BooksRequest) *liveBook {
	depth := DefaultOrderBookDepth
	if r.Depth != nil {
		depth = *r.Depth
	}
	return &liveBook{
		ticker: ticker, updates: r.Updates, depth: depth,
		bookSides: bookSides{bids: bookSide{direction: -1}, asks: bookSide{direction: +1}},
		why:       errNoSnapshot, waits: true, stale: errNotConnected,
	}
}

// saw notes the time of what is not merged: a book that is fetched has it only if it is not older.
func (l *liveBook) saw(at walletfi.Time) {
	if !at.IsZero() && !isBefore(at, l.said) && !isOlder(at, l.snapshot) {
		l.said = at
	}
}

// distrust says that the book is not whole until it is fetched again, or replaced.
func (l *liveBook) distrust(why error) {
	l.saw(l.newest)
	l.why = why
	l.settle()
}

// dispute is distrust because of an update that does not fit the book.
func (l *liveBook) dispute(why error) {
	l.distrust(why)
	l.disputed = true
}

// endDispute says that the feed goes on from the book.
func (l *liveBook) endDispute() {
	if l.disputed {
		l.disputed, l.failures = false, 0
	}
}

// wait begins to keep the updates that may be newer than the book to come.
func (l *liveBook) wait() {
	if l.waits {
		return
	}
	l.waits, l.before = true, l.said
	if l.said.IsZero() {
		l.before = l.snapshot
	}
}

// settle ends the wait. What was kept is forgotten: a later book would miss what comes
// between.
func (l *liveBook) settle() {
	l.waits, l.pending, l.missed = false, nil, false
	l.newest, l.lost = walletfi.Time{}, walletfi.Time{}
}

// update takes an update that could be read.
func (l *liveBook) update(u *BookUpdate) (changed bool) {
	if l.waits {
		l.hold(u)
	}
	if l.updates == UpdatesChange && l.why != nil && l.why != errBehind {
		return false
	}
	return l.apply(u)
}

// apply takes an update that belongs to the book, if it is in order.
func (l *liveBook) apply(u *BookUpdate) (changed bool) {
	if isBefore(u.Timestamp, l.said) {
		if l.why == nil || l.why == errBehind {
			l.dispute(errOrder)
		}
		return false
	}
	if !u.Timestamp.IsZero() {
		l.said = u.Timestamp
	}
	isLate := isOlder(u.Timestamp, l.snapshot)
	switch {
	case isLate && l.feed == nil:
		l.feed = l.clone()
	case !isLate:
		changed, l.at = l.take(u, l.updates), u.Timestamp
		if l.updates == UpdatesReplace {
			l.why, l.feed = nil, nil
			l.settle()
		}
	}
	if l.feed != nil {
		l.feed.take(u, l.updates)
		l.compare()
	}
	if !isLate && l.why == nil {
		l.feed = nil
		l.endDispute()
	}
	return changed
}

// compare sets the book against the feed's, which began with updates that are older than
// the book that was fetched, although they came later. The book should have those already:
// where the feed's is another one, either the feed has yet to catch up, or the book is not
// as new as it says.
func (l *liveBook) compare() {
	isSame := areSame(l.feed.bids.levels, l.bids.levels) && areSame(l.feed.asks.levels, l.asks.levels)
	switch {
	case isSame && l.why == errBehind:
		l.why = nil
		l.settle()
	case !isSame && l.why == nil:
		l.dispute(errBehind)
	}
}

// hold keeps an update, which may be newer than the book that is being fetched.
func (l *liveBook) hold(u *BookUpdate) {
	l.newest = u.Timestamp
	if l.updates == UpdatesReplace {
		return // the next one has all
	}
	if len(l.pending) == maxPending {
		l.missed, l.lost = true, l.pending[0].Timestamp
		l.pending = l.pending[1:]
	}
	l.pending = append(l.pending, u)
}

// fetched takes a book that was fetched, and what came since it was asked for.
func (l *liveBook) fetched(s *BookSnapshot) (changed bool) {
	if isOlder(s.Timestamp, l.before) || l.missed && !isOlder(l.lost, s.Timestamp) {
		if !l.newest.IsZero() {
			l.said = l.newest // what came before was ahead of the time, if the feed is not there yet
		}
		l.distrust(errMissed)
		return false
	}
	pending := l.pending
	l.settle()
	l.why, l.snapshot, l.at = nil, s.Timestamp, s.Timestamp
	l.said, l.feed = walletfi.Time{}, nil
	most := 0
	if l.updates == UpdatesChange {
		most = l.depth
	}
	changed = l.replace(s.Bids, s.Asks, most)
	for _, u := range pending {
		changed = l.update(u) || changed
	}
	return changed
}

// isCrossed reports whether the best bid is not below the best ask.
func (l *liveBook) isCrossed() bool {
	bid, hasBid := first(l.bids.levels)
	ask, hasAsk := first(l.asks.levels)
	return hasBid && hasAsk && bid.Price.Cmp(ask.Price) >= 0
}

// needsFetch reports whether the book should be fetched again.
func (l *liveBook) needsFetch() bool {
	return l.why != nil || l.isCrossed() || l.bids.isThin() || l.asks.isThin()
}

// judge says whether the book can be traded on. down is why there is no connection.
func (l *liveBook) judge(down error, changed bool) (told bool) {
	stale := cmp.Or(down, l.why)
	switch {
	case stale != nil:
	case l.isCrossed():
		stale = ErrBookCrossed
	case l.bids.isExhausted() || l.asks.isExhausted():
		stale = errExhausted
	}
	if !changed && stale == l.stale {
		return false
	}
	l.stale = stale
	l.version++
	return true
}

// book is a copy for the caller.
func (l *liveBook) book() Book {
	return Book{OrderBook: NewOrderBook(l.ticker, l.at.Time, l.bids.levels, l.asks.levels), Stale: l.stale}
}
