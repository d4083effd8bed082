package settings

import (
	"fmt"
	"os"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// The names of the secrets. Each is the environment variable WALLETBACKEND_NAME,
// or the content of the file that WALLETBACKEND_NAME_FILE names.
const (
	LendingKey      = "LENDING_KEY"
	LeverageKey     = "LEVERAGE_KEY"
	PredictMetaKey  = "PREDICTMETA_KEY"
	SwapKey         = "SWAP_KEY"
	ProviderSwapKey = "PROVIDERSWAP_KEY"
	BurnCloseKey    = "BURNCLOSE_KEY"
	OnchainDataKey  = "ONCHAINDATA_KEY"
	SocialSearchKey = "SOCIALSEARCH_KEY"
	WebhooksKey     = "WEBHOOKS_KEY"
	WebhooksSecret  = "WEBHOOKS_SECRET" // deliveries are signed with it
	RPCURL          = "RPC_URL"         // secret because it often contains a key
	MasterKey       = "MASTER_KEY"      // 32 bytes in base64: encrypts the users' tokens
	SandboxToken    = "SANDBOX_TOKEN"   // of the sandbox's control port
	DemoPassword    = "DEMO_PASSWORD"   // of the users that -demo-users creates
	DatabaseURL     = "DATABASE_URL"    // of PostgreSQL
	RedisURL        = "REDIS_URL"
)

// Names lists the secrets.
var Names = []string{
	LendingKey, LeverageKey, PredictMetaKey, SwapKey, ProviderSwapKey, BurnCloseKey, OnchainDataKey, SocialSearchKey,
	WebhooksKey, WebhooksSecret, RPCURL, MasterKey, SandboxToken, DemoPassword, DatabaseURL, RedisURL,
}

const prefix = "WALLETBACKEND_"

// Variable returns the environment variable of a secret.
func Variable(name string) string { return prefix + name }

// Secret looks a secret up. One that is not set is the zero Secret.
func (s *Settings) Secret(name string) (walletfi.Secret, error) {
	if secret, ok := s.secrets[name]; ok {
		return secret, nil
	}
	text, file := os.Getenv(Variable(name)), os.Getenv(Variable(name)+"_FILE")
	switch {
	case text != "" && file != "":
		return walletfi.Secret{}, fmt.Errorf("set %s or %s_FILE, not both", Variable(name), Variable(name))
	case text != "":
		return walletfi.NewSecret(text), nil
	case file == "":
		return walletfi.Secret{}, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return walletfi.Secret{}, fmt.Errorf("%s_FILE: %w", Variable(name), err)
	}
	return walletfi.NewSecret(strings.TrimSpace(string(content))), nil
}
