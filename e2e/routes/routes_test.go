package routes

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
)

// reach calls every method of a service's client, one file per service, and
// checks the answers.
var reach = map[sandbox.Service]func(t *testing.T, s *sandbox.Sandbox){}

// documented is the number of routes in each service's documentation. A route
// that both the client and the sandbox lack shows nowhere else.
var documented = map[sandbox.Service]int{}

// TestRoutes fails if no client method reaches a route of the sandbox, if no
// test here calls an exported method of a client, if the sandbox saw a request
// that its documentation does not know, and if a service has no test here.
// TestCalls is the other direction: a call that no service has.
func TestRoutes(t *testing.T) {
	reached := map[sandbox.Route]bool{}
	count := map[sandbox.Service]int{}
	for _, service := range sandbox.Services() {
		require.Contains(t, reach, service, "no test calls its client")
		t.Run(string(service), func(t *testing.T) {
			s := flows.Start(t, sandbox.Config{NoLimits: true})
			seen := watchCallers(t)
			reach[service](t, s)
			seen.requireAll(t, service)
			require.Empty(t, s.Violations())
			for route, hits := range s.Hits() {
				reached[route] = reached[route] || hits > 0
			}
			for _, route := range s.Routes() {
				if route.Service != service {
					continue
				}
				count[service]++
				if !reached[route] {
					t.Errorf("no client method reached %s", route)
				}
			}
		})
	}
	total := 0
	for _, service := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%-14s %3d routes", service, count[service])
		total += count[service]
	}
	t.Logf("%-14s %3d routes", "in all", total)
	require.Equal(t, documented, count)
}
