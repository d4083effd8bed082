package main

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSandboxTenants(t *testing.T) {
	more := file(t, `[{"name": "carol", "keys": {"lending": "carols"}}, {"name": "dave"}]`)
	p := start(t, nil, "--manual-clock", "--tenants", "alice,bob", "--tenants-file", more)
	request, err := http.NewRequest(http.MethodGet, p.env["WALLETFI_CONTROL_URL"]+"/tenants", nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+p.env["WALLETFI_CONTROL_TOKEN"])
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	var all struct {
		Tenants []struct {
			Name     string
			Services []struct{ Service, URL, Key string }
		}
	}
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&all))
	require.Len(t, all.Tenants, 4)
	for i, name := range []string{"alice", "bob", "carol", "dave"} {
		lending := all.Tenants[i].Services[0]
		assert.Equal(t, name, all.Tenants[i].Name)
		request, err := http.NewRequest(http.MethodGet, lending.URL+"/v1/pools", nil)
		require.NoError(t, err)
		request.Header.Set("X-Api-Key", lending.Key)
		pools, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		pools.Body.Close()
		assert.Equal(t, http.StatusOK, pools.StatusCode, name)
	}
	assert.Equal(t, "carols", all.Tenants[2].Services[0].Key)
	assert.Zero(t, p.end(t, os.Interrupt))
	command(t, "sandbox", "--tenants", "Alice").fails(t, statusUsage, "Alice")
	command(t, "sandbox", "--tenants-file", file(t, `[{"nam": "x"}]`)).fails(t, statusMalformed, "nam")
}
