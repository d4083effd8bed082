package docs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
)

func Example_deployments() {
	if err := deployed(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// USDC true 0 mistakes
}

func deployed(ctx context.Context) error {
	acme, err := deployment.Load("acme.json")
	if err != nil {
		return err
	}
	s, err := sandbox.Start(sandbox.Config{Deployment: acme})
	if err != nil {
		return err
	}
	defer s.Close()
	address, key := s.URL(sandbox.Lending), walletfi.NewSecret(s.APIKey(sandbox.Lending))
	client, err := acmeClient(address, key)
	if err != nil {
		return err
	}
	pools, err := client.ListPools(ctx)
	if err != nil {
		return err
	}
	_, err = client.GetAccount(ctx, s.WalletAddress())
	fmt.Println(pools.Items[0].Symbol, errors.Is(err, walletfi.ErrNotFound), len(s.Violations()), "mistakes")
	return nil
}

func acmeClient(address string, key walletfi.Secret) (*lending.Client, error) {
	acme, err := deployment.Load("acme.json")
	if err != nil {
		return nil, err
	}
	return lending.New(lending.Config{
		BaseURL: address, APIKey: key, Options: walletfi.Options{Deployment: acme},
	})
}

// TestDeploymentFile: the file on the page is the one that the example loads.
func TestDeploymentFile(t *testing.T) {
	page, err := os.ReadFile("deployments.md")
	require.NoError(t, err)
	file, err := os.ReadFile("acme.json")
	require.NoError(t, err)
	require.Contains(t, string(page), "```json\n"+strings.TrimSpace(string(file))+"\n```")
}
