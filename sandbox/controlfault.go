package sandbox

import (
	"errors"
	"fmt"
	"slices"
)

// addFault is [Sandbox.Fault], with an error for a fault that can never hit: no
// compiler checks the names that another language sends.
func addFault(s *Sandbox, match Route, f Fault) (remove func(), err error) {
	// The methods of the node are not listed.
	if match.Service != RPC && !slices.ContainsFunc(s.Routes(), match.Covers) {
		return nil, fmt.Errorf("sandbox: match is of no route: GET /routes lists them: %s", match)
	}
	switch {
	case f.Status != 0 && (f.Status < 200 || f.Status > 999):
		return nil, fmt.Errorf("sandbox: fault.status must be 0, or from 200 to 999, not %d", f.Status)
	case f.Truncate < 0 || f.After < 0 || f.Times < 0:
		return nil, errors.New("sandbox: fault.truncate, after and times must not be negative")
	case f.Delay == 0 && !f.Reset && f.Status == 0 && f.Body == nil && len(f.Header) == 0 && f.Truncate == 0 &&
		!f.Garbage:
		return nil, errors.New("sandbox: the fault does nothing")
	}
	return s.Fault(match, f), nil
}
