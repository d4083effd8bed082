package flows

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

// Start opens a sandbox that closes with the test. Its answers drift from their
// documented types, as those of live services do.
func Start(t *testing.T, c sandbox.Config) *sandbox.Sandbox {
	t.Helper()
	c.StrictEcho = true // the clients keep the bytes
	c.Drift = true
	s, err := sandbox.Start(c)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// Options are those of a client of s: it speaks the deployment of s.
func Options(s *sandbox.Sandbox) walletfi.Options {
	of := s.Options()
	return walletfi.Options{
		Deployment: of.Deployment, OwnRoutes: of.OwnRoutes,
		Secrets: map[string]walletfi.Secret{"upside": walletfi.NewSecret("upside-123456")},
	}
}
