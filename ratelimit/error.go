package ratelimit

import (
	"errors"
	"fmt"
	"time"
)

// ErrLimited is the sentinel that every [*Error] answers to through errors.Is.
// It is the same value as walletfi.ErrRateLimited.
var ErrLimited = errors.New("rate limited")

// Error reports that a [Limiter] refused a call: waiting for a slot would have
// taken longer than the call may wait or than its context's deadline. Nothing
// was sent.
type Error struct {
	Class   string    // the class of calls, such as "read"; empty if the service has one
	ResetAt time.Time // when a slot is free at the earliest
}

// Error names the class and the time.
func (e *Error) Error() string {
	class := e.Class
	if class != "" {
		class = " (" + class + ")"
	}
	return fmt.Sprintf("rate limited by the client's own budget%s until %s", class, e.ResetAt.UTC().Format(time.RFC3339Nano))
}

// Unwrap returns [ErrLimited].
func (e *Error) Unwrap() error { return ErrLimited }
