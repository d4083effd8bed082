package kit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Usage is how much of a budget somebody has used. Whose key it was is not told.
type Usage struct {
	Service play.Service
	Tenant  string
	Class   string
	Used    int
	Budget
}

// Usages returns the budgets that are in use. The lock is held.
func (s *Core) Usages() (all []Usage) {
	for key, log := range s.logs {
		used := 0
		for _, at := range log {
			if at.After(s.Now().Add(-key.budget.Window)) {
				used++
			}
		}
		if used > 0 {
			all = append(all, Usage{key.service, key.tenant, key.class, used, key.budget})
		}
	}
	slices.SortFunc(all, func(a, b Usage) int {
		return cmp.Or(cmp.Compare(a.Service, b.Service), cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.Class, b.Class),
			cmp.Compare(a.Window, b.Window), cmp.Compare(b.Used, a.Used))
	})
	return all
}

// ActiveFault is a fault that is not over.
type ActiveFault struct {
	Match  play.Route
	Tenant string
	What   string
	Spent  int // requests that it matched so far
}

// ActiveFaults returns the faults that are not over, the oldest first. The lock is held.
func (s *Core) ActiveFaults() (all []ActiveFault) {
	for _, f := range s.faults {
		if !f.removed {
			all = append(all, ActiveFault{f.match, f.Tenant, describe(f.Fault), f.spent})
		}
	}
	return all
}

// describe says what a fault does, in the names of its fields.
func describe(f play.Fault) string {
	var parts []string
	add := func(is bool, format string, args ...any) {
		if is {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(f.Delay > 0, "delay %s", f.Delay)
	add(f.Handled, "handled")
	add(f.Reset, "reset")
	add(f.Status > 0, "status %d", f.Status)
	add(f.Body != nil, "body of %d bytes", len(f.Body))
	add(len(f.Header) > 0, "%d headers", len(f.Header))
	add(f.Truncate > 0, "truncate %d", f.Truncate)
	add(f.Garbage, "garbage")
	add(f.Lie != "", "lie %s %s", f.Lie, f.Member)
	add(f.After > 0, "after %d", f.After)
	add(f.Times > 0, "times %d", f.Times)
	return strings.Join(parts, ", ")
}
