package play

import "fmt"

// Route is one route of a service. As an argument of Sandbox.Fault an empty
// field means any.
type Route struct {
	Service Service
	Method  string // HTTP method
	Pattern string // path with its parameters in braces, such as "/v1/account/{walletAddress}"
}

// String is "lending GET /v1/pools".
func (r Route) String() string { return string(r.Service) + " " + r.Method + " " + r.Pattern }

// Covers reports whether r, whose empty fields mean any, covers other.
func (r Route) Covers(other Route) bool {
	return (r.Service == "" || r.Service == other.Service) &&
		(r.Method == "" || r.Method == other.Method) &&
		(r.Pattern == "" || r.Pattern == other.Pattern)
}

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
func (v Violation) String() string { return fmt.Sprintf("%s %s: %s", v.Service, v.Route, v.Problem) }
