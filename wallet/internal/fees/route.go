package fees

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/walletfi/walletfi-go/internal/asking"
)

// Route describes the transactions that a builder makes for requests of a kind.
type Route struct {
	Costs    []Cost
	Writable []string
}

// mostRoutes bounds what is remembered. If it is full, it is emptied.
const mostRoutes = 1024

// Routes remembers them. It is safe for concurrent use.
type Routes struct {
	mu  sync.Mutex
	all map[string]Route
}

// Name is the route of a request by what it asks for: its type and its mints.
func Name(asked map[string]string) string {
	parts := []string{asked[asking.Request]}
	for _, field := range slices.Sorted(maps.Keys(asked)) {
		if strings.Contains(field, "Mint") {
			parts = append(parts, field+"="+asked[field])
		}
	}
	return strings.Join(parts, " ")
}

// Recall returns a route.
func (r *Routes) Recall(name string) (Route, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	route, ok := r.all[name]
	return route, ok
}

// Learn remembers a route.
func (r *Routes) Learn(name string, route Route) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.all[name]; r.all == nil || !known && len(r.all) >= mostRoutes {
		r.all = map[string]Route{}
	}
	r.all[name] = route
}
