package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/lending"
)

// TestSandboxOfVendor: the services of the file speak its words, and no others.
func TestSandboxOfVendor(t *testing.T) {
	acme, err := deployment.Load("../../docs/acme.json")
	require.NoError(t, err)
	p := start(t, nil, "--deployment", "../../docs/acme.json")
	pools := func(d *deployment.Deployment) error {
		client, err := lending.New(lending.Config{
			BaseURL: p.env["WALLETFI_LENDING_URL"], APIKey: walletfi.NewSecret(p.env["WALLETFI_LENDING_KEY"]),
			Options: walletfi.Options{Deployment: d, OwnRoutes: true},
		})
		require.NoError(t, err)
		page, err := client.ListPools(t.Context())
		if err == nil {
			require.NotEmpty(t, page.Items)
		}
		return err
	}
	require.NoError(t, pools(acme))
	require.Error(t, pools(nil), "the documented words are not the vendor's")
	require.Equal(t, statusViolations, p.end(t, os.Interrupt))
	require.Contains(t, p.problems.String(), "violation: ")
}

func TestSandboxOfVendorRefuses(t *testing.T) {
	command(t, "sandbox", "--deployment", "/nonexistent").fails(t, statusMalformed, "/nonexistent")
	command(t, "sandbox", "--deployment", file(t, `{"services": {"lend": {}}}`)).fails(t, statusMalformed, ":1: ", "lend")
	command(t, "sandbox", "--deployment", file(t, `{"services": [}`)).fails(t, statusMalformed, "JSON")
}
