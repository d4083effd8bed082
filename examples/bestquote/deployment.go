package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// deployment holds the addresses of everything. The file of -live holds it as
// JSON. Secrets come from the environment: SWAP_API_KEY, PROVIDERSWAP_API_KEY,
// and RPC_URL, because the URL of a node often contains its key.
type deployment struct {
	Swap         string `json:"swap"`
	AMMTrade     string `json:"ammTrade"`
	AMMData      string `json:"ammData"`
	ProviderSwap string `json:"providerswap"`
	// Pins are the programs that each service may call, by amm, swap and
	// providerswap.
	Pins map[string][]signing.PublicKey `json:"pins"`
	// Wallet is a key file as solana-keygen writes it.
	Wallet string `json:"wallet"`

	rpc, swapKey, providerKey walletfi.Secret
	signer                    *signing.LocalKey
	send                      bool   // otherwise only check
	journal                   string // file of what was signed and sent
	close                     func()
}

// sandboxed starts the sandbox.
func sandboxed(c sandbox.Config) (*deployment, error) {
	folder, err := os.MkdirTemp("", "bestquote")
	if err != nil {
		return nil, err
	}
	s, err := sandbox.Start(c)
	if err != nil {
		os.RemoveAll(folder)
		return nil, err
	}
	key, err := signing.NewLocalKey(s.Wallet())
	if err != nil {
		s.Close()
		os.RemoveAll(folder)
		return nil, err
	}
	pins := map[string][]signing.PublicKey{}
	for _, service := range []sandbox.Service{sandbox.Swap, sandbox.AMM, sandbox.ProviderSwap} {
		pins[string(service)] = []signing.PublicKey{signing.MustPublicKey(s.ProgramID(service))}
	}
	return &deployment{
		Swap: s.URL(sandbox.Swap), AMMTrade: s.URL(sandbox.AMM), AMMData: s.AMM().DataURL(),
		ProviderSwap: s.URL(sandbox.ProviderSwap),
		Pins:         pins, rpc: walletfi.NewSecret(s.URL(sandbox.RPC)),
		swapKey: walletfi.NewSecret(s.APIKey(sandbox.Swap)), providerKey: walletfi.NewSecret(s.APIKey(sandbox.ProviderSwap)),
		signer: key, send: true, journal: filepath.Join(folder, "journal"),
		close: func() { s.Close(); os.RemoveAll(folder) },
	}, nil
}

// load reads the file of a deployment.
func load(path string) (*deployment, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := &deployment{close: func() {}}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d.rpc = walletfi.NewSecret(os.Getenv("RPC_URL"))
	d.swapKey = walletfi.NewSecret(os.Getenv("SWAP_API_KEY"))
	d.providerKey = walletfi.NewSecret(os.Getenv("PROVIDERSWAP_API_KEY"))
	d.signer, err = signing.LoadLocalKey(d.Wallet)
	return d, err
}
