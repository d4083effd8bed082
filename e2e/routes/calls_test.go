package routes

import (
	"go/token"
	"maps"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestCalls holds the method and path of every transport.Call in the clients'
// sources to the routes of the services: a call that no service has is an error
// even if no test makes it.
func TestCalls(t *testing.T) {
	s := flows.Start(t, sandbox.Config{})
	served := map[string]bool{}
	for _, route := range s.Routes() {
		if route.Service != sandbox.RPC {
			served[flows.CallName(string(route.Service), route.Method, route.Pattern)] = true
		}
	}
	made := map[string][]token.Position{}
	literals := 0
	for _, service := range sandbox.Services() {
		if service == sandbox.RPC {
			continue
		}
		base, err := url.Parse(s.URL(service)) // some services have a path in their base URL
		require.NoError(t, err)
		p := parseClient(t, string(service), base.Path)
		literals += p.literals
		maps.Copy(made, p.calls)
	}
	for call, at := range made {
		if !served[call] {
			t.Errorf("%v: no service has %s", at, call)
		}
	}
	for call := range served {
		if _, ok := made[call]; !ok {
			t.Errorf("no client calls %s", call)
		}
	}
	t.Logf("%d transport.Call literals make %d calls", literals, len(made))
	total := 0
	for _, n := range documented {
		total += n
	}
	require.Equal(t, total, len(made))
}
