package sandbox

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// Violation is a request that no correct client sends: an unknown parameter or
// field, a wrong type, something required that is missing, an unexpected body,
// a malformed, missing, doubled or needless credential, an unknown path or
// method. A wrong key, a rate limit and everything that depends on a service's
// state are errors, but not violations.
type Violation struct {
	Service Service
	Route   string // method and pattern, or method and path if no route was found
	Problem string
	Number  int // counts the violations from 1, those that are not listed too
}

// String returns the violation on one line.
func (v Violation) String() string {
	return kit.Violation{Service: v.Service.internal(), Route: v.Route, Problem: v.Problem}.String()
}

// Violations returns the violations so far, in order: the first 999, and the last
// one, whose Number says how many there were. Long texts are cut.
func (s *Sandbox) Violations() []Violation {
	var all []Violation
	for _, v := range s.world.Violations() {
		all = append(all, Violation{Service(v.Service), v.Route, v.Problem, v.Number})
	}
	return all
}
