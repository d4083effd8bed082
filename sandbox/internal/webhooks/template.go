package webhooks

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"
	"golang.org/x/crypto/sha3"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// The templates whose id carries a chain's name, as the sandbox names its two.
const (
	// LedgerWalletFilter watches the sandbox's own ledger.
	LedgerWalletFilter = "solanaWalletFilter"
	// UTXOWalletFilter watches what EmitUTXO makes happen.
	UTXOWalletFilter = "bitcoinWalletFilter"
)

// The templates whose id is documented. EmitEVM makes something happen.
const (
	evmWallets   = "evmWalletFilter"
	evmContracts = "evmContractEvents"
	evmabi       = "evmAbiFilter"
)

// filter has the addresses and topics that a webhook watches.
type filter struct {
	addresses []string // wallets, or contracts; EVM's in lower case
	topics    []string // of events, hex
}

// Topic is the topic under which an EVM contract logs an event: the Keccak-256 hash of
// its signature.
func Topic(event string) string {
	hash := sha3.NewLegacyKeccak256()
	hash.Write([]byte(event))
	return "0x" + hex.EncodeToString(hash.Sum(nil))
}

func (f filter) watches(address string) bool { return slices.Contains(f.addresses, address) }

type walletArguments struct {
	Addresses []string `body:"addresses,required" open:"addresses of the template's chain"`
}

type contractArguments struct {
	Contracts []string `body:"contracts,required" open:"addresses of the template's chain"`
	Events    []string `body:"events,required" pattern:"^[A-Za-z_$][A-Za-z0-9_$]*\\([A-Za-z0-9,()\\[\\]]*\\)$"`
}

var evmAddress = regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`)

// readArguments reads the arguments of a template as strictly as a body. Those of
// the ABI filter are not documented, and nothing is known of those of a template
// that does not exist.
func readArguments(template string, raw json.RawMessage) (filter, []string) {
	switch template {
	case evmContracts:
		return readContracts(raw)
	case evmWallets, LedgerWalletFilter, UTXOWalletFilter:
		return readWallets(template, raw)
	}
	return filter{}, nil
}

// exists refuses a template that there is not.
func exists(template string) {
	if slices.Contains([]string{evmabi, evmContracts, evmWallets, LedgerWalletFilter, UTXOWalletFilter}, template) {
		return
	}
	panic(kit.Refuse(http.StatusNotFound, "", "there is no template %s", template))
}

func read[T any](raw json.RawMessage) (arguments T, problems []string) {
	problems = kit.ReadJSON(raw, reflect.ValueOf(&arguments).Elem(), "templateArgs")
	return arguments, problems
}

func readWallets(template string, raw json.RawMessage) (f filter, problems []string) {
	arguments, problems := read[walletArguments](raw)
	for _, a := range arguments.Addresses {
		good := a != ""
		switch template {
		case evmWallets:
			good, a = evmAddress.MatchString(a), strings.ToLower(a)
		case LedgerWalletFilter:
			_, err := solana.PublicKeyFromBase58(a)
			good = err == nil
		}
		if a != "" && !good {
			problems = append(problems, fmt.Sprintf("templateArgs.addresses has %q, which is no address", a))
		}
		f.addresses = append(f.addresses, a)
	}
	return f, problems
}

func readContracts(raw json.RawMessage) (f filter, problems []string) {
	arguments, problems := read[contractArguments](raw)
	for _, a := range arguments.Contracts {
		if a != "" && !evmAddress.MatchString(a) {
			problems = append(problems, fmt.Sprintf("templateArgs.contracts has %q, which is no address", a))
		}
		f.addresses = append(f.addresses, strings.ToLower(a))
	}
	for _, e := range arguments.Events {
		f.topics = append(f.topics, Topic(e))
	}
	return f, problems
}
