package play

import "crypto/ed25519"

// Tenant is one of many users of a sandbox who do not meet: each has keys, rate limits, a wallet
// and violations of its own, and its own webhooks. A request is a tenant's if it carries a key of
// the tenant, or if it comes by an address of the tenant's: see [TenantAccess]. The ledger, the
// market and the clock are common to all.
type Tenant struct {
	// Name has 1 to 32 of the characters a to z, 0 to 9 and the hyphen.
	Name string
	// Keys are the tenant's keys or bearer tokens: printable ASCII without blanks, no two the
	// same. A service that is absent has one that Config.Seed and Name determine. Smartaccount
	// takes none.
	Keys map[Service]string
}

// TenantAccess is all that a tenant's programs need.
type TenantAccess struct {
	Name     string
	Services []ServiceAccess // and the node
	Address  string          // of the wallet, base58
	Keypair  []int           // the wallet's key, as a Solana key file has it
}

// ServiceAccess is all that a program needs to call a service.
type ServiceAccess struct {
	Service Service
	Host    string // of an additional address, empty for the main one
	URL     string
	Key     string // empty if the service takes none
	Header  string // in which the key goes; a bearer token has the word Bearer before it
	Program string // to pin in a guard
}

// URL is the base URL of a service's main address for the tenant.
func (t TenantAccess) URL(service Service) string { return t.of(service).URL }

// Key is the key or bearer token of the tenant that a service takes, empty if it takes none.
func (t TenantAccess) Key(service Service) string { return t.of(service).Key }

func (t TenantAccess) of(service Service) ServiceAccess {
	for _, s := range t.Services {
		if s.Service == service && s.Host == "" {
			return s
		}
	}
	return ServiceAccess{}
}

// Wallet is the key of the tenant's wallet, which has what Sandbox.Wallet has at the start.
func (t TenantAccess) Wallet() ed25519.PrivateKey {
	key := make(ed25519.PrivateKey, len(t.Keypair))
	for i, b := range t.Keypair {
		key[i] = byte(b)
	}
	return key
}
