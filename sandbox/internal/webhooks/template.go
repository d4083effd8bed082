package webhooks

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

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

func (f filter) watches(address string) bool { return slices.Contains(f.addresses, address) }

type walletArguments struct {
	Addresses []string `body:"addresses,required"`
}

type contractArguments struct {
	Contracts []string `body:"contracts,required"`
	Events    []string `body:"events,required"`
}

var (
	evmAddress = regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`)
	event      = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*\([A-Za-z0-9,()\[\]]*\)$`)
)

// readArguments reads the arguments of a template. Those of the ABI
// filter are not documented and may be any object.
func readArguments(c *kit.Call, template string, raw json.RawMessage) (filter, error) {
	switch template {
	case evmabi:
		if _, _, err := kit.Members(raw); err != nil {
			return filter{}, kit.Refuse(http.StatusBadRequest, "", "templateArgs is not an object")
		}
		return filter{}, nil
	case evmContracts:
		return readContracts(c, raw)
	case evmWallets, LedgerWalletFilter, UTXOWalletFilter:
		return readWallets(c, template, raw)
	}
	return filter{}, kit.Refuse(http.StatusNotFound, "", "there is no template %s", template)
}

// read reads arguments whose fields are documented as strictly as a
// body.
func read[T any](c *kit.Call, raw json.RawMessage) (arguments T, err error) {
	problems := kit.ReadObject(raw, kit.FieldsOf(reflect.TypeFor[T]()), reflect.ValueOf(&arguments).Elem(), "templateArgs")
	for _, p := range problems {
		c.Violate(p)
	}
	if len(problems) > 0 {
		err = kit.Refuse(http.StatusBadRequest, "", problems[0])
	}
	return arguments, err
}

func readWallets(c *kit.Call, template string, raw json.RawMessage) (f filter, err error) {
	arguments, err := read[walletArguments](c, raw)
	if err != nil {
		return f, err
	}
	if len(arguments.Addresses) == 0 {
		return f, kit.Refuse(http.StatusBadRequest, "", "addresses are empty")
	}
	for _, a := range arguments.Addresses {
		good := a != ""
		switch template {
		case evmWallets:
			good, a = evmAddress.MatchString(a), strings.ToLower(a)
		case LedgerWalletFilter:
			_, err := solana.PublicKeyFromBase58(a)
			good = err == nil
		}
		if !good {
			return f, kit.Refuse(http.StatusBadRequest, "", "%q is no address", a)
		}
		f.addresses = append(f.addresses, a)
	}
	return f, nil
}

func readContracts(c *kit.Call, raw json.RawMessage) (f filter, err error) {
	arguments, err := read[contractArguments](c, raw)
	if err != nil {
		return f, err
	}
	if len(arguments.Contracts) == 0 || len(arguments.Events) == 0 {
		return f, kit.Refuse(http.StatusBadRequest, "", "contracts or events are empty")
	}
	for _, a := range arguments.Contracts {
		if !evmAddress.MatchString(a) {
			return f, kit.Refuse(http.StatusBadRequest, "", "%q is no address", a)
		}
		f.addresses = append(f.addresses, strings.ToLower(a))
	}
	for _, e := range arguments.Events {
		if !event.MatchString(e) {
			return f, kit.Refuse(http.StatusBadRequest, "", "%q is not an event signature", e)
		}
		f.topics = append(f.topics, Topic(e))
	}
	return f, nil
}
