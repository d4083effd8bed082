package settings

import (
	"encoding/json"
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

// TestAWrongFieldIsNamed breaks each field of the example in turn.
func TestAWrongFieldIsNamed(t *testing.T) {
	text, err := os.ReadFile("../../deployment.example.json")
	require.NoError(t, err)
	var whole map[string]any
	require.NoError(t, json.Unmarshal(text, &whole))
	path := filepath.Join(t.TempDir(), "config.json")
	broken := func(in map[string]any, key, name string, value any, wants string) {
		t.Helper()
		was := in[key]
		in[key] = value
		text, err := json.Marshal(whole)
		in[key] = was
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, text, 0o600))
		_, err = Load(path)
		require.ErrorContains(t, err, name)
		require.ErrorContains(t, err, wants)
		require.ErrorContains(t, err, path)
	}
	services := whole["services"].(map[string]any)
	require.Len(t, services, 13)
	for key := range services {
		if key == "onchaindataTier" {
			broken(services, key, "services.onchaindataTier", "gold", "demo or pro")
			continue
		}
		broken(services, key, "services."+key, "", "missing")
		broken(services, key, "services."+key, "example.com", "https://")
		broken(services, key, "services."+key, 7, "number")
	}
	broken(whole, "network", "network", "", "missing")
	broken(whole, "webhookNetwork", "webhookNetwork", "", "missing")
	broken(whole, "webhookTemplate", "webhookTemplate", "", "missing")
	broken(whole, "publicURL", "publicURL", "http://wallet.example.com", "https://")
	broken(whole, "signerPage", "signerPage", "http://signer.example.com", "https://")
	broken(whole, "sandboxControl", "sandboxControl", "there", "https://")
	broken(whole, "pins", "pins.lendin", map[string]any{"lendin": []string{}}, "no service")
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
