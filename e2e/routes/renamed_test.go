package routes

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestRoutesRenamed is TestRoutes under a deployment that has another word, place or
// shape for everything: see renamed. What the methods return is the same.
func TestRoutesRenamed(t *testing.T) {
	live := flows.Renamed(t)
	require.NoError(t, live.Check())
	reached, violations := 0, 0
	for _, service := range sandbox.Services() {
		t.Run(string(service), func(t *testing.T) {
			s := flows.Start(t, sandbox.Config{NoLimits: true, Deployment: live})
			reach[service](t, s)
			for _, v := range s.Violations() {
				violations++
				t.Error(v)
			}
			hits := 0
			for route := range s.Hits() {
				if route.Service == service {
					hits++
				}
			}
			reached += min(hits, documented[service])
		})
	}
	total := 0
	for _, n := range documented {
		total += n
	}
	require.Equal(t, total, reached)
	t.Logf("%d routes under a deployment, %d violations", reached, violations)
}

// TestRenamedIsEverything holds the deployment of TestRoutesRenamed to what it is for.
func TestRenamedIsEverything(t *testing.T) {
	live := flows.Renamed(t)
	require.Len(t, live.Services, len(documented))
	paged, scaled := map[deployment.PagingForm]int{}, 0
	for name, service := range live.Services {
		require.Len(t, service.Operations, documented[sandbox.Service(name)])
		require.NotEmpty(t, service.Keys, name)
		require.NotEmpty(t, service.Segments, name)
		scaled += len(service.Numbers)
		for route, o := range service.Operations {
			require.NotEmpty(t, o.Answer, route)
			path, _, _ := strings.Cut(o.Route, "?")
			require.NotContains(t, path, "{", route)
			if o.Paging != nil {
				paged[o.Paging.Form]++
			}
		}
	}
	require.Len(t, slices.Collect(maps.Keys(paged)), 3, "offsets, pages and cursors")
	require.Greater(t, scaled, 10)
}

// liveValue is a documented value as the deployment of s has it.
func liveValue(s *sandbox.Sandbox, service sandbox.Service, name, value string) string {
	if live := s.Options().Deployment; live != nil {
		return live.Services[string(service)].Values[name][value]
	}
	return value
}

// TestRenamedIsStrict: a client in documented words gets nothing from the renamed
// deployment, and is told why.
func TestRenamedIsStrict(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, Deployment: flows.Renamed(t)})
	c, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: walletfi.Options{OwnRoutes: true},
	})
	require.NoError(t, err)
	_, err = c.ListPools(t.Context())
	require.ErrorIs(t, err, walletfi.ErrNotFound)
	require.Len(t, s.Violations(), 1)
	require.Equal(t, "no such route", s.Violations()[0].Problem)
}
