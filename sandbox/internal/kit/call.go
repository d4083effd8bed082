package kit

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Call is a request whose route was found.
type Call struct {
	*Core
	Service    *Spec
	Route      *Route
	Request    *http.Request
	body       []byte
	parameters map[string]string // of the path
	Host       string            // name of the listener, empty for the main one
	Credential string            // key or token, empty if none was sent
	RequestID  string            // unique
	Limit      *LimitState       // of the tightest budget that the request counted against
}

// Failure is an error answer. If Code is empty, it follows from Status.
type Failure struct {
	Status  int
	Code    string
	Message string
	Details any
	Header  http.Header
}

// Error is the message.
func (f *Failure) Error() string { return f.Message }

// Refuse returns a Failure. Handlers return it to refuse a request.
func Refuse(status int, code, format string, args ...any) error {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return &Failure{Status: status, Code: code, Message: format}
}

// Reply is an answer with a status, headers or raw bytes of its own. Any other
// value that a handler returns is sent as JSON with status 200.
type Reply struct {
	Status int // 0 means 200
	Header http.Header
	Body   any    // marshalled if Raw is nil
	Raw    []byte // sent as it is
}

func (r Reply) bytes() []byte {
	if r.Raw != nil {
		return r.Raw
	}
	b, err := json.Marshal(r.Body)
	if err != nil {
		return []byte(`{"error":"the sandbox could not write its answer"}`)
	}
	return b
}

// Violation is a request that no correct client sends: an unknown parameter or
// field, a wrong type, something required that is missing, an unexpected body,
// a malformed, missing, doubled or needless credential, an unknown path or
// method. A wrong key, a rate limit and everything that depends on a service's
// state are errors, but not violations.
type Violation struct {
	Service Service
	Route   string // method and pattern, or method and path if no route was found
	Problem string
}

// String returns the violation on one line.
func (v Violation) String() string {
	return fmt.Sprintf("%s %s: %s", v.Service, v.Route, v.Problem)
}

// Violations returns the violations so far, in order.
func (s *Core) Violations() []Violation {
	s.Lock()
	defer s.Unlock()
	return append([]Violation(nil), s.violations...)
}

// TakeViolations returns the violations so far and forgets them. It takes the
// lock itself.
func (s *Core) TakeViolations() []Violation {
	s.Lock()
	defer s.Unlock()
	taken := s.violations
	s.violations = nil
	return taken
}

// Report records a violation.
func (s *Core) Report(v Violation) { s.violations = append(s.violations, v) }

// Violate records a violation by the request.
func (c *Call) Violate(problem string) {
	name := c.Request.Method + " " + c.Request.URL.Path
	if c.Route != nil {
		name = c.Route.Method + " " + c.Service.path(c.Route)
	}
	c.Report(Violation{c.Service.Name, name, problem})
}

// Malformed records problems of a request's form that only the handler can see. It
// returns the refusal, or nil if there are no problems.
func (c *Call) Malformed(problems ...string) error {
	for _, p := range problems {
		c.Violate(p)
	}
	if len(problems) == 0 {
		return nil
	}
	return Refuse(http.StatusBadRequest, "", "%s", problems[0])
}

// Shape picks one of n shapes of an answer whose shape is not documented: from
// 0 to n-1, in turn for each route, or as Config.Shape says.
func (c *Call) Shape(n int) int { return c.Turn(c.Service.public(c.Route).String(), n) }

// Drifts reports whether the answer deviates from its documented types: in turn,
// if Config.Drift says that answers do.
func (c *Call) Drifts() bool { return c.Config.Drift && c.Shape(2) == 1 }

// Turn picks one of n, in turn for each key, or as Config.Shape says.
func (s *Core) Turn(key string, n int) int {
	if s.Config.Shape > 0 {
		return (s.Config.Shape - 1) % n
	}
	at := s.turns[key]
	s.turns[key]++
	return at % n
}

// WaitUntil waits until done returns true, for at most timeout by the sandbox's
// clock, and returns the last result of done. It releases the lock while it
// waits, so other requests are served.
func (c *Call) WaitUntil(timeout time.Duration, done func() bool) bool {
	deadline := c.Now().Add(timeout)
	for !done() {
		if !c.Now().Before(deadline) {
			return false
		}
		if !c.pause(5 * time.Millisecond) {
			return done()
		}
	}
	return true
}

// pause releases the lock for d of real time. It returns false if the caller
// disconnected or the sandbox is closing.
func (c *Call) pause(d time.Duration) bool {
	c.Unlock()
	defer c.Lock()
	select {
	case <-time.After(d):
		return true
	case <-c.Request.Context().Done():
	case <-c.done:
	}
	return false
}
