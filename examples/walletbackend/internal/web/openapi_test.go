package web

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOpenAPI holds the document against the table of routes, both ways.
func TestOpenAPI(t *testing.T) {
	var document struct {
		Paths map[string]map[string]struct {
			Summary   string
			Responses map[string]any
			Security  []any
		}
	}
	require.NoError(t, json.Unmarshal(openAPIDocument, &document))
	described := map[string]bool{} // by route: whether it needs no session
	for path, methods := range document.Paths {
		for method, operation := range methods {
			name := strings.ToUpper(method) + " " + path
			require.NotEmpty(t, operation.Summary, name)
			require.NotEmpty(t, operation.Responses, name)
			described[name] = operation.Security != nil
		}
	}
	served := map[string]bool{}
	for _, r := range routes {
		if r.api() {
			served[r.pattern] = r.open
		}
	}
	require.NotEmpty(t, served)
	require.Equal(t, slices.Sorted(maps.Keys(served)), slices.Sorted(maps.Keys(described)))
	require.Equal(t, served, described)
}
