package e2e

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/sandbox"
)

// reach calls every method of a service's client, a file a service. Each
// checks what it got: a call that is not checked proves little.
var reach = map[sandbox.Service]func(t *testing.T, s *sandbox.Sandbox){}

// TestRoutes fails where a route of the sandbox is reached by no client
// method, where the sandbox saw anything that its documentation does not know,
// and where a service has no test here.
func TestRoutes(t *testing.T) {
	reached := map[sandbox.Route]bool{}
	count := map[sandbox.Service]int{}
	for _, service := range sandbox.Services() {
		require.Contains(t, reach, service, "no test calls its client")
		t.Run(string(service), func(t *testing.T) {
			s := start(t, sandbox.Config{NoLimits: true})
			reach[service](t, s)
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
	// As many as the documentation has: a route that the sandbox lacks would
	// otherwise be missed by nobody.
	require.Equal(t, 154, total)
}

// start opens a sandbox that closes with the test.
func start(t *testing.T, c sandbox.Config) *sandbox.Sandbox {
	t.Helper()
	s, err := sandbox.Start(c)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}
