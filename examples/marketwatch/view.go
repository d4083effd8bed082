package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// view is the content of the screen.
type view struct {
	market    *predictmeta.Market
	yes, no   walletfi.Decimal
	book      *predictmeta.OrderBook
	trades    []predictmeta.TradeUpdate // newest first
	lastFound walletfi.Time             // of the trades read before the feed started
	state     string                    // of the feed
	note      string                    // what was last missing, empty for nothing
}

// take updates the view with an event of the feed.
func (v *view) take(event predictmeta.FeedEvent) {
	switch e := event.(type) {
	case *predictmeta.PriceUpdate:
		v.yes, v.no = e.YesPrice, e.NoPrice
	case *predictmeta.BookUpdate:
		v.show(e.OrderBook())
	case *predictmeta.TradeUpdate:
		v.traded(e)
	case *predictmeta.Connected:
		v.state = "live"
	case *predictmeta.Disconnected:
		v.offline(e.Err, e.RetryIn)
	case *predictmeta.RetryFailed:
		v.offline(e.Err, e.RetryIn)
	case *predictmeta.Gap:
		v.note = fmt.Sprintf("%v may be missing", e.To.Sub(e.From).Round(time.Millisecond))
	case *predictmeta.Dropped:
		v.note = fmt.Sprintf("too slow: %d messages left out", e.Count)
	case *predictmeta.UnknownMessage:
		if e.Err != nil {
			v.note = fmt.Sprintf("a message could not be read: %v", e.Err)
		}
	case *predictmeta.BookRefresh:
		if e.Err != nil {
			v.note = fmt.Sprintf("no order book: %v", e.Err)
			return
		}
		v.show(e.Book.OrderBook())
	}
}

// offline says that what is shown is stale.
func (v *view) offline(why error, retryIn time.Duration) {
	v.state = fmt.Sprintf("no connection (%v), next attempt in %v", why, retryIn.Round(time.Millisecond))
}

// show replaces the book by a newer one. Books are not merged: the feed does
// not say that it sends differences.
func (v *view) show(book *predictmeta.OrderBook) {
	if !book.Timestamp().Before(v.book.Timestamp()) {
		v.book = book
	}
}

// traded adds a trade, unless it was read at the start. A trade of the feed has
// no id, so its time decides.
func (v *view) traded(t *predictmeta.TradeUpdate) {
	if t.Timestamp.After(v.lastFound.Time) {
		v.trades = slices.Insert(v.trades, 0, *t)
		v.trades = v.trades[:min(len(v.trades), depth)]
	}
}

// draw overwrites the previous view.
func (v *view) draw(out io.Writer) error {
	const home, clear = "\x1b[H", "\x1b[2J"
	var b bytes.Buffer
	b.WriteString(clear + home)
	fmt.Fprintf(&b, "%s  %s\n", printable(v.market.Ticker), printable(v.market.Title))
	fmt.Fprintf(&b, "yes %s   no %s   %s\n%s\n", price(v.yes), price(v.no), printable(v.state), printable(v.note))
	v.drawBook(&b)
	b.WriteString("\nlast trades\n")
	for _, t := range v.trades {
		fmt.Fprintf(&b, "%s  %-4s %8d at %s\n", t.Timestamp.UTC().Format(time.TimeOnly),
			printable(string(t.Side)), t.Quantity, price(t.Price))
	}
	_, err := out.Write(b.Bytes()) // in one write, to avoid flicker
	return err
}

func (v *view) drawBook(b *bytes.Buffer) {
	bids, asks := v.book.Bids(), v.book.Asks()
	fmt.Fprintf(b, "%8s  %-6s   %6s  %-8s\n", "quantity", "bid", "ask", "quantity")
	for i := range min(depth, max(len(bids), len(asks))) {
		left, right := strings.Repeat(" ", 16), ""
		if i < len(bids) {
			left = fmt.Sprintf("%8d  %-6s", bids[i].Quantity, price(bids[i].Price))
		}
		if i < len(asks) {
			right = fmt.Sprintf("%6s  %-8d", price(asks[i].Price), asks[i].Quantity)
		}
		fmt.Fprintf(b, "%s   %s\n", left, right)
	}
	mid, ok := v.book.Mid()
	spread, _ := v.book.Spread()
	if ok {
		fmt.Fprintf(b, "mid %s, spread %s\n", price(mid), price(spread))
	}
}

func price(d walletfi.Decimal) string {
	if d.IsZero() {
		return "-"
	}
	return d.String()
}

// printable removes characters that would move the cursor.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}
