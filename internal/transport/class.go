package transport

import "github.com/walletfi/walletfi-go/ratelimit"

// InClass adds class to a limiter's refusal that names none, and returns any
// other error unchanged. A limiter does not know for which class of calls it is
// used; its client does.
func InClass(class string, err error) error {
	if refused, ok := err.(*ratelimit.Error); ok && refused.Class == "" {
		return &ratelimit.Error{Class: class, ResetAt: refused.ResetAt}
	}
	return err
}
