package walletfi_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// TestServices: each service is on the page of this package, in the README and in
// the sandbox.
func TestServices(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, service := range services {
		t.Run(service, func(t *testing.T) {
			require.Regexp(t, `\b`+service+`\b`, string(page))
			require.Contains(t, string(readme), "| `"+service+"` |")
			require.Contains(t, sandbox.Services(), sandbox.Service(service))
			require.FileExists(t, "sandbox/internal/"+service+"/routes.go")
			require.FileExists(t, service+"/doc.go")
			require.FileExists(t, service+"/example_test.go")
			require.FileExists(t, service+"/fuzz_test.go")
		})
	}
}
