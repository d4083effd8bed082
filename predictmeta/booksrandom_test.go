package predictmeta

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// market is the true book, which is never crossed, and the feed that tells of it.
type market struct {
	*rand.Rand
	sides [2]map[int]uint64 // by cents: bids below 50, asks above
	at    time.Time
	sent  []*BookUpdate
}

func (m *market) now() walletfi.Time { return walletfi.Time{Time: m.at} }

func cents(n int, quantity uint64) Level {
	return Level{walletfi.MustDecimal(fmt.Sprintf("0.%02d", n)), quantity}
}

// change changes some levels, and returns the update that says so.
func (m *market) change() *BookUpdate {
	m.at = m.at.Add(time.Duration(1+m.IntN(900)) * time.Millisecond)
	var told [2][]Level
	for side := range 2 {
		told[side] = []Level{}
		for range m.IntN(4) {
			price, quantity := 1+m.IntN(48)+50*side, uint64(m.IntN(5))
			if slices.ContainsFunc(told[side], func(l Level) bool { return byPrice(l, cents(price, 0)) == 0 }) {
				continue
			}
			m.sides[side][price] = quantity
			told[side] = append(told[side], cents(price, quantity))
		}
	}
	u := &BookUpdate{Ticker: "A", Bids: told[0], Asks: told[1], Timestamp: m.now()}
	m.sent = append(m.sent, u)
	return u
}

func (m *market) levels(side int) []Level {
	var all []Level
	for price, quantity := range m.sides[side] {
		all = append(all, cents(price, quantity))
	}
	return all
}

// TestBooksOverRandomMessages: a book that is not stale is the market's and is not crossed, and
// after whatever may have been missed it is stale until it is fetched again, which is asked for.
func TestBooksOverRandomMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		messages, fresh, fetched := 0, 0, 0
		for seed := range uint64(60) {
			m := &market{Rand: rand.New(rand.NewPCG(seed, 7)), sides: [2]map[int]uint64{{}, {}}, at: time.Unix(1_767_225_600, 0).UTC()}
			refresher := &bookRefresher{isRunning: true} // none is fetched but here
			b := &Books{stream: &Stream{client: &Client{}, books: refresher}, down: errNotConnected}
			b.more.L = &b.mu
			l := newLiveBook("A", BooksRequest{Updates: UpdatesChange, Depth: new(1000)})
			b.all = []*liveBook{l}
			take := func(event FeedEvent) { b.mu.Lock(); b.take(event); b.mu.Unlock() }
			refresh := func() {
				refresher.mu.Lock()
				refresher.begun++
				refresher.due = nil
				number := refresher.begun
				refresher.mu.Unlock()
				fetched++
				take(&BookRefresh{"A", &BookSnapshot{Ticker: "A", Timestamp: m.now(), Bids: m.levels(0), Asks: m.levels(1)}, nil, number})
			}
			holds := func(isMissing bool, what string) {
				book, _ := b.Get("A")
				if book.Stale != nil {
					b.mu.Lock()
					isAsked := l.waits || b.down != nil || !l.needsFetch()
					b.mu.Unlock()
					require.True(t, isAsked, "seed %d: %s: stale, and not fetched: %v", seed, what, book.Stale)
					return
				}
				fresh++
				require.False(t, isMissing, "seed %d: %s: believed", seed, what)
				want := NewOrderBook("A", m.at, m.levels(0), m.levels(1))
				require.True(t, areSame(want.bids, book.bids) && areSame(want.asks, book.asks), "seed %d: %s: not the market's", seed, what)
				bid, hasBid := book.BestBid()
				ask, hasAsk := book.BestAsk()
				require.False(t, hasBid && hasAsk && byPrice(bid, ask) >= 0, "seed %d: crossed", seed)
			}
			take(&Connected{})
			isMissing := true
			for range 400 {
				messages++
				what := m.IntN(20)
				switch {
				case what < 12:
					take(m.change())
				case what == 12: // lost, and said
					m.change()
					take(&Dropped{Channel: ChannelOrderBook, Count: 1})
					isMissing = true
				case what == 13: // lost with the connection
					take(&Disconnected{Err: errNotConnected})
					m.change()
					take(&Gap{})
					take(&Connected{})
					isMissing = true
				case what == 14:
					m.change()
					take(&UnknownMessage{Type: typeBook, Err: errUnreadable})
					isMissing = true
				case what == 15 && len(m.sent) > 1: // late
					take(m.sent[m.IntN(len(m.sent)-1)])
				case what == 16: // it crosses
					take(&BookUpdate{Ticker: "A", Bids: []Level{cents(99, 1)}, Asks: []Level{cents(98, 1)}, Timestamp: m.now()})
					isMissing = true
				default:
					time.Sleep(time.Duration(m.IntN(120)) * time.Second) // of which some are retries
					synctest.Wait()
					refresh()
					isMissing = false
				}
				holds(isMissing, fmt.Sprint(what))
			}
			for range 5 {
				time.Sleep(10 * time.Minute)
				synctest.Wait()
				refresh()
				take(m.change())
			}
			book, _ := b.Get("A")
			require.NoError(t, book.Stale, "seed %d: it recovers", seed)
			holds(false, "the end")
			b.mu.Lock()
			if l.retry != nil {
				l.retry()
			}
			b.mu.Unlock()
		}
		require.Greater(t, fresh, 1000)
		t.Logf("messages=%d fresh=%d fetched=%d", messages, fresh, fetched)
	})
}

// TestBooksOfDroppedUpdates: a book that is older than an update that was discarded lacks it.
func TestBooksOfDroppedUpdates(t *testing.T) {
	at := func(second int64) walletfi.Time { return walletfi.Time{Time: time.Unix(1_767_225_600+second, 0)} }
	var lost lostEvents
	lost.add(&BookUpdate{Ticker: "A", Timestamp: at(20)})
	lost.add(&PriceUpdate{Ticker: "A", Timestamp: at(99)})
	dropped := []FeedEvent{lost.next(linkUp), lost.next(linkUp)}
	for fetched, isFresh := range map[int64]bool{19: false, 20: true, 21: true} {
		b := &Books{stream: &Stream{client: &Client{}, books: &bookRefresher{isRunning: true}}}
		b.more.L = &b.mu
		l := newLiveBook("A", BooksRequest{Updates: UpdatesChange})
		b.all = []*liveBook{l}
		l.fetched(&BookSnapshot{Ticker: "A", Timestamp: at(10)})
		for _, event := range dropped {
			b.take(event)
		}
		require.ErrorIs(t, l.stale, errMissed)
		require.Equal(t, isFresh, l.fetched(&BookSnapshot{Ticker: "A", Timestamp: at(fetched), Bids: []Level{cents(50, 1)}}))
		require.Equal(t, isFresh, l.why == nil, fetched)
	}
}
