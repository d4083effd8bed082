package transport_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

func TestUnsent(t *testing.T) {
	require.NoError(t, transport.Unsent(nil))
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"invalid request":        {&walletfi.ValidationError{Field: "f", Problem: "p"}, true},
		"never reached":          {&walletfi.TransportError{Kind: walletfi.ErrUnavailable}, true},
		"over before it began":   {context.Canceled, true},
		"our own limit":          {walletfi.ErrRateLimited, true},
		"refused":                {&walletfi.ResponseError{StatusCode: 400, Kind: walletfi.ErrInvalidRequest}, false},
		"limited by the service": {&walletfi.ResponseError{StatusCode: 429, Kind: walletfi.ErrRateLimited}, false},
		"lost":                   {&walletfi.OutcomeUnknownError{Cause: errors.New("reset")}, false},
		"lost, wrapped":          {fmt.Errorf("x: %w", &walletfi.OutcomeUnknownError{Cause: context.Canceled}), false},
	} {
		got := transport.Unsent(c.err)
		require.Equal(t, c.want, errors.Is(got, walletfi.ErrNotSent), name)
		require.ErrorIs(t, got, c.err, name)
	}
}
