package web

import "sync"

// Live carries what happens to the pages that are open.
type Live struct {
	mu        sync.Mutex
	listeners map[string]map[chan Message]bool // by user
}

// Message is an event of a page's event stream.
type Message struct {
	Event string // payment or webhook
	Data  any    // as JSON
}

// NewLive returns one without listeners.
func NewLive() *Live { return &Live{listeners: map[string]map[chan Message]bool{}} }

// Send notifies the open pages of a user. A page that reads too slowly misses
// messages, which say only that there is something new.
func (l *Live) Send(userID string, m Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for listener := range l.listeners[userID] {
		select {
		case listener <- m:
		default:
		}
	}
}

// PaymentChanged notifies the open pages of a user that a payment has changed.
func (l *Live) PaymentChanged(userID, paymentID string) {
	l.Send(userID, Message{"payment", map[string]string{"id": paymentID}})
}

// streams is how many pages of a user may be open.
const streams = 16

// listen returns the messages to a user from now on, until stop is called. ok is false
// if too many pages listen.
func (l *Live) listen(userID string) (messages chan Message, stop func(), ok bool) {
	messages = make(chan Message, 16)
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.listeners[userID]) >= streams {
		return nil, nil, false
	}
	if l.listeners[userID] == nil {
		l.listeners[userID] = map[chan Message]bool{}
	}
	l.listeners[userID][messages] = true
	return messages, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.listeners[userID], messages)
		if len(l.listeners[userID]) == 0 {
			delete(l.listeners, userID)
		}
	}, true
}
