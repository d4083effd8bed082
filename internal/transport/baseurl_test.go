package transport

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
)

// TestBasePrefix: a prefix that is missing or doubled is refused with the address
// that is right, unless the gateway's routes are its own.
func TestBasePrefix(t *testing.T) {
	within, outside := Config{Prefix: "/api/v1"}, Config{OwnPaths: []string{"/api/v1"}}
	for _, c := range []struct {
		cfg         Config
		base, right string
	}{
		{within, "https://a.example/api/v1", ""},
		{within, "https://a.example/gw/api/v1/", ""},
		{within, "https://a.example", "https://a.example/api/v1"},
		{within, "https://a.example/api/v1/api/v1", "https://a.example/api/v1"},
		{within, "https://a.example/api", "https://a.example/api/api/v1"},
		{outside, "https://a.example", ""},
		{outside, "https://a.example/gw/", ""},
		{outside, "https://a.example/api/v1", "https://a.example"},
		{outside, "https://a.example/gw/api/v1/", "https://a.example/gw"},
		{outside, "https://a.example/api/v1/api/v1", "https://a.example"},
		{Config{}, "https://a.example/api/v1", ""},
	} {
		cfg := c.cfg
		cfg.Service, cfg.BaseURL = "test", c.base
		_, err := New(cfg)
		if c.right == "" {
			assert.NoError(t, err, c.base)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest, c.base)
		assert.ErrorContains(t, err, "baseURL: must be "+c.right+";")
		cfg.Options.OwnRoutes = true
		_, err = New(cfg)
		assert.NoError(t, err, c.base)
	}
	cfg := within
	cfg.Service, cfg.BaseURL = "test", "https://a.example/rpc/v1"
	deployed(deployment.Service{Segments: map[string]string{"api": "rpc"}})(&cfg)
	_, err := New(cfg)
	require.NoError(t, err, "in the words of the deployment")
}
