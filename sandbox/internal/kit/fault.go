package kit

import (
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Fault describes what goes wrong with a request. Fields combine: a delay can
// precede a reset.
type Fault struct {
	// Delay is a wait, in real time, before anything else happens.
	Delay time.Duration
	// Handled carries the request out before Status or Reset replaces its
	// answer: money moved, and the caller cannot know.
	Handled bool
	// Reset closes the connection instead of answering.
	Reset bool
	// Status replaces the status of the answer. If Body is empty, the body is
	// the service's own error envelope. 429 comes with the headers that the service
	// documents for it, unless Header replaces them.
	Status int
	// Body replaces the body of the answer.
	Body []byte
	// Header is added to the answer.
	Header http.Header
	// Truncate closes the connection after that many bytes of the body,
	// although Content-Length announces the whole body. 0 sends the whole body.
	Truncate int
	// Garbage carries the request out and sends its status with a body that is
	// not JSON.
	Garbage bool
	// After is how many requests succeed before the fault begins.
	After int
	// Times is how many requests are hit. 0 means every request until the fault
	// is removed.
	Times int
}

// fault is an active Fault.
type fault struct {
	Fault
	match   RouteKey
	spent   int
	removed bool
}

// Fault makes requests of the matching routes go wrong. It hits only requests
// that would otherwise be carried out: a malformed, unauthorised or rate-limited
// request is refused as usual. If several faults match, the oldest applies. For
// the Solana node, Service is RPC and Pattern is the method, such as
// "sendTransaction". remove ends the fault.
func (s *Core) Fault(match RouteKey, f Fault) (remove func()) {
	s.Lock()
	defer s.Unlock()
	active := &fault{Fault: f, match: match}
	s.faults = slices.DeleteFunc(s.faults, func(f *fault) bool { return f.removed })
	s.faults = append(s.faults, active)
	return func() {
		s.Lock()
		defer s.Unlock()
		active.removed = true
	}
}

// FaultFor returns the fault that hits the next request of a route, and false
// if no fault does.
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

// Delay waits for d. It returns false if the caller disconnected.
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

// Send writes an answer, truncated or reset if the fault says so.
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

// Abort resets the connection: the client sees a reset, not an EOF.
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
