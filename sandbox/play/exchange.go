package play

import "time"

// Exchange is a request to a service or a node, and its answer. Keys, tokens and one-time codes are
// masked, headers are left out, and bodies are cut at 4,096 bytes.
type Exchange struct {
	Number   int       // counts the exchanges from 1, those that are let go too
	Time     time.Time // of the answer, by the sandbox's clock
	Service  Service
	Tenant   string // the name of the [Tenant] whose request it was; may be empty
	Route    string // method and pattern; of a node, the method that it was called for
	Method   string
	Path     string // with the query
	Client   string // its User-Agent
	Status   int    // 101 for a WebSocket, 0 if the connection ended without an answer
	Request  string
	Response string
}

// Covers reports whether e covers other: the same service, tenant, route and status. Empty fields
// mean any; the other fields count for nothing.
func (e Exchange) Covers(other Exchange) bool {
	return (e.Service == "" || e.Service == other.Service) && (e.Tenant == "" || e.Tenant == other.Tenant) &&
		(e.Route == "" || e.Route == other.Route) && (e.Status == 0 || e.Status == other.Status)
}
