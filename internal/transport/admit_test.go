package transport

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// TestInClass: a class that is already named stays, and no other error changes.
func TestInClass(t *testing.T) {
	refused := &ratelimit.Error{ResetAt: time.Now()}
	named := InClass("read", refused)
	require.Equal(t, &ratelimit.Error{Class: "read", ResetAt: refused.ResetAt}, named)
	require.Empty(t, refused.Class, "the limiter's own value is not changed")
	require.Same(t, named, InClass("write", named))
	for _, other := range []error{nil, errors.New("other"), fmt.Errorf("store: %w", refused)} {
		require.Equal(t, other, InClass("read", other))
	}
}

// TestNotAdmitted: a refusal gets its class, the end of the call's context stays, and
// all else that a limiter returns is its failure.
func TestNotAdmitted(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	own := &ratelimit.LimiterError{Service: "other", Cause: errors.New("x")}
	broken, wrapped := errors.New("no connection"), fmt.Errorf("queue: %w", context.Canceled)
	failure := func(cause error) error { return &ratelimit.LimiterError{Service: "test", Class: "read", Cause: cause} }
	for name, c := range map[string]struct {
		ctx       context.Context
		err, want error
	}{
		"a refusal":             {t.Context(), &ratelimit.Error{}, &ratelimit.Error{Class: "read"}},
		"the call's end":        {ended, wrapped, wrapped},
		"another end":           {ended, context.DeadlineExceeded, failure(context.DeadlineExceeded)},
		"the limiter's own end": {t.Context(), wrapped, failure(wrapped)},
		"a failure at the end":  {ended, broken, failure(broken)},
		"a failure":             {t.Context(), broken, failure(broken)},
		"typed by itself":       {t.Context(), own, own},
		"nothing":               {t.Context(), nil, failure(errNoSlot)},
		"nothing at the end":    {ended, nil, failure(errNoSlot)},
	} {
		require.Equal(t, c.want, notAdmitted(c.ctx, "test", "read", c.err), name)
	}
}
