package wsconn

import (
	"fmt"
	"time"

	"github.com/gorilla/websocket"
)

// A look at the connection every quarter of a ping interval, and a read
// deadline of one and a half after each look that saw a sign of life: a dead
// connection is found after at most one and three quarters, and an answer to
// a ping has at least half an interval to arrive.
const looksPerPing = 4

// pingsPerMessage is how many ping intervals one message may take. A service that
// keeps a message open with a byte now and then shows signs of life, but nothing
// can arrive: its answers to pings would come after the message.
const pingsPerMessage = 4

// silence is how long a connection may deliver nothing.
func (s *session) silence() time.Duration { return s.conn.cfg.PingEvery * 3 / 2 }

// keep writes what is queued, pings, and moves the read deadline on while the
// connection shows signs of life. The reader itself never asks for the time.
func (s *session) keep() {
	looks := time.NewTicker(s.conn.cfg.PingEvery / looksPerPing)
	defer looks.Stop()
	s.flush()
	s.ping() // after the resubscription: its answer closes the gap
	before := s.pings.latest()
	whole, looksSinceWhole := s.whole.Load(), 0
	for looksSincePing := 0; ; {
		select {
		case <-s.over:
			return
		case <-s.wake:
			s.flush()
			if s.conn.cfg.ConfirmUpdates && s.pings.due() {
				s.ping()
			}
			continue
		case <-looks.C:
		}
		if now := s.whole.Load(); now != whole || s.busy.Load() {
			whole, looksSinceWhole = now, 0
		} else if looksSinceWhole++; looksSinceWhole > looksPerPing*pingsPerMessage {
			s.fail(fmt.Errorf("no message came to its end within %s", pingsPerMessage*s.conn.cfg.PingEvery))
			return
		}
		stalled := false // by the handler: what the service sends is not read
		if !s.heard() && s.busy.Load() {
			stalled = true
			s.extend()
		}
		// A service that waits for us to read may not read a ping either.
		if looksSincePing++; looksSincePing >= looksPerPing && !stalled {
			looksSincePing = 0
			// Nothing was answered for a whole interval, but messages come: this
			// service answers no pings.
			if m, ok := s.pings.overdue(before); ok {
				s.assumed.Store(uint64(m))
			}
			s.ping()
			before = s.pings.latest()
		}
	}
}

// heard moves the read deadline on if the connection showed a sign of life since
// it was last asked.
func (s *session) heard() bool {
	beats := s.wire.beats.Load()
	if beats == s.seen {
		return false
	}
	s.seen = beats
	s.extend()
	return true
}

func (s *session) extend() {
	_ = s.wire.SetReadDeadline(time.Now().Add(s.silence()))
}

// enqueue is called under conn.mu.
func (s *session) enqueue(messages [][]byte) {
	s.queue = append(s.queue, messages...)
	s.awake()
}

// awake makes the keeper look at its work.
func (s *session) awake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// messagesPerPing is how many messages are written without a ping. A service that
// is slow to take thousands of them shows by its answers that it is alive.
const messagesPerPing = 256

// flush writes what is queued. A service that does not take a message within
// half a ping interval loses the connection.
func (s *session) flush() {
	s.conn.mu.Lock()
	messages, covers := s.queue, markOf(s.conn.mark)
	s.queue = nil
	s.conn.mu.Unlock()
	for i, message := range messages {
		if i%messagesPerPing == messagesPerPing-1 {
			s.ping()
		}
		s.heard()
		_ = s.ws.SetWriteDeadline(s.writeDeadline())
		if err := s.ws.WriteMessage(websocket.TextMessage, message); err != nil {
			s.fail(fmt.Errorf("write: %w", err))
			return
		}
	}
	s.pings.wrote(covers)
}

func (s *session) ping() {
	payload := s.pings.next(s.conn.cfg.now())
	if err := s.ws.WriteControl(websocket.PingMessage, payload, s.writeDeadline()); err != nil {
		s.fail(fmt.Errorf("ping: %w", err))
	}
}

func (s *session) writeDeadline() time.Time { return time.Now().Add(s.conn.cfg.PingEvery / 2) }
