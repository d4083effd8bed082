package transport

import (
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
