package ratelimit

import (
	"context"
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
	return fmt.Sprintf("rate limited by the client's own budget%s until %s",
		class, e.ResetAt.UTC().Format(time.RFC3339Nano))
}

// Unwrap returns [ErrLimited].
func (e *Error) Unwrap() error { return ErrLimited }

// ErrLimiter is the sentinel that every [*LimiterError] answers to through
// errors.Is. It is the same value as walletfi.ErrLimiter.
var ErrLimiter = errors.New("limiter failed")

// LimiterError reports that a [Limiter] failed, so that it is not known whether a
// slot is free. Nothing was sent. It is not a refusal: it does not answer to
// [ErrLimited].
type LimiterError struct {
	Service string // package name of the client
	Class   string // the class of calls; empty if the service has one
	Cause   error  // the limiter's error
}

// Error names the service and the cause.
func (e *LimiterError) Error() string {
	name := e.Service
	if e.Class != "" {
		name += " (" + e.Class + ")"
	}
	return fmt.Sprintf("%s: the rate limiter failed, nothing was sent: %v", name, e.Cause)
}

// Unwrap returns [ErrLimiter] and the cause. A timeout of the limiter's own is left
// out, since context.DeadlineExceeded stands for the call's deadline.
func (e *LimiterError) Unwrap() []error {
	if e.Cause == nil || errors.Is(e.Cause, context.DeadlineExceeded) || errors.Is(e.Cause, context.Canceled) ||
		errors.Is(e.Cause, ErrLimited) {
		return []error{ErrLimiter}
	}
	return []error{ErrLimiter, e.Cause}
}
