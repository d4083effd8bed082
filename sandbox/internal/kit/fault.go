package kit

import (
	"context"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// fault is an active Fault.
type fault struct {
	play.Fault
	match   play.Route
	number  int
	spent   int
	removed bool
}

// Fault does what sandbox.Sandbox.Fault says. remove also ends the fault after a snapshot was restored.
func (s *Core) Fault(match play.Route, f play.Fault) (remove func()) {
	s.Lock()
	defer s.Unlock()
	for _, f := range s.faults { // some may be of a snapshot
		s.faulted = max(s.faulted, f.number)
	}
	s.faulted++
	number := s.faulted
	s.faults = slices.DeleteFunc(s.faults, func(f *fault) bool { return f.removed })
	s.faults = append(s.faults, &fault{Fault: f, match: match, number: number})
	return func() {
		s.Lock()
		defer s.Unlock()
		for _, have := range s.faults {
			if have.number == number && have.match == match && reflect.DeepEqual(have.Fault, f) {
				have.removed = true
			}
		}
	}
}

// FaultFor returns the fault that hits the next request of a route by a
// tenant, and false if no fault does.
func (s *Core) FaultFor(r play.Route, tenant string) (play.Fault, bool) {
	for _, f := range s.faults {
		if f.removed || !f.match.Covers(r) || f.Tenant != "" && f.Tenant != tenant {
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
	return play.Fault{}, false
}

// Prevents reports whether a request that f hits is not carried out.
func Prevents(f play.Fault) bool {
	return !f.Handled && !f.Garbage && (f.Reset || f.Status != 0 || f.Body != nil)
}

// Delay waits for d. It returns false if the caller disconnected or the era ended.
func Delay(r *http.Request, era context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-r.Context().Done():
	case <-era.Done():
	}
	return false
}

const garbage = "\x00\xff<html>{\"transaction\": "

// Send writes an answer, wrong, truncated or reset if the fault says so.
func Send(w http.ResponseWriter, status int, body []byte, f play.Fault) {
	if f.Reset {
		Abort(w)
		return
	}
	if f.Garbage {
		body = []byte(garbage)
	}
	if f.Lie != "" && !f.Garbage {
		body = Lied(body, f)
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
	if logged, ok := w.(*exchangeWriter); ok {
		logged.cut()
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}
