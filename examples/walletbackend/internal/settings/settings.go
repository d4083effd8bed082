// Package settings reads what the backend is configured by: one JSON file with
// the addresses of everything, and secrets from the environment or from files.
package settings

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// Settings is the JSON file of -config.
type Settings struct {
	Services Services `json:"services"`
	// Network is the ledger's name in the words of onchaindata, and
	// WebhookNetwork in those of webhooks.
	Network        string `json:"network"`
	WebhookNetwork string `json:"webhookNetwork"`
	// WebhookTemplate is the template that filters this ledger by wallet.
	WebhookTemplate string `json:"webhookTemplate"`
	// PublicURL is the https address at which services reach this program, for
	// webhooks. Empty registers no webhook.
	PublicURL string `json:"publicURL"`
	// Pins are the programs that each service may call, by the service's package
	// name. No service documents its program ids: find them out and pin them.
	Pins map[string][]signing.PublicKey `json:"pins"`
	// SignerPage is the address of the signer's own page, where its approvers approve what is
	// more than users may pay without them. Empty shows them the command alone.
	SignerPage string `json:"signerPage,omitempty"`
	// SandboxControl is the control port's address, if the services are a
	// sandbox. The page then has switches for attacks and prices.
	SandboxControl string `json:"sandboxControl,omitempty"`

	// secrets are looked up before the environment, by the same names.
	secrets map[string]walletfi.Secret
}

// Services are the base URLs of the eleven services.
type Services struct {
	Lending      string `json:"lending"`
	SmartAccount string `json:"smartaccount"`
	Leverage     string `json:"leverage"`
	PredictMeta  string `json:"predictmeta"`
	Swap         string `json:"swap"`
	AMMTrade     string `json:"ammTrade"`
	AMMData      string `json:"ammData"`
	ProviderSwap string `json:"providerswap"`
	BurnClose    string `json:"burnclose"`
	// OnchainData is the URL of the tier that OnchainDataTier names: demo or pro.
	OnchainData     string `json:"onchaindata"`
	OnchainDataTier string `json:"onchaindataTier"`
	SocialSearch    string `json:"socialsearch"`
	Webhooks        string `json:"webhooks"`
}

// Load reads the file at path. A field that is unknown, missing or wrong is an error
// that names it.
func Load(path string) (*Settings, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s := &Settings{}
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// WithSecrets returns a copy with secrets that take precedence over the
// environment.
func (s Settings) WithSecrets(secrets map[string]walletfi.Secret) *Settings {
	s.secrets = secrets
	return &s
}
