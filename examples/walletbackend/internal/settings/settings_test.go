package settings

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

func TestTheExampleLoads(t *testing.T) {
	s, err := Load("../../deployment.example.json")
	require.NoError(t, err)
	require.NotEmpty(t, s.Services.Webhooks)

	path := filepath.Join(t.TempDir(), "wrong.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"servces": {}}`), 0o600))
	_, err = Load(path)
	require.ErrorContains(t, err, "servces")
}

func TestSecretsComeFromTheEnvironmentOrAFile(t *testing.T) {
	s := &Settings{}
	none, err := s.Secret(SwapKey)
	require.NoError(t, err)
	require.True(t, none.IsZero())

	t.Setenv(Variable(SwapKey), "from the environment")
	secret, err := s.Secret(SwapKey)
	require.NoError(t, err)
	require.Equal(t, "from the environment", secret.Reveal())

	path := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(path, []byte("from a file\n"), 0o600))
	t.Setenv(Variable(LendingKey)+"_FILE", path)
	secret, err = s.Secret(LendingKey)
	require.NoError(t, err)
	require.Equal(t, "from a file", secret.Reveal())

	t.Setenv(Variable(SwapKey)+"_FILE", path)
	_, err = s.Secret(SwapKey)
	require.ErrorContains(t, err, "not both")

	given := s.WithSecrets(map[string]walletfi.Secret{SwapKey: walletfi.NewSecret("given")})
	secret, err = given.Secret(SwapKey)
	require.NoError(t, err)
	require.Equal(t, "given", secret.Reveal())
}
