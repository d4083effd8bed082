package predictmeta

import (
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
)

// lostEvents reports the events that the queue discarded: it keeps all
// that the consumer must know, in bounded memory.
type lostEvents struct {
	messages [len(lostChannels)]int // of each of the lostChannels
	newest   walletfi.Time          // of the book updates among them
	// others are the gaps, joined, and the last word on the connection, in the order
	// of their last events: two at most.
	others []FeedEvent
}

// lostChannels is the order in which Dropped events come. Empty is for what belongs to
// no channel.
var lostChannels = [...]Channel{ChannelMarket, ChannelOrderBook, ChannelTrades, ""}

// add takes the oldest event that is left. It joins gaps: everything between them
// was discarded too.
func (l *lostEvents) add(event FeedEvent) {
	switch e := event.(type) {
	case update:
		l.count(e.channel(), 1+*e.skipped())
		if e.channel() == ChannelOrderBook && !isBefore(e.at(), l.newest) {
			l.newest = e.at()
		}
	case *BookRefresh:
		l.count(ChannelOrderBook, 1)
	case *UnknownMessage:
		l.count("", 1)
	case *Gap:
		l.others = slices.DeleteFunc(l.others, func(other FeedEvent) bool {
			before, ok := other.(*Gap)
			if ok {
				e.From = earlier(e.From, before.From)
			}
			return ok
		})
		l.others = append(l.others, e)
	case *Connected, *Disconnected:
		l.others = slices.DeleteFunc(l.others, func(other FeedEvent) bool { return linkStateOf(other) != linkUnknown })
		l.others = append(l.others, e)
	case *RetryFailed: // Disconnected has said that there is no connection
	}
}

func (l *lostEvents) count(channel Channel, n int) {
	l.messages[slices.Index(lostChannels[:], channel)] += n
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// next returns what to say next, nil if there is nothing. It does not repeat what
// the consumer knows of the connection: if both the loss and the return were
// discarded, the gap says enough.
func (l *lostEvents) next(told linkState) FeedEvent {
	for i, n := range l.messages {
		if n > 0 {
			l.messages[i] = 0
			return &Dropped{Channel: lostChannels[i], Count: n, newest: l.newest}
		}
	}
	for len(l.others) > 0 {
		event := l.others[0]
		l.others = l.others[1:]
		if state := linkStateOf(event); state == linkUnknown || state != told {
			return event
		}
	}
	return nil
}

// linkState is the state of the link, by Connected and Disconnected.
type linkState int

const (
	linkUnknown linkState = iota
	linkUp
	linkDown
)

func linkStateOf(event FeedEvent) linkState {
	switch event.(type) {
	case *Connected:
		return linkUp
	case *Disconnected:
		return linkDown
	}
	return linkUnknown
}
