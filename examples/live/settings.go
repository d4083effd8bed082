package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/signing"
)

// settings are the file of -config. Paths in it are relative to the working folder. No
// secret is in it.
type settings struct {
	Lending     string              `json:"lending"`    // base URL of the service
	Tier        lending.Tier        `json:"tier"`       // of the API key; empty is the free one
	Deployment  string              `json:"deployment"` // file of the vendor's words, empty if they do not differ
	Mint        string              `json:"mint"`       // token to deposit
	DepositType lending.DepositType `json:"depositType"`
	Wallet      string              `json:"wallet"`         // key file as solana-keygen writes it
	Journal     string              `json:"journal"`        // file of what was signed and sent
	Pins        string              `json:"pins"`           // file that -accept writes
	MaxFee      walletfi.Amount     `json:"maxFeeLamports"` // the most that landing one transaction may cost
	// The most that may leave within 24 hours: of the mint in its smallest units, of SOL in
	// lamports, with fees, tips and rent.
	MostPerDay         walletfi.Amount `json:"mostPerDay"`
	MostLamportsPerDay walletfi.Amount `json:"mostLamportsPerDay"`
}

// The variables that hold the secrets: a node's URL often has a key in it.
const apiKey, nodeURLs = "LENDING_API_KEY", "RPC_URLS"

// load reads the file, and looks whether the variables are set.
func load(path string) (*settings, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &settings{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var lacking []string
	for _, f := range []struct{ name, value string }{
		{"lending", s.Lending}, {"mint", s.Mint}, {"depositType", string(s.DepositType)}, {"wallet", s.Wallet},
		{"journal", s.Journal}, {"pins", s.Pins}, {"maxFeeLamports", said(s.MaxFee)},
		{"mostPerDay", said(s.MostPerDay)}, {"mostLamportsPerDay", said(s.MostLamportsPerDay)},
		{"variable " + apiKey, os.Getenv(apiKey)}, {"variable " + nodeURLs, strings.TrimSpace(os.Getenv(nodeURLs))},
	} {
		if f.value == "" {
			lacking = append(lacking, f.name)
		}
	}
	if lacking != nil {
		return nil, fmt.Errorf("%s: missing: %s", path, strings.Join(lacking, ", "))
	}
	return s, nil
}

// said is empty for a number that the file does not have, or has as 0.
func said(n walletfi.Amount) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// pins say which instructions of which programs each service may call.
type pins map[string][]signing.Pin

// loadPins reads a file of pins. Without a file nothing is pinned, and the guard refuses
// whatever calls a program of the service's.
func loadPins(path string) (p pins, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return nil, fmt.Errorf("pins: %s: %w", path, err)
	}
	return p, nil
}
