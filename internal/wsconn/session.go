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
)

// session is one connection. Its reader runs in Run's goroutine; one more, the
// keeper, writes, pings and watches for signs of life.
type session struct {
	conn  *Conn
	ws    *websocket.Conn
	wire  *wire
	over  chan struct{}         // closed when the reader has ended
	gone  chan struct{}         // closed when a cancelled ctx has ended the connection
	wake  chan struct{}         // tells the keeper that queue has something
	busy  atomic.Bool           // the handler is at work, nothing is being read
	cause atomic.Pointer[error] // what made us close the connection, if we did

	queue [][]byte // to be written, under conn.mu

	proven    time.Time // everything sent before it has arrived; the reader's
	announced bool      // the gap is closed; the reader's

	pings pings
}

func newSession(c *Conn, ws *websocket.Conn, w *wire, dialled time.Time) *session {
	s := &session{
		conn: c, ws: ws, wire: w, proven: dialled,
		over: make(chan struct{}), gone: make(chan struct{}), wake: make(chan struct{}, 1),
	}
	ws.SetReadLimit(int64(c.cfg.ReadLimit))
	ws.EnableWriteCompression(false)
	ws.SetPongHandler(s.pong)
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
		if !s.announced {
			s.announce()
		}
		c.handler.Message(c.buffer)
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

// announce closes the gap before this connection, if there was one.
func (s *session) announce() {
	s.announced = true
	gap := s.conn.gap
	if gap == nil {
		return
	}
	s.conn.gap = nil
	gap.To = s.conn.cfg.Now()
	s.conn.handler.Gap(*gap)
}

// pong takes the answer to a ping. It comes after everything that the service
// sent before it, and the first one after the resubscription.
func (s *session) pong(payload string) error {
	sent, ok := s.pings.answered(payload)
	if !ok {
		return nil
	}
	s.proven = sent
	if !s.announced {
		s.busy.Store(true)
		s.announce()
		s.busy.Store(false)
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
