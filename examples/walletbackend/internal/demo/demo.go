// Package demo runs the backend on the sandbox: all services and a node in this
// process, with users who have money.
package demo

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/url"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// publicHost is the name under which the sandbox reaches the backend. A webhook's
// destination must be https; here the sandbox's HTTP client leads this name to the
// backend's own address, as a proxy with a certificate does in production.
const publicHost = "walletbackend.example"

// Start starts a sandbox for a backend that listens at address, and returns the
// settings to run the backend on it.
func Start(c sandbox.Config, address string) (*sandbox.Sandbox, *settings.Settings, error) {
	c.WebhookClient = &http.Client{Transport: toBackend(address)}
	if c.Control == nil {
		c.Control = &sandbox.ControlPort{}
	}
	s, err := sandbox.Start(c)
	if err != nil {
		return nil, nil, err
	}
	return s, settingsOf(s), nil
}

// toBackend sends every request to the backend's address.
type toBackend string

func (address toBackend) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL = &url.URL{Scheme: "http", Host: string(address), Path: r.URL.Path, RawQuery: r.URL.RawQuery}
	return http.DefaultTransport.RoundTrip(r)
}

// settingsOf returns the settings that a deployment has in its file and its secrets.
func settingsOf(s *sandbox.Sandbox) *settings.Settings {
	pins := map[string][]signing.PublicKey{}
	for _, service := range sandbox.Services() {
		pins[string(service)] = []signing.PublicKey{signing.MustPublicKey(s.ProgramID(service))}
	}
	plain := settings.Settings{
		Services: settings.Services{
			Lending: s.URL(sandbox.Lending), SmartAccount: s.URL(sandbox.SmartAccount), Leverage: s.URL(sandbox.Leverage),
			PredictMeta: s.URL(sandbox.PredictMeta), Swap: s.URL(sandbox.Swap),
			AMMTrade: s.URL(sandbox.AMM), AMMData: s.AMM().DataURL(),
			ProviderSwap: s.URL(sandbox.ProviderSwap), BurnClose: s.URL(sandbox.BurnClose),
			OnchainData: s.URL(sandbox.OnchainData), OnchainDataTier: "demo",
			SocialSearch: s.URL(sandbox.SocialSearch), Webhooks: s.URL(sandbox.Webhooks),
		},
		Network: "solana", WebhookNetwork: "solana-mainnet", WebhookTemplate: string(sandbox.LedgerWalletFilter),
		PublicURL: "https://" + publicHost, Pins: pins, SandboxControl: s.URL(sandbox.Control),
	}
	secrets := map[string]walletfi.Secret{
		settings.RPCURL:         walletfi.NewSecret(s.URL(sandbox.RPC)),
		settings.WebhooksSecret: walletfi.NewSecret(s.Webhooks().Secret()),
		settings.SandboxToken:   walletfi.NewSecret(s.APIKey(sandbox.Control)),
		settings.DemoPassword:   walletfi.NewSecret(rand.Text()),
	}
	for name, service := range map[string]sandbox.Service{
		settings.LendingKey:      sandbox.Lending,
		settings.LeverageKey:     sandbox.Leverage,
		settings.PredictMetaKey:  sandbox.PredictMeta,
		settings.SwapKey:         sandbox.Swap,
		settings.ProviderSwapKey: sandbox.ProviderSwap,
		settings.BurnCloseKey:    sandbox.BurnClose,
		settings.OnchainDataKey:  sandbox.OnchainData,
		settings.SocialSearchKey: sandbox.SocialSearch,
		settings.WebhooksKey:     sandbox.Webhooks,
	} {
		secrets[name] = walletfi.NewSecret(s.APIKey(service))
	}
	return plain.WithSecrets(secrets)
}

// NewMasterKey draws a master key.
func NewMasterKey() walletfi.Secret {
	key := make([]byte, 32)
	rand.Read(key)
	return walletfi.NewSecret(base64.StdEncoding.EncodeToString(key))
}
