package kit

import (
	"net"
	"net/http"
	"strconv"
	"time"
)

// Fault is what goes wrong with a request. Its fields add up: a delay can
// come before a reset.
type Fault struct {
	// Delay passes, in real time, before anything else happens.
	Delay time.Duration
	// Handled means that the request is carried out first and only its answer
	// is what Status or Reset say: money moved, and the caller cannot know.
	Handled bool
	// Reset closes the connection in place of an answer.
	Reset bool
	// Status is answered in place of the answer. With an empty Body it comes
	// in the service's own error envelope.
	Status int
	// Body replaces the answer's.
	Body []byte
	// Header is added to the answer.
	Header http.Header
	// Truncate closes the connection after that many bytes of the body, of
	// which the answer's length promises all. 0 means the whole body.
	Truncate int
	// Garbage carries the request out and answers its status with bytes that
	// are no JSON.
	Garbage bool
	// After lets that many requests through first.
	After int
	// Times is how many requests are hit. 0 means every one until removed.
	Times int
}

// fault is a Fault in force.
type fault struct {
	Fault
	match   RouteKey
	spent   int
	removed bool
}

// Fault makes the requests of the routes that match covers go wrong. Only
// requests that would otherwise be carried out are hit: what is malformed,
// unauthorised or over a limit is refused as ever. Of several faults the first
// one applies. For the Solana node, Service is RPC and Pattern the method,
// such as "sendTransaction". The result takes the fault back.
func (s *Core) Fault(match RouteKey, f Fault) (remove func()) {
	s.Lock()
	defer s.Unlock()
	active := &fault{Fault: f, match: match}
	s.faults = append(s.faults, active)
	return func() {
		s.Lock()
		defer s.Unlock()
		active.removed = true
	}
}

// FaultFor returns what is to go wrong with a request of a route, and whether
// anything is.
func (s *Core) FaultFor(r RouteKey) (Fault, bool) {
	for _, f := range s.faults {
		if f.removed || !f.match.matches(r) {
			continue
		}
		f.spent++
		if f.spent <= f.After {
			continue
		}
		if f.Times > 0 && f.spent == f.After+f.Times {
			f.removed = true
		}
		return f.Fault, true
	}
	return Fault{}, false
}

// Prevents reports whether the request is not carried out.
func (f Fault) Prevents() bool {
	return !f.Handled && !f.Garbage && (f.Reset || f.Status != 0 || f.Body != nil)
}

// Delay waits and reports false if the caller left meanwhile.
func (s *Core) Delay(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-r.Context().Done():
	case <-s.done:
	}
	return false
}

const garbage = "\x00\xff<html>{\"transaction\": "

// Send writes an answer, or the wreck of one.
func Send(w http.ResponseWriter, status int, body []byte, f Fault) {
	if f.Reset {
		Abort(w)
		return
	}
	if f.Garbage {
		body = []byte(garbage)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if f.Truncate > 0 && f.Truncate < len(body) {
		w.Write(body[:f.Truncate])
		http.NewResponseController(w).Flush()
		Abort(w)
		return
	}
	w.Write(body)
}

// Abort resets the connection, so that the client sees a reset and no end.
func Abort(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}
