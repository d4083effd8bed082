package kit

import (
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// MostViolations is how many violations are listed: the first ones, and the
// last one, whose Number says how many there were.
const MostViolations = 1000

// Violations returns the violations so far, in order: MostViolations at most.
func (s *Core) Violations() []play.Violation {
	s.Lock()
	defer s.Unlock()
	return append([]play.Violation(nil), s.violations...)
}

// TakeViolations returns the violations so far and forgets them. It takes the
// lock itself.
func (s *Core) TakeViolations() []play.Violation {
	s.Lock()
	defer s.Unlock()
	taken := s.violations
	s.violations = nil
	return taken
}

// Report records a violation.
func (s *Core) Report(v play.Violation) {
	s.violated++
	v.Number, v.Route, v.Problem = s.violated, short(v.Route), short(v.Problem)
	if len(s.violations) == MostViolations {
		s.violations[MostViolations-1] = v
		return
	}
	s.violations = append(s.violations, v)
}

// short cuts a text that quotes a request.
func short(text string) string {
	const most = 500
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// Violate records a violation by the request.
func (c *Call) Violate(problem string) {
	name := c.Request.Method + " " + c.Request.URL.Path
	if c.Route != nil {
		name = c.Route.Method + " " + c.Service.path(c.Route)
	}
	c.Report(play.Violation{Service: c.Service.Name, Route: name, Problem: problem})
}

// Malformed refuses a request for problems of its form that only the handler can see.
func (c *Call) Malformed(problems ...string) {
	for _, p := range problems {
		c.Violate(p)
	}
	if len(problems) > 0 {
		panic(Bad("%s", problems[0]))
	}
}
