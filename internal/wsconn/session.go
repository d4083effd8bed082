package wsconn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
)

// session is one connection. Its reader runs in Run's goroutine; one more, the
// keeper, writes, pings and watches for signs of life.
type session struct {
	conn  *Conn
	ws    *websocket.Conn
	wire  *wire
	over  chan struct{}         // closed when the reader has ended
	gone  chan struct{}         // closed when a cancelled ctx has ended the connection
	wake  chan struct{}         // notifies the keeper that queue has something
	busy  atomic.Bool           // the handler is at work, nothing is being read
	whole atomic.Uint32         // messages and control frames that came to their end
	cause atomic.Pointer[error] // what made us close the connection, if we did

	queue [][]byte // to be written, under conn.mu

	// The reader's.
	proven       time.Time // everything sent before it has arrived
	announced    bool      // Up was called, the gap before it closed
	early        *Gap      // closed by a message, before the resubscription was taken
	resubscribed bool      // the resubscription had messages

	reached mark          // the reader's
	assumed atomic.Uint64 // reached without an answer, as a mark; the keeper's word
	pings   pings
	seen    uint32 // signs of life until the keeper last looked
}

func newSession(c *Conn, ws *websocket.Conn, w *wire, dialled time.Time) *session {
	s := &session{
		conn: c, ws: ws, wire: w, proven: dialled,
		over: make(chan struct{}), gone: make(chan struct{}), wake: make(chan struct{}, 1),
	}
	ws.SetReadLimit(int64(c.cfg.ReadLimit))
	ws.EnableWriteCompression(false)
	ws.SetPongHandler(s.pong)
	answer := ws.PingHandler()
	ws.SetPingHandler(func(payload string) error {
		s.whole.Add(1)
		return answer(payload)
	})
	return s
}

// serve reads until the connection is lost and returns why.
func (s *session) serve(ctx context.Context) error {
	stop := context.AfterFunc(ctx, s.leave)
	s.extend()
	s.conn.attach(s)
	var keeper sync.WaitGroup
	keeper.Go(s.keep)
	err := s.read()
	if cause := s.cause.Load(); cause != nil {
		err = *cause
	}
	s.conn.detach()
	close(s.over)
	s.wire.Close()
	keeper.Wait()
	if !stop() {
		<-s.gone
	}
	return s.describe(err)
}

func (s *session) read() error {
	c := s.conn
	for {
		_, r, err := s.ws.NextReader()
		if err != nil {
			return err
		}
		if c.buffer, err = readMessage(r, c.buffer[:0], c.cfg.ReadLimit); err != nil {
			return err
		}
		s.busy.Store(true)
		s.whole.Add(1)
		if !s.announced {
			if gap := s.announce(); s.resubscribed {
				s.early = gap
			}
		}
		c.handler.Message(c.buffer)
		if m := mark(s.assumed.Load()); m > s.reached {
			s.reach(m)
		}
		s.busy.Store(false)
	}
}

var errTooLong = errors.New("message too long")

// readMessage appends what r holds to buf. gorilla's own limit counts bytes
// before decompression.
func readMessage(r io.Reader, buf []byte, limit int) ([]byte, error) {
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):min(cap(buf), limit+1)])
		buf = buf[:len(buf)+n]
		switch {
		case len(buf) > limit:
			return buf, errTooLong
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return buf, err
		}
	}
}

// announce closes the gap before this connection, if there was one, and says that
// the connection can be used. It returns the gap, nil if there was none.
func (s *session) announce() *Gap {
	s.announced = true
	gap := s.conn.gap
	if gap != nil {
		s.conn.gap = nil
		gap.To = s.conn.cfg.now()
		s.conn.tellGap(*gap)
	}
	s.conn.handler.Up()
	observing.Tell(s.conn.ctx, s.conn.cfg.Observer, observe.FeedConnected{Service: s.conn.cfg.Service})
	return gap
}

// reach says what the service has taken. The first time, that is the whole
// resubscription: if messages came before it was, what belongs to the last
// subscriptions may be missing until now.
func (s *session) reach(m mark) {
	if m <= s.reached {
		return
	}
	s.reached = m
	if gap := s.early; gap != nil {
		s.early = nil
		s.conn.tellGap(Gap{From: gap.To, To: s.conn.cfg.now(), Reason: gap.Reason})
	}
	s.conn.handler.Reached(m.value())
}

// pong takes the answer to a ping. It comes after everything that the service
// sent before it, and the first one after the resubscription.
func (s *session) pong(payload string) error {
	s.whole.Add(1)
	sent, ok := s.pings.answered(payload)
	if !ok {
		return nil
	}
	s.busy.Store(true)
	defer s.busy.Store(false)
	s.proven = sent.at
	if sent.covers == 0 {
		return nil // it went out amid the resubscription
	}
	if !s.announced {
		s.announce()
	}
	s.reach(sent.covers)
	if s.conn.cfg.ConfirmUpdates && s.pings.due() {
		s.awake() // of what was written since
	}
	return nil
}

// leave ends the connection for a cancelled ctx, with a word of farewell if
// that takes no time.
func (s *session) leave() {
	defer close(s.gone)
	goodbye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	_ = s.ws.WriteControl(websocket.CloseMessage, goodbye, time.Now().Add(5*time.Millisecond))
	s.wire.Close()
}

// fail closes the connection, so that the reader ends, for the first reason
// that is given. After a close frame the reader ends by itself and knows more.
func (s *session) fail(err error) {
	if errors.Is(err, websocket.ErrCloseSent) {
		return
	}
	s.cause.CompareAndSwap(nil, &err)
	s.wire.Close()
}

// describe says why the connection was lost, in a way that can be shown.
func (s *session) describe(err error) error {
	var closed *websocket.CloseError
	network, _ := err.(net.Error) // of the reader itself; a writer's is wrapped
	text := ""
	switch {
	case errors.As(err, &closed) && closed.Code == websocket.CloseAbnormalClosure:
		text = "connection lost"
	case errors.As(err, &closed):
		text = fmt.Sprintf("closed by the service with code %d %q", closed.Code, s.conn.mask.Text(closed.Text))
	case network != nil && network.Timeout():
		text = "no sign of life for " + s.silence().String()
	case errors.Is(err, errTooLong) || errors.Is(err, websocket.ErrReadLimit):
		text = fmt.Sprintf("a message of more than %d bytes", s.conn.cfg.ReadLimit)
	default:
		text = s.conn.showable(err).Error()
	}
	return fmt.Errorf("%w: %s", walletfi.ErrUnavailable, text)
}
