package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
)

// deployment holds the addresses of the services. The file of -live holds it as JSON.
// Secrets come from the environment: SWAP_API_KEY, MARKETS_API_KEY, CANDLES_API_KEY,
// and RPC_URL, because the URL of a node often contains its key.
type deployment struct {
	Swap    string `json:"swap"`
	Markets string `json:"markets"` // of prediction markets
	Feed    string `json:"feed"`    // their WebSocket
	Candles string `json:"candles"` // of tokens
	// Pins are the programs that the swap service may call.
	Pins []signing.PublicKey `json:"pins"`
	// Wallet is a key file as solana-keygen writes it, absent with -signer.
	Wallet string `json:"wallet"`
	USDC   string `json:"usdc"` // mint

	rpc, swapKey, marketsKey, candlesKey walletfi.Secret

	signer    signing.Signer
	submitter func(walletfi.Submitter) walletfi.Submitter // the sandbox's, which disturbs; nil for none
	clock     walletfi.Clock                              // nil is real time
	pace      pace
}

// pace is how often the wallet and the desk ask. The zero value means the SDK's own
// pace; a test on a fast ledger asks more often.
type pace struct{ poll, resend, slot, order time.Duration }

// behind has the signer at a Unix socket sign, for the only owner that it has for this user.
func (d *deployment) behind(ctx context.Context, socket string) error {
	key, err := client.Dial(ctx, socket, "")
	if err != nil {
		return err
	}
	d.signer = key
	return nil
}

// load reads the file of a deployment, whose key a signer may hold. A field that is unknown or missing, and a
// missing variable, is an error that names it.
func load(ctx context.Context, path, socket string) (*deployment, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := &deployment{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(d); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, field := range []struct {
		name string
		set  bool
	}{
		{"swap", d.Swap != ""}, {"markets", d.Markets != ""}, {"feed", d.Feed != ""}, {"candles", d.Candles != ""},
		{"pins", len(d.Pins) > 0}, {"wallet", d.Wallet != "" || socket != ""}, {"usdc", d.USDC != ""},
	} {
		if !field.set {
			return nil, fmt.Errorf("%s: %s is missing", path, field.name)
		}
	}
	for _, name := range []string{"RPC_URL", "SWAP_API_KEY", "MARKETS_API_KEY", "CANDLES_API_KEY"} {
		if os.Getenv(name) == "" {
			return nil, fmt.Errorf("the environment variable %s is not set", name)
		}
	}
	d.rpc = walletfi.NewSecret(os.Getenv("RPC_URL"))
	d.swapKey = walletfi.NewSecret(os.Getenv("SWAP_API_KEY"))
	d.marketsKey = walletfi.NewSecret(os.Getenv("MARKETS_API_KEY"))
	d.candlesKey = walletfi.NewSecret(os.Getenv("CANDLES_API_KEY"))
	if socket != "" {
		return d, d.behind(ctx, socket)
	}
	key, err := signing.LoadLocalKey(d.Wallet)
	if err != nil {
		return nil, err
	}
	d.signer = key
	return d, nil
}
