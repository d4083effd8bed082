package kit

import (
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

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

// path is the whole path of a route on the wire.
func (v *Spec) path(r *Route) string { return v.Prefix + r.Path }
