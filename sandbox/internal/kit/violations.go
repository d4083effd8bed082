package kit

import (
	"cmp"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// MostViolations is how many violations are listed: the first ones, and the last one, whose
// Number says how many there were. Of one kind the first MostOfAKind are among them, so that
// a client that repeats a mistake does not hide the mistakes of others.
const (
	MostViolations = 1000
	MostOfAKind    = 100
)

// violations are what no correct client sent.
type violations struct {
	list   []play.Violation // without the last
	last   play.Violation   // the newest
	groups map[kind]*play.ViolationGroup
}

// kind tells violations apart.
type kind struct {
	service        play.Service
	route, problem string
	client         string
}

// add counts a violation. What exceeds MostViolations kinds is counted as one without a route.
func (v *violations) add(one play.Violation, client string, core *Core) {
	core.violated++
	one.Number, one.Route, one.Problem, one.Client = core.violated, short(one.Route), short(one.Problem), short(client)
	v.last = one
	k := kind{one.Service, one.Route, one.Problem, one.Client}
	if v.groups == nil {
		v.groups = map[kind]*play.ViolationGroup{}
	}
	if len(v.groups) >= MostViolations && v.groups[k] == nil {
		k = kind{problem: "violations of further kinds"}
	}
	g := v.groups[k]
	if g == nil {
		g = &play.ViolationGroup{
			Service: k.service, Route: k.route, Problem: k.problem, Client: k.client, First: core.Now(), Example: one,
		}
		v.groups[k] = g
	}
	g.Count++
	g.Last = core.Now()
	if len(v.list) < MostViolations-1 && g.Count <= MostOfAKind {
		v.list = append(v.list, one)
	}
}

// all lists the violations in order.
func (v *violations) all() []play.Violation {
	all := slices.Clone(v.list)
	if v.last.Number > 0 && (len(all) == 0 || all[len(all)-1].Number != v.last.Number) {
		all = append(all, v.last)
	}
	return all
}

// Violations returns the violations so far, in order: MostViolations of each tenant at most.
func (s *Core) Violations() []play.Violation { return Under(s, s.listViolations) }

func (s *Core) listViolations() (all []play.Violation) {
	for _, v := range s.violations {
		all = append(all, v.all()...)
	}
	slices.SortFunc(all, func(a, b play.Violation) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// ViolationGroups returns the violations so far by kind, the one that was met first in front.
func (s *Core) ViolationGroups() []play.ViolationGroup {
	return Under(s, func() (all []play.ViolationGroup) {
		for _, v := range s.violations {
			for _, g := range v.groups {
				all = append(all, *g)
			}
		}
		slices.SortFunc(all, func(a, b play.ViolationGroup) int { return cmp.Compare(a.Example.Number, b.Example.Number) })
		return all
	})
}

// TakeViolations returns the violations so far and forgets them. It takes the
// lock itself.
func (s *Core) TakeViolations() []play.Violation {
	return Under(s, func() []play.Violation {
		taken := s.listViolations()
		s.violations = map[string]*violations{}
		return taken
	})
}

// Report records a violation by a client, empty if it does not name itself.
func (s *Core) Report(v play.Violation, client string) {
	if s.violations[v.Tenant] == nil {
		s.violations[v.Tenant] = &violations{}
	}
	s.violations[v.Tenant].add(v, client, s)
}
