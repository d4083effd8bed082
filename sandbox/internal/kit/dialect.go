package kit

import (
	"net/http"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Dialect is how a service speaks under Config.Deployment: it turns live requests
// into documented ones, and documented answers into live ones. Everything between is
// as documented: routes, faults, limits, handlers. Its methods are called with the
// lock held, except Mount, which needs none.
type Dialect interface {
	// Mount is the path of a listener's base URL.
	Mount(host string) string
	// Hear reads a request.
	Hear(host string, r *http.Request, body []byte) *Heard
	// Shake reads the handshake of the feed.
	Shake(r *http.Request) *Heard
	// Say turns an answer into the live one. Envelope wrote a refusal.
	Say(c *Call, answer *Reply, refusal bool)
	// Header gives the documented headers of an answer or a webhook their live names.
	Header(h http.Header)
	// Told reads a message of the feed.
	Told(message []byte) (documented []byte, problems []string)
	// Tell turns a message of the feed or the payload of a webhook into the live one.
	Tell(message []byte) []byte
}

// Heard is a live request in documented words.
type Heard struct {
	Route       *Route            // nil if no live route fits
	Parameters  map[string]string // of the documented path
	OtherMethod bool              // another method would have found a route
	Request     *http.Request     // as documented; the live one if no route fits
	Body        []byte
	Problems    []string // what is wrong with the form
	Credential  string   // what is wrong with the credential
	Memo        any      // the dialect's own
}

// hear reads a request in the words of the service's deployment, if it has one.
func (c *Call) hear() {
	if c.Service.Dialect == nil {
		return
	}
	c.Heard = c.Service.Dialect.Hear(c.Host, c.Request, c.body)
	c.Request, c.body = c.Heard.Request, c.Heard.Body
}

// find returns the route of the request and the parameters of its path.
func (c *Call) find(t *router) (found *Route, parameters map[string]string, otherMethod bool) {
	if c.Heard != nil {
		return c.Heard.Route, c.Heard.Parameters, c.Heard.OtherMethod
	}
	return t.find(c.Request.Method, c.Request.URL.EscapedPath())
}

// misheard lists what is wrong with the live form of a request.
func (c *Call) misheard() []string {
	if c.Heard == nil {
		return nil
	}
	return c.Heard.Problems
}

// say turns an answer into the live one. The body of a fault is live already.
func (c *Call) say(answer *Reply, f play.Fault, refusal bool) {
	if c.Service.Dialect != nil && f.Body == nil {
		c.Service.Dialect.Say(c, answer, refusal)
	}
}

// Again answers the request once more, with another query.
func (c *Call) Again(query string) Reply {
	other := *c
	other.Request = c.Request.Clone(c.Request.Context())
	other.Request.URL.RawQuery = query
	input, _ := c.Route.Input.read(&other)
	answer, _ := other.answer(input, nil, play.Fault{})
	return answer
}

// Tell turns the payload of a webhook into the live one.
func (s *Core) Tell(service play.Service, payload []byte) []byte {
	if d := s.dialect(service); d != nil {
		return d.Tell(payload)
	}
	return payload
}

// dialect is that of a service, nil if it speaks as documented.
func (s *Core) dialect(service play.Service) Dialect {
	for _, v := range s.services {
		if v.Name == service {
			return v.Dialect
		}
	}
	return nil
}

// AuthOf is which credential a route takes on a listener.
func (v *Spec) AuthOf(r *Route, host string) Auth {
	if r.Auth.Demand != Inherited {
		return r.Auth
	}
	if other, ok := v.HostAuth[host]; ok {
		return other
	}
	return v.Auth
}

// Forbids reports whether a credential on the route is a mistake.
func (a Auth) Forbids() bool { return a.Demand == uncertified }

// Query lists the names of the parameters of the query.
func (spec *inputSpec) Query() []string {
	return List(spec.query, func(f field) string { return f.Name })
}
