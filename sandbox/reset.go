package sandbox

import (
	"errors"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Part is a part of a sandbox's state: see [Reset].
type Part = play.Part

// The parts, which package play explains.
const (
	PartViolations = play.PartViolations
	PartFaults     = play.PartFaults
	PartState      = play.PartState
)

// Reset begins parts of the state again, one at least. With PartState everything is as after
// [Start] but for three things. The clock stands where it is, since it never goes back, and
// what clients wait for on it still comes. The addresses stay; connections of feeds end, and a
// request that waits for the clock is answered early; others under way are cut off. Tenants
// that were added keep their keys. Handles such as that of [Sandbox.Lending] must be taken again.
// It fails on an unknown part.
func Reset(s *Sandbox, parts ...Part) error {
	known := []Part{PartViolations, PartFaults, PartState}
	if len(parts) == 0 || slices.ContainsFunc(parts, func(p Part) bool { return !slices.Contains(known, p) }) {
		return errors.New("sandbox: parts must be some of violations, faults or state")
	}
	for _, p := range parts {
		switch p {
		case PartViolations:
			s.world().TakeViolations()
		case PartFaults:
			s.world().ForgetFaults()
		case PartState:
			if err := s.world().Restart(s.present.Store); err != nil {
				return err
			}
		}
	}
	return nil
}

// violationsOf lists the violations that a filter covers.
func violationsOf(s *Sandbox, service Service, route, problem, client, tenant string) []Violation {
	filter := Violation{Service: service, Route: route, Problem: problem, Client: client, Tenant: tenant}
	return slices.DeleteFunc(s.Violations(), func(v Violation) bool { return !filter.Covers(v) })
}

// violationGroupsOf lists the groups of them.
func violationGroupsOf(s *Sandbox, service Service, route, problem, client, tenant string) []ViolationGroup {
	filter := Violation{Service: service, Route: route, Problem: problem, Client: client, Tenant: tenant}
	return slices.DeleteFunc(ViolationGroups(s), func(g ViolationGroup) bool {
		return !filter.Covers(Violation{
			Service: g.Service, Route: g.Route, Problem: g.Problem, Client: g.Client, Tenant: g.Example.Tenant,
		})
	})
}
