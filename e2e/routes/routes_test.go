package routes

import (
	"context"
	"go/token"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
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

// TestWireTests: the tests of a client's own package call each of its methods.
// They look at what is sent and decoded, byte for byte, which the sandbox does
// not.
func TestWireTests(t *testing.T) {
	for service, client := range flows.Clients {
		tests := testSources(t, service)
		checked := 0
		for i := range client.NumMethod() {
			m := client.Method(i)
			if m.Type.NumIn() < 2 || m.Type.In(1) != reflect.TypeFor[context.Context]() {
				continue
			}
			checked++
			if !regexp.MustCompile(`\.` + m.Name + `\b`).MatchString(tests) {
				t.Errorf("no test in %s calls %s", service, m.Name)
			}
		}
		require.NotZero(t, checked, service)
	}
}

// testSources returns the text of all tests in a service's package.
func testSources(t *testing.T, service sandbox.Service) string {
	t.Helper()
	files, err := filepath.Glob("../../" + string(service) + "/*_test.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all strings.Builder
	for _, path := range files {
		if filepath.Base(path) == "example_test.go" {
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}
