package wsconn

import (
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/walletfi/walletfi-go/internal/scripttest"
	"github.com/walletfi/walletfi-go/internal/wsconn/wstest"
)

// service is the server of a Conn in a script. It reads, and answers pings, unless
// the script says otherwise.
type service struct {
	*wstest.Server
	trace  *scripttest.Trace
	before int // handshakes before the script's present Conn

	mu sync.Mutex
	manners
	ws  *websocket.Conn // of the last connection
	key string          // of its handshake
}

// manners are how the service behaves until the Conn is stopped.
type manners struct {
	answers []http.HandlerFunc // to the next handshakes
	mute    bool               // answers no ping
	late    time.Duration      // answers pings so much later
	takes   time.Duration      // for each message
	quiet   bool               // what it reads is not in the trace
	reads   int                // messages of a connection, before it waits for the gate
	gate    chan struct{}      // nil if it waits for nothing
}

func newService(trace *scripttest.Trace) *service {
	s := &service{Server: &wstest.Server{Upgrader: websocket.Upgrader{EnableCompression: true}}, trace: trace}
	s.Script, s.Refuse = s.serve, s.refuse
	return s
}

func (s *service) now() manners {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.manners
}

func (s *service) say(n int, format string, args ...any) {
	s.trace.Say("#"+strconv.Itoa(n-s.before), format, args...) // sorted before the client
}

// refuse answers a handshake as the script said.
func (s *service) refuse(w http.ResponseWriter, r *http.Request, n int) bool {
	s.mu.Lock()
	s.key = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	offers := ""
	if strings.Contains(r.Header.Get("Sec-Websocket-Extensions"), "permessage-deflate") {
		offers = ", offers compression"
	}
	s.say(n, "handshake with %s%s", s.key, offers)
	var answer http.HandlerFunc
	if len(s.answers) > 0 {
		answer, s.answers = s.answers[0], s.answers[1:]
	}
	s.mu.Unlock()
	if answer != nil {
		answer(w, r)
	}
	return answer != nil
}

// serve reads what a connection sends until it is cut.
func (s *service) serve(ws *websocket.Conn, n int) {
	s.mu.Lock()
	s.ws = ws
	s.mu.Unlock()
	pong := ws.PingHandler()
	ws.SetPingHandler(func(payload string) error {
		m := s.now()
		if !m.quiet {
			s.say(n, "ping %s", payload)
		}
		switch {
		case m.late > 0:
			time.AfterFunc(m.late, func() { _ = pong(payload) })
			return nil
		case m.mute:
			return nil
		}
		return pong(payload)
	})
	for read := 0; ; read++ {
		if m := s.now(); m.gate != nil && read == m.reads {
			<-m.gate
		}
		_, message, err := ws.ReadMessage()
		m := s.now()
		if websocket.IsCloseError(err, websocket.CloseNormalClosure) {
			s.say(n, "farewell")
		}
		if err != nil {
			return
		}
		if !m.quiet {
			s.say(n, "takes %s", message)
		}
		time.Sleep(m.takes)
	}
}

// release cuts the connection and forgets the manners.
func (s *service) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ws != nil {
		s.ws.Close()
	}
	if s.gate != nil {
		close(s.gate)
	}
	s.manners = manners{}
}

// play runs an event of the service's, and reports whether it is one.
func (s *service) play(e *scripttest.Event) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e.Name {
	case "answer":
		s.answer(e)
	case "say":
		s.speak(e)
	case "cut":
		s.ws.Close()
	case "close":
		text := e.Text("text", "")
		if e.Has("echo") {
			text = "no more of " + s.key
		}
		frame := websocket.FormatCloseMessage(e.Int("code", websocket.CloseGoingAway), text)
		_ = s.ws.WriteControl(websocket.CloseMessage, frame, time.Now().Add(time.Second))
	case "mute":
		s.mute = true
	case "unmute":
		s.mute = false
	case "late":
		s.late = e.Lasts()
	case "takes":
		s.takes = e.Lasts()
	case "quiet":
		s.quiet = true
	case "stall":
		s.reads, s.gate = e.Int("after", 0), make(chan struct{})
	case "resume":
		close(s.gate)
		s.gate = nil
	default:
		return false
	}
	return true
}

// answer says how the next handshakes end.
func (s *service) answer(e *scripttest.Event) {
	status, after, echo, never := e.Int("status", http.StatusOK), e.Text("retry-after", ""), e.Has("echo"), e.Has("never")
	answer := func(w http.ResponseWriter, r *http.Request) {
		if never {
			conn, _, _ := http.NewResponseController(w).Hijack()
			_, _ = io.Copy(io.Discard, conn)
			conn.Close()
			return
		}
		body := "because"
		if echo {
			credentials := r.Header.Get("Authorization")
			body = "bad key " + strings.TrimPrefix(credentials, "Bearer ") + " in " + credentials
		}
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
	for range e.Int("times", 1) {
		s.answers = append(s.answers, answer)
	}
}

// speak sends a message, bytes or control frames, one or several after the other. It
// does not wait for the client to take them.
func (s *service) speak(e *scripttest.Event) {
	times, every, send := e.Int("times", 1), e.Duration("every", 0), s.sends(e)
	go func() {
		for n := 0; n < times && send(n) == nil; n++ {
			time.Sleep(every)
		}
	}()
}

// sends is how one of what an event speaks of is sent.
func (s *service) sends(e *scripttest.Event) func(n int) error {
	ws := s.ws
	switch {
	case e.Has("ping"):
		return func(int) error { return ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Second)) }
	case e.Has("pong"):
		return func(int) error {
			return ws.WriteControl(websocket.PongMessage, []byte("unasked"), time.Now().Add(time.Second))
		}
	case e.Has("part"):
		w, _ := ws.NextWriter(websocket.TextMessage)
		part := make([]byte, 5000) // a frame
		return func(int) error { _, err := w.Write(part); return err }
	}
	if text := e.Text("bytes", ""); text != "" {
		raw, _ := hex.DecodeString(text)
		return func(n int) error {
			b := byte(0)
			if n < len(raw) {
				b = raw[n]
			}
			_, err := ws.NetConn().Write([]byte{b})
			return err
		}
	}
	message := []byte(e.First())
	if size := e.Int("size", 0); size > 0 || string(message) == "nothing" {
		message = []byte(strings.Repeat(string(message[:1]), size))
	}
	compressed := e.Has("compressed")
	kind := websocket.TextMessage
	if e.Has("binary") {
		kind = websocket.BinaryMessage
	}
	return func(int) error {
		ws.EnableWriteCompression(compressed)
		return ws.WriteMessage(kind, message)
	}
}
