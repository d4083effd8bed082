package webhooks

import (
	"encoding/json"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Template is the id of a template: what a webhook watches. The set is open: the
// ids of the wallet filters of the ledger chain and the UTXO chain contain the
// chain's name, such as Template("solanaWalletFilter").
type Template string

// The templates whose ids are fixed.
const (
	TemplateEVMWalletFilter   Template = "evmWalletFilter"   // transactions to or from wallets
	TemplateEVMContractEvents Template = "evmContractEvents" // events that contracts emit
	TemplateEVMABIFilter      Template = "evmAbiFilter"      // calls or events decoded by an ABI
)

// TemplateArgs are the arguments of a template: [WalletFilter], [ContractEvents] or
// [RawArgs].
type TemplateArgs interface {
	json.Marshaler
	// problem returns what is wrong with the arguments for template t. An empty t
	// means the template of an existing webhook.
	problem(t Template) error
}

// WalletFilter watches wallets, with any template that filters by wallet.
type WalletFilter struct {
	Addresses []string
}

// MarshalJSON writes {addresses}.
func (f WalletFilter) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string][]string{"addresses": f.Addresses})
}

func (f WalletFilter) problem(t Template) error {
	return check.All(
		check.That(t != TemplateEVMContractEvents && t != TemplateEVMABIFilter, "templateArgs",
			"a WalletFilter does not fit "+string(t)),
		check.That(len(f.Addresses) > 0, "templateArgs.addresses", "must not be empty"),
		check.Each("templateArgs.addresses", f.Addresses, check.Required[string]),
	)
}

// ContractEvents watches events of contracts, with [TemplateEVMContractEvents].
type ContractEvents struct {
	Contracts []string // addresses
	Events    []string // signatures, such as "Transfer(address,address,uint256)"
}

// MarshalJSON writes {contracts, events}.
func (e ContractEvents) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string][]string{"contracts": e.Contracts, "events": e.Events})
}

func (e ContractEvents) problem(t Template) error {
	return check.All(
		check.That(t == "" || t == TemplateEVMContractEvents, "templateArgs", "ContractEvents does not fit "+string(t)),
		check.That(len(e.Contracts) > 0, "templateArgs.contracts", "must not be empty"),
		check.That(len(e.Events) > 0, "templateArgs.events", "must not be empty"),
		check.Each("templateArgs.contracts", e.Contracts, check.Required[string]),
		check.Each("templateArgs.events", e.Events, check.Required[string]),
	)
}

// RawArgs is the JSON object of a template whose arguments are not documented.
type RawArgs walletfi.Document

// MarshalJSON returns the object as it is.
func (a RawArgs) MarshalJSON() ([]byte, error) { return walletfi.Document(a).MarshalJSON() }

func (a RawArgs) problem(Template) error {
	var object map[string]json.RawMessage
	if json.Unmarshal(a, &object) != nil || object == nil {
		return check.That(false, "templateArgs", "must be a JSON object")
	}
	return check.That(wire.Once(a) == nil, "templateArgs", "must not have a member twice")
}
