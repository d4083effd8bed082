package kit

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/play"
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
	Tenant     string            // whose request it is; empty for none
	Caller     any               // whose credential it is, if Verify says so
	RequestID  string            // unique
	Limit      *LimitState       // of the tightest budget that the request counted against
	Heard      *Heard            // what the service's dialect read; nil without one
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

// With adds details to the answer.
func (f *Failure) With(details any) *Failure {
	f.Details = details
	return f
}

// Refuse returns a Failure. Handlers panic with it to refuse a request.
func Refuse(status int, code, format string, args ...any) *Failure {
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

// Bytes is the body as it is sent.
func (r Reply) Bytes() []byte {
	if r.Raw != nil {
		return r.Raw
	}
	return MustJSON(r.Body)
}

// MustJSON writes an answer. It panics if the answer has no JSON form.
func MustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("sandbox: an answer that cannot be written: " + err.Error())
	}
	return b
}

// Stamp writes a time to the millisecond, as most services do.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

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

// PlainEnvelope is for services whose error body is not documented: a message
// under "error" or, in turn, under "message", so that clients rely on neither.
func PlainEnvelope(c *Call, f *Failure) Reply {
	if c.Turn(string(c.Service.Name)+" errors", 2) == 0 {
		return Reply{Body: map[string]any{"error": f.Message}}
	}
	return Reply{Body: map[string]any{"statusCode": f.Status, "message": f.Message}}
}

// WaitUntil calls look until it returns true: at once, after every interval, and
// a last time when timeout has passed, by the sandbox's clock. Each call happens
// at its own time, also if the clock is advanced by far more at once; what look
// saw last is true at that time. With a manual clock only Advance ends
// the wait. The lock is released meanwhile, so that other requests are served.
// WaitUntil returns early if the caller disconnects, or the sandbox closes or begins again.
func (c *Call) WaitUntil(timeout, interval time.Duration, look func() bool) {
	if look() {
		return
	}
	over := make(chan struct{})
	deadline := c.Now().Add(timeout)
	var next *Planned
	var plan func()
	plan = func() {
		at := c.Now().Add(interval)
		if at.After(deadline) {
			at = deadline
		}
		next = c.At(at, Aside(func() {
			if look() || !c.Now().Before(deadline) {
				close(over)
				return
			}
			plan()
		}))
	}
	plan()
	back, ended := c.WaitAside(), c.era.Done()
	c.Unlock()
	select {
	case <-over:
	case <-c.Request.Context().Done():
	case <-ended:
	}
	c.Lock()
	back()
	next.Cancel()
}

// short cuts a text that quotes a request.
func short(text string) string {
	const most = 500
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// Violate records a violation by the request.
func (c *Call) Violate(problem string) {
	name := c.Request.Method + " " + c.Request.URL.Path
	if c.Route != nil {
		name = c.Route.Method + " " + c.Service.PathOf(c.Route)
	}
	c.Report(play.Violation{
		Service: c.Service.Name, Route: name, Problem: problem, Tenant: c.Tenant,
	}, c.Request.UserAgent())
}

// Malformed refuses a request for problems of its form that only the handler can see.
func (c *Call) Malformed(problems ...string) {
	for _, p := range problems {
		c.Violate(p)
	}
	if len(problems) > 0 {
		panic(Bad("%s", problems[0]))
	}
}
