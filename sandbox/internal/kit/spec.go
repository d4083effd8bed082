package kit

import (
	"net/http"
	"slices"
)

// Service names a service by the package name of its client.
type Service string

// The eleven services, and the sandbox's Solana node, which Fault and
// Violations know under RPC.
const (
	Lending      Service = "lending"
	SmartAccount Service = "smartaccount"
	Leverage     Service = "leverage"
	PredictMeta  Service = "predictmeta"
	Swap         Service = "swap"
	AMM          Service = "amm"
	ProviderSwap Service = "providerswap"
	BurnClose    Service = "burnclose"
	OnchainData  Service = "onchaindata"
	SocialSearch Service = "socialsearch"
	Webhooks     Service = "webhooks"
	RPC          Service = "rpc"
)

// Services returns the eleven services, in the order of their letters.
func Services() []Service {
	return []Service{Lending, SmartAccount, Leverage, PredictMeta, Swap, AMM, ProviderSwap, BurnClose, OnchainData, SocialSearch, Webhooks}
}

func known(s Service) bool { return slices.Contains(Services(), s) }

// Spec is one service's side of the sandbox, as data. All of its functions
// are called with the sandbox's lock held: a service's state needs none of its
// own.
type Spec struct {
	Name Service
	// Prefix goes before the path of each route; inURL puts it into the base
	// URL too.
	Prefix string
	InURL  bool
	// Hosts are further listeners than the main one, by name.
	Hosts []string
	// SharedHosts makes every listener serve every route that names none.
	SharedHosts bool
	// Auth is that of the routes that name none.
	Auth Auth
	// HostAuth is what auth is on a further listener, where it differs.
	HostAuth map[string]Auth
	// Verify decides on the credential that a request carries. Nil means that
	// it must be one of the service's keys.
	Verify func(c *Call) error
	// Budgets are what a request counts against. Nil means no limit.
	Budgets func(c *Call) []Budget
	// LimitHeader writes the headers of a limit's state into every answer of a
	// request that counts against one. Nil means Retry-After on a 429.
	LimitHeader func(h http.Header, state LimitState)
	// Envelope writes an error as the service does.
	Envelope func(c *Call, f *Failure) Reply
	// Success wraps what a handler returned. Nil means as it is.
	Success func(c *Call, body any) any
	Routes  []Route
	// Feed is a WebSocket on one of the hosts. May be nil.
	Feed *Feed
}

// path is the whole path of a route on the wire.
func (v *Spec) path(r *Route) string { return v.Prefix + r.Path }
