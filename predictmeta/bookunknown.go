package predictmeta

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/predictmeta/internal/feedtext"
)

// mayConcern reports whether a message that was not understood may change the book of
// one of the tickers: it is then not known what it says of the book.
func (b *Books) mayConcern(m *UnknownMessage, ticker string) bool {
	switch {
	case m.Type == typePrice || m.Type == typeTrade:
		return false
	case m.Err != nil:
		return m.Type == typeBook || isObject(m.Raw) || isArray(m.Raw)
	case isArray(m.Raw) || names(m.Raw, ticker):
		return true
	case slices.ContainsFunc(b.all, func(l *liveBook) bool { return names(m.Raw, l.ticker) }):
		return false
	}
	// It names no book of ours: it may be about all.
	kind := strings.ToLower(m.Type)
	if strings.Contains(kind, "error") || strings.Contains(kind, "unsubscribe") {
		return true
	}
	members := b.membersOf(m.Raw)
	_, bids := members["bids"]
	_, asks := members["asks"]
	_, another := members["ticker"]
	return (bids || asks) && !another
}

// membersOf returns the members of a message by their documented names.
func (b *Books) membersOf(message walletfi.Document) map[string]walletfi.Document {
	if feed := b.stream.client.feed; feed != nil {
		message, _ = feed.Told(message) // what of it can be
	}
	return membersOf(message)
}

// timeOf returns the time of a message that was not understood, the newest of a list of them,
// as far as it can be read.
func (b *Books) timeOf(message walletfi.Document) (newest walletfi.Time) {
	var all []walletfi.Document
	if json.Unmarshal(message, &all) != nil {
		all = []walletfi.Document{message}
	}
	for _, one := range all {
		var at walletfi.Time
		err := wire.Unmarshal(b.membersOf(one)["timestamp"], &at)
		if err == nil && feedtext.IsOrdinary(at) && !isBefore(at, newest) {
			newest = at
		}
	}
	return newest
}

// names reports whether a ticker is a value anywhere in a message.
func names(message walletfi.Document, ticker string) bool {
	var value any
	return json.Unmarshal(message, &value) == nil && has(value, ticker)
}

func has(value any, ticker string) bool {
	isIt := func(v any) bool { return has(v, ticker) }
	switch v := value.(type) {
	case string:
		return isName(ticker, v)
	case []any:
		return slices.ContainsFunc(v, isIt)
	case map[string]any:
		for name, inner := range v {
			if isName(ticker, name) || isIt(inner) {
				return true
			}
		}
	}
	return false
}

// isName reports whether text is a ticker, perhaps in another case or with space around it.
func isName(ticker, text string) bool { return strings.EqualFold(strings.TrimSpace(text), ticker) }
