package kit

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Route is a line of a service's table.
type Route struct {
	Method string
	Path   string // without the service's prefix
	Endpoint
	Auth  Auth   // zero means the service's
	Class string // of its rate limit, if the service has several
	Host  string // name of an additional listener, empty for the main one
	// BackAs is the member under which clients send the answer back whole. Empty
	// means that they do not.
	BackAs string
}

// router finds the route of a request on one listener.
type router struct {
	routes []routed
}

type routed struct {
	segments []string
	service  *Spec
	route    *Route
}

func (t *router) add(v *Spec, r *Route) {
	t.routes = append(t.routes, routed{strings.Split(v.PathOf(r), "/"), v, r})
}

// find returns the route, nil if there is none, with its path parameters, and
// whether another method would have found one. A literal segment takes
// precedence over a parameter.
func (t *router) find(method, escapedPath string) (found *Route, parameters map[string]string, otherMethod bool) {
	segments := strings.Split(escapedPath, "/")
	best := ""
	for _, candidate := range t.routes {
		got, rank, ok := candidate.match(segments)
		if !ok {
			continue
		}
		if candidate.route.Method != method {
			otherMethod = true
			continue
		}
		if found == nil || rank < best {
			found, parameters, best = candidate.route, got, rank
		}
	}
	return found, parameters, otherMethod && found == nil
}

// match returns the parameters and a rank in which literals sort first.
func (r routed) match(segments []string) (map[string]string, string, bool) {
	if len(segments) != len(r.segments) {
		return nil, "", false
	}
	var parameters map[string]string
	rank := make([]byte, len(segments))
	for i, want := range r.segments {
		got, err := url.PathUnescape(segments[i])
		if err != nil {
			return nil, "", false
		}
		name, isParameter := parameterName(want)
		if !isParameter {
			if got != want {
				return nil, "", false
			}
			rank[i] = '0'
			continue
		}
		if got == "" {
			return nil, "", false
		}
		if parameters == nil {
			parameters = map[string]string{}
		}
		parameters[name], rank[i] = got, '1'
	}
	return parameters, string(rank), true
}

func parameterName(segment string) (string, bool) {
	name, ok := strings.CutPrefix(segment, "{")
	return strings.TrimSuffix(name, "}"), ok
}

// Routes lists every route of every service. It takes the lock itself.
func (s *Core) Routes() []play.Route {
	s.Lock()
	defer s.Unlock()
	var all []play.Route
	for _, v := range s.services {
		for i := range v.Routes {
			all = append(all, v.public(&v.Routes[i]))
		}
	}
	return all
}

func (v *Spec) public(r *Route) play.Route {
	return play.Route{Service: v.Name, Method: r.Method, Pattern: v.PathOf(r)}
}

// Hits does what sandbox.Sandbox.Hits says.
func (s *Core) Hits() map[play.Route]int {
	s.Lock()
	defer s.Unlock()
	hits := make(map[play.Route]int, len(s.hits))
	for r, n := range s.hits {
		hits[r] = n
	}
	return hits
}

// Count counts a request of a route.
func (s *Core) Count(r play.Route) { s.hits[r]++ }

// bodyless reports whether requests of a method carry no body.
func bodyless(method string) bool {
	return method == http.MethodGet || method == http.MethodDelete || method == http.MethodHead
}

func known(s play.Service) bool { return slices.Contains(play.Services(), s) }

// Spec describes a service to the kit. Its functions are called with the
// sandbox's lock held: a service needs no lock of its own.
type Spec struct {
	Name play.Service
	// Prefix precedes the path of each route. If InURL is true, the base URL
	// includes it.
	Prefix string
	InURL  bool
	// Hosts are the names of additional listeners.
	Hosts []string
	// SharedHosts makes every listener serve the routes that name no host.
	SharedHosts bool
	// Auth applies to the routes that set no Auth.
	Auth Auth
	// HostAuth replaces Auth on an additional listener.
	HostAuth map[string]Auth
	// Verify checks the credential of a request. Nil accepts the service's keys
	// only.
	Verify func(c *Call) error
	// Budgets returns the budgets that a request counts against. Nil means no
	// limit.
	Budgets func(c *Call) []Budget
	// LimitHeader writes the state of a limit into the headers of every request
	// that counts against it. Nil means Retry-After on a 429.
	LimitHeader func(h http.Header, state LimitState)
	// Envelope writes an error in the service's form.
	Envelope func(c *Call, f *Failure) Reply
	// Success wraps the result of a handler. Nil sends the result unwrapped.
	Success func(c *Call, body any) any
	Routes  []Route
	// Feed is a WebSocket on one of the hosts. May be nil.
	Feed *Feed
	// Opaque are the members of bodies that clients pass on as they got them, so that
	// no deployment has other words in them.
	Opaque []string
	// Dialect is how the service speaks under Config.Deployment. Nil means as
	// documented.
	Dialect Dialect
}

// PathOf is the whole documented path of a route, with its parameters in braces.
func (v *Spec) PathOf(r *Route) string { return v.Prefix + r.Path }
