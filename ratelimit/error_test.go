package ratelimit_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestErrorText(t *testing.T) {
	refused := &ratelimit.Error{ResetAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	assert.EqualError(t, refused, "rate limited by the client's own budget until 2026-01-02T03:04:05Z")
	assert.EqualError(t, ratelimit.InClass("read", refused), "rate limited by the client's own budget (read) until 2026-01-02T03:04:05Z")
	assert.ErrorIs(t, refused, ratelimit.ErrLimited)
}

// TestInClass: a class that is already named stays, and nothing that is not a
// refusal changes.
func TestInClass(t *testing.T) {
	refused := &ratelimit.Error{ResetAt: time.Now()}
	named := ratelimit.InClass("read", refused)
	require.Equal(t, &ratelimit.Error{Class: "read", ResetAt: refused.ResetAt}, named)
	require.Empty(t, refused.Class, "the limiter's own value is not changed")
	require.Same(t, named, ratelimit.InClass("write", named))
	for _, other := range []error{nil, errors.New("other"), fmt.Errorf("store: %w", refused)} {
		require.Equal(t, other, ratelimit.InClass("read", other))
	}
}
