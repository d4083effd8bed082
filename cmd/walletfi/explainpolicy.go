package main

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

// policyFile is the JSON form of a signing.Policy, with its meanings.
type policyFile struct {
	Pins      map[string][]signing.PublicKey `json:"pins"`
	TypedPins map[string][]signing.Pin       `json:"typedPins"`
	Accounts  []struct {
		Address signing.PublicKey `json:"address"`
		Mint    signing.PublicKey `json:"mint"`
	} `json:"accounts"`
	Keys          []signing.PublicKey `json:"keys"`
	Protected     []signing.PublicKey `json:"protected"`
	Sponsors      []signing.PublicKey `json:"sponsors"`
	CoSigners     []signing.PublicKey `json:"coSigners"`
	LateCoSigners int                 `json:"lateCoSigners"`
	Delegates     []signing.PublicKey `json:"delegates"`
	Mints         []signing.PublicKey `json:"mints"`
	AllowBlind    []string            `json:"allowBlind"` // services

	MaxNetworkFeeLamports *walletfi.Amount `json:"maxNetworkFeeLamports"`
	MaxRentLamports       *walletfi.Amount `json:"maxRentLamports"`
	ForeignRentLamports   walletfi.Amount  `json:"foreignRentLamports"`

	Tokens map[string]signing.TokenInfo `json:"tokens"` // by mint
}

// guard builds the guard of the policy file, the pins and the node.
func (e *explain) guard(service string) (*signing.Guard, error) {
	policy, err := e.policy()
	if err != nil {
		return nil, err
	}
	if len(e.quick.pins) > 0 && service == "" {
		return nil, usage("--pin: state the --service that may call it")
	}
	if e.quick.blind {
		policy.AllowBlind = append(policy.AllowBlind, service)
	}
	for _, text := range e.quick.pins {
		program, err := signing.ParsePublicKey(text)
		if err != nil {
			return nil, usage("--pin: %q is no program id", text)
		}
		if policy.Pins == nil {
			policy.Pins = map[string][]signing.PublicKey{}
		}
		policy.Pins[service] = append(policy.Pins[service], program)
	}
	if e.idlFolder != "" {
		if e.idls, err = signing.LoadIDLs(os.DirFS(e.idlFolder)); err != nil {
			return nil, as(statusMalformed, fmt.Errorf("--idl %s: %w", e.idlFolder, err))
		}
		policy.IDLs = e.idls
	}
	if e.node || e.nodeFile != "" {
		node, err := e.openNode()
		if err != nil {
			return nil, err
		}
		policy.Resolver, policy.Simulator = node, node
	}
	return signing.NewGuard(policy), nil
}

func (e *explain) policy() (signing.Policy, error) {
	var p policyFile
	if e.policyFile != "" {
		b, err := e.readFile(e.policyFile, mostText)
		if err != nil {
			return signing.Policy{}, err
		}
		if err := strictJSON(e.policyFile, b, &p); err != nil {
			return signing.Policy{}, err
		}
	}
	if p.LateCoSigners < 0 {
		return signing.Policy{}, as(statusMalformed, fmt.Errorf("%s: lateCoSigners must not be negative", e.policyFile))
	}
	policy := signing.Policy{
		Pins: p.Pins, TypedPins: p.TypedPins, Keys: p.Keys, Protected: p.Protected,
		Sponsors: p.Sponsors, CoSigners: p.CoSigners, LateCoSigners: p.LateCoSigners, Delegates: p.Delegates,
		Mints: p.Mints, AllowBlind: p.AllowBlind,
		MaxNetworkFeeLamports: p.MaxNetworkFeeLamports, MaxRentLamports: p.MaxRentLamports,
		ForeignRentLamports: p.ForeignRentLamports,
	}
	for _, a := range p.Accounts {
		policy.Accounts = append(policy.Accounts, signing.OwnAccount{Address: a.Address, Mint: a.Mint})
	}
	tokens := signing.TokenList{signing.NativeMint: {Symbol: "SOL", Decimals: 9}}
	for _, text := range slices.Sorted(maps.Keys(p.Tokens)) {
		mint, err := signing.ParsePublicKey(text)
		if err != nil {
			return policy, as(statusMalformed, fmt.Errorf("%s: tokens: %q is no mint", e.policyFile, text))
		}
		tokens[mint] = p.Tokens[text]
	}
	policy.Tokens = tokens
	return policy, nil
}

const nodeVariable = "WALLETFI_NODE_URL"

// openNode returns the node of the environment or of a file. Its URL may hold a key.
func (e *explain) openNode() (*rpcnode.Client, error) {
	read := func() (walletfi.Secret, error) { return secretFromEnv(nodeVariable, "node-file FILE") }
	if e.nodeFile != "" {
		if e.node && os.Getenv(nodeVariable) != "" {
			return nil, usage("--node and --node-file: one of them")
		}
		read = func() (walletfi.Secret, error) { return secretFromFile(e.nodeFile) }
	}
	url, err := read()
	if err != nil {
		return nil, err
	}
	node, err := rpcnode.New(rpcnode.Config{URL: url})
	if err != nil {
		return nil, as(statusSecret, err)
	}
	return node, nil
}
