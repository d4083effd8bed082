package wsconn

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// A look at the connection every quarter of a ping interval, and a read
// deadline of one and a half after each look that saw a sign of life: a dead
// connection is found after at most one and three quarters, and an answer to
// a ping has at least half an interval to arrive.
const looksPerPing = 4

// silence is how long a connection may bring nothing.
func (s *session) silence() time.Duration { return s.conn.cfg.PingEvery * 3 / 2 }

// keep writes what is queued, pings, and moves the read deadline on while the
// connection shows signs of life. The reader itself never asks for the time.
func (s *session) keep() {
	looks := time.NewTicker(s.conn.cfg.PingEvery / looksPerPing)
	defer looks.Stop()
	s.flush()
	s.ping() // after the resubscription: its answer closes the gap
	seen := s.wire.beats.Load()
	for looksSincePing := 0; ; {
		select {
		case <-s.over:
			return
		case <-s.wake:
			s.flush()
			continue
		case <-looks.C:
		}
		beats := s.wire.beats.Load()
		stalled := beats == seen && s.busy.Load() // by the handler: what the service sends is not read
		if beats != seen || stalled {
			seen = beats
			s.extend()
		}
		// A service that waits for us to read may not read a ping either.
		if looksSincePing++; looksSincePing >= looksPerPing && !stalled {
			looksSincePing = 0
			s.ping()
		}
	}
}

func (s *session) extend() {
	_ = s.wire.SetReadDeadline(time.Now().Add(s.silence()))
}

// enqueue is called under conn.mu.
func (s *session) enqueue(messages [][]byte) {
	s.queue = append(s.queue, messages...)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// flush writes what is queued. A service that does not take a message within
// half a ping interval loses the connection.
func (s *session) flush() {
	s.conn.mu.Lock()
	messages := s.queue
	s.queue = nil
	s.conn.mu.Unlock()
	for _, message := range messages {
		_ = s.ws.SetWriteDeadline(s.writeDeadline())
		if err := s.ws.WriteMessage(websocket.TextMessage, message); err != nil {
			s.fail(fmt.Errorf("write: %w", err))
			return
		}
	}
}

func (s *session) ping() {
	payload := s.pings.next(s.conn.cfg.Now())
	if err := s.ws.WriteControl(websocket.PingMessage, payload, s.writeDeadline()); err != nil {
		s.fail(fmt.Errorf("ping: %w", err))
	}
}

func (s *session) writeDeadline() time.Time { return time.Now().Add(s.conn.cfg.PingEvery / 2) }

// pings remembers when the last pings went out, by the number that they carry.
type pings struct {
	mu   sync.Mutex
	sent [16]time.Time // of ping n at n modulo the length
	last uint64        // number of the last, the first is 1
	done uint64        // number of the last that was answered
}

func (p *pings) next(now time.Time) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	p.sent[p.last%uint64(len(p.sent))] = now
	return strconv.AppendUint(nil, p.last, 10)
}

// answered returns when the ping of that payload went out. False means that it
// is none of ours, too old, or was answered before.
func (p *pings) answered(payload string) (time.Time, bool) {
	n, err := strconv.ParseUint(payload, 10, 64)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil || n <= p.done || n > p.last || p.last-n >= uint64(len(p.sent)) {
		return time.Time{}, false
	}
	p.done = n
	return p.sent[n%uint64(len(p.sent))], true
}
