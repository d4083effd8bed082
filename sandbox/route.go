package sandbox

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// Route is one route of a service. As an argument of [Sandbox.Fault] an empty
// field means any.
type Route struct {
	Service Service
	Method  string // HTTP method
	Pattern string // path with its parameters in braces, such as "/v1/account/{walletAddress}"
}

// String is "lending GET /v1/pools".
func (r Route) String() string { return r.internal().String() }

func (r Route) internal() kit.RouteKey {
	return kit.RouteKey{Service: r.Service.internal(), Method: r.Method, Pattern: r.Pattern}
}

func routeOf(r kit.RouteKey) Route { return Route{Service(r.Service), r.Method, r.Pattern} }

// Routes lists every route of every service.
func (s *Sandbox) Routes() []Route {
	var all []Route
	for _, r := range s.world.Routes() {
		all = append(all, routeOf(r))
	}
	return all
}

// Hits returns how many requests each route has had, refused ones included,
// and how many calls each method of the node, under Route{RPC, "POST", method}.
// A route without requests is absent.
func (s *Sandbox) Hits() map[Route]int {
	hits := map[Route]int{}
	for r, n := range s.world.Hits() {
		hits[routeOf(r)] = n
	}
	return hits
}
