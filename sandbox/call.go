package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// call is one request that found its route. It has everything that the
// sandbox has.
type call struct {
	*Sandbox
	service    *service
	route      *route
	request    *http.Request
	body       []byte
	parameters map[string]string // of the path
	host       string            // name of the listener, empty for the main one
	credential string            // key or token, empty where none was sent
	requestID  string            // unique
	limit      *limitState       // of the tightest budget that the request counted against
}

// failure is a refusal. Status decides the code where Code is empty.
type failure struct {
	Status  int
	Code    string
	Message string
	Details any
	Header  http.Header
}

// Error is the message.
func (f *failure) Error() string { return f.Message }

// refuse makes the error with which a handler says no.
func refuse(status int, code, format string, args ...any) error {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return &failure{Status: status, Code: code, Message: format}
}

// reply is an answer. A handler returns one where a status, a header or bytes
// other than a JSON 200 are due; anything else that it returns is the JSON.
type reply struct {
	status int // 0 means 200
	header http.Header
	body   any    // marshalled, where raw is nil
	raw    []byte // sent as it is
}

func (r reply) bytes() []byte {
	if r.raw != nil {
		return r.raw
	}
	b, err := json.Marshal(r.body)
	if err != nil {
		return []byte(`{"error":"the sandbox could not write its answer"}`)
	}
	return b
}

// Violation is a request that no correct client sends: an unknown parameter or
// field, a wrong type, something required that is missing, a body where there
// is none, a malformed, missing, doubled or needless credential, an unknown
// path or method. A wrong key, a rate limit and everything that depends on a
// service's state are errors and no violations.
type Violation struct {
	Service Service
	Route   string // method and pattern, or method and path where no route was found
	Problem string
}

// String is one line.
func (v Violation) String() string {
	return fmt.Sprintf("%s %s: %s", v.Service, v.Route, v.Problem)
}

// Violations returns what clients did wrong so far, in order.
func (s *Sandbox) Violations() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Violation(nil), s.violations...)
}

func (c *call) violate(problem string) {
	name := c.request.Method + " " + c.request.URL.Path
	if c.route != nil {
		name = c.route.method + " " + c.service.path(c.route)
	}
	c.violations = append(c.violations, Violation{c.service.name, name, problem})
}

// shape picks one of n shapes of an answer whose shape is not documented: from
// 0 to n-1, in turn for each route, or as Config.Shape says.
func (c *call) shape(n int) int { return c.turn(c.service.public(c.route).String(), n) }

// turn picks one of n, in turn for each key, or as Config.Shape says.
func (s *Sandbox) turn(key string, n int) int {
	if s.config.Shape > 0 {
		return (s.config.Shape - 1) % n
	}
	at := s.turns[key]
	s.turns[key]++
	return at % n
}

// waitUntil lets time pass until done, at most timeout by the sandbox's clock,
// and reports whether done came true. Other requests are served meanwhile.
func (c *call) waitUntil(timeout time.Duration, done func() bool) bool {
	deadline := c.now().Add(timeout)
	for !done() {
		if !c.now().Before(deadline) {
			return false
		}
		if !c.pause(5 * time.Millisecond) {
			return done()
		}
	}
	return true
}

// pause lets go of the lock for d of real time. It reports false where the
// caller left or the sandbox is closing.
func (c *call) pause(d time.Duration) bool {
	c.mu.Unlock()
	defer c.mu.Lock()
	select {
	case <-time.After(d):
		return true
	case <-c.request.Context().Done():
	case <-c.done:
	}
	return false
}
