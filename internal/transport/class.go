package transport

import (
	"context"
	"errors"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// InClass adds class to a limiter's refusal that names none, and returns any
// other error unchanged. A limiter does not know for which class of calls it is
// used; its client does.
func InClass(class string, err error) error {
	if refused, ok := err.(*ratelimit.Error); ok && refused.Class == "" {
		return &ratelimit.Error{Class: class, ResetAt: refused.ResetAt}
	}
	return err
}

// errNoSlot is a limiter that returned neither a slot nor an error.
var errNoSlot = errors.New("it returned neither a slot nor an error")

// notAdmitted types what a limiter returned in place of a slot: its refusal, the end
// of ctx, or else its own failure.
func notAdmitted(ctx context.Context, service, class string, err error) error {
	if err == nil {
		err = errNoSlot
	}
	switch {
	case errors.Is(err, ratelimit.ErrLimited):
		return InClass(class, err)
	case errors.Is(err, ctx.Err()), errors.Is(err, ratelimit.ErrLimiter):
		return err
	}
	return &ratelimit.LimiterError{Service: service, Class: class, Cause: err}
}
