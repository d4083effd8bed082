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
	Used     []uint64 // compute units that each used, nil if nothing has told
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

// Learn remembers a route. If it does not tell what it used, what was told before holds for as many
// transactions; else the greater of both, of which an older one fades.
func (r *Routes) Learn(name string, route Route) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if was := r.all[name].Used; len(was) == len(route.Costs) {
		used := slices.Clone(was)
		for i, now := range route.Used {
			used[i] = max(now, was[i]-was[i]/16)
		}
		route.Used = used
	}
	if _, known := r.all[name]; r.all == nil || !known && len(r.all) >= mostRoutes {
		r.all = map[string]Route{}
	}
	r.all[name] = route
}
