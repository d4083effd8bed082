package sandbox

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"
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
	webhooksEVMWallets   = "evmWalletFilter"
	webhooksEVMContracts = "evmContractEvents"
	webhooksEVMABI       = "evmAbiFilter"
)

// webhooksFilter is what a webhook watches.
type webhooksFilter struct {
	addresses []string // wallets, or contracts; EVM's in lower case
	topics    []string // of events, hex
}

func (f webhooksFilter) watches(address string) bool { return slices.Contains(f.addresses, address) }

type webhooksWalletArguments struct {
	Addresses []string `body:"addresses,required"`
}

type webhooksContractArguments struct {
	Contracts []string `body:"contracts,required"`
	Events    []string `body:"events,required"`
}

var (
	webhooksEVMAddress = regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`)
	webhooksEvent      = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*\([A-Za-z0-9,()\[\]]*\)$`)
)

// webhooksReadArguments reads the arguments of a template. Those of the ABI
// filter are not documented and may be any object.
func webhooksReadArguments(c *call, template string, raw json.RawMessage) (webhooksFilter, error) {
	switch template {
	case webhooksEVMABI:
		if _, _, err := members(raw); err != nil {
			return webhooksFilter{}, refuse(http.StatusBadRequest, "", "templateArgs is not an object")
		}
		return webhooksFilter{}, nil
	case webhooksEVMContracts:
		return webhooksReadContracts(c, raw)
	case webhooksEVMWallets, LedgerWalletFilter, UTXOWalletFilter:
		return webhooksReadWallets(c, template, raw)
	}
	return webhooksFilter{}, refuse(http.StatusNotFound, "", "there is no template %s", template)
}

// webhooksRead reads arguments whose fields are documented as strictly as a
// body.
func webhooksRead[T any](c *call, raw json.RawMessage) (arguments T, err error) {
	problems := readObject(raw, fieldsOf(reflect.TypeFor[T]()), reflect.ValueOf(&arguments).Elem(), "templateArgs")
	for _, p := range problems {
		c.violate(p)
	}
	if len(problems) > 0 {
		err = refuse(http.StatusBadRequest, "", problems[0])
	}
	return arguments, err
}

func webhooksReadWallets(c *call, template string, raw json.RawMessage) (f webhooksFilter, err error) {
	arguments, err := webhooksRead[webhooksWalletArguments](c, raw)
	if err != nil {
		return f, err
	}
	if len(arguments.Addresses) == 0 {
		return f, refuse(http.StatusBadRequest, "", "addresses are empty")
	}
	for _, a := range arguments.Addresses {
		good := a != ""
		switch template {
		case webhooksEVMWallets:
			good, a = webhooksEVMAddress.MatchString(a), strings.ToLower(a)
		case LedgerWalletFilter:
			_, err := solana.PublicKeyFromBase58(a)
			good = err == nil
		}
		if !good {
			return f, refuse(http.StatusBadRequest, "", "%q is no address", a)
		}
		f.addresses = append(f.addresses, a)
	}
	return f, nil
}

func webhooksReadContracts(c *call, raw json.RawMessage) (f webhooksFilter, err error) {
	arguments, err := webhooksRead[webhooksContractArguments](c, raw)
	if err != nil {
		return f, err
	}
	if len(arguments.Contracts) == 0 || len(arguments.Events) == 0 {
		return f, refuse(http.StatusBadRequest, "", "contracts or events are empty")
	}
	for _, a := range arguments.Contracts {
		if !webhooksEVMAddress.MatchString(a) {
			return f, refuse(http.StatusBadRequest, "", "%q is no address", a)
		}
		f.addresses = append(f.addresses, strings.ToLower(a))
	}
	for _, e := range arguments.Events {
		if !webhooksEvent.MatchString(e) {
			return f, refuse(http.StatusBadRequest, "", "%q is no event signature", e)
		}
		f.topics = append(f.topics, webhooksTopic(e))
	}
	return f, nil
}
