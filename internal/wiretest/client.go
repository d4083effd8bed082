package wiretest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// Client returns the client that a package's New makes of cfg.
func Client[Client, Config any](t testing.TB, create func(Config) (*Client, error), cfg Config) *Client {
	t.Helper()
	c, err := create(cfg)
	require.NoError(t, err)
	return c
}

// Once returns the options of a client that repeats no request.
func Once() walletfi.Options {
	return walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}}
}

// Key is an API key of the tests.
func Key() walletfi.Secret { return walletfi.NewSecret("k-123456") }

// Decimal returns the decimal that text stands for.
func Decimal(t testing.TB, text string) walletfi.Decimal {
	t.Helper()
	d, err := walletfi.NewDecimal(text)
	require.NoError(t, err)
	return d
}
