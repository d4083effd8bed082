package sandbox

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

// constructors makes each service's side, in the order of Services.
var constructors = []func(*Sandbox) *service{
	newLending, newSmartAccount, newLeverage, newPredictMeta, newSwap, newAMM,
	newProviderSwap, newBurnClose, newOnchainData, newSocialSearch, newWebhooks,
}

// service is one service's side of the sandbox, as data. All of its functions
// are called with the sandbox's lock held: a service's state needs none of its
// own.
type service struct {
	name Service
	// prefix goes before the path of each route; inURL puts it into the base
	// URL too.
	prefix string
	inURL  bool
	// hosts are further listeners beside the main one, by name.
	hosts []string
	// sharedHosts makes every listener serve every route that names none.
	sharedHosts bool
	// auth is that of the routes that name none.
	auth auth
	// hostAuth is what auth is on a further listener, where it differs.
	hostAuth map[string]auth
	// verify decides on the credential that a request carries. Nil means that
	// it must be one of the service's keys.
	verify func(c *call) error
	// budgets are what a request counts against. Nil means no limit.
	budgets func(c *call) []budget
	// limitHeader writes the headers of a limit's state into every answer of a
	// request that counts against one. Nil means Retry-After on a 429.
	limitHeader func(h http.Header, state limitState)
	// envelope writes an error as the service does.
	envelope func(c *call, f *failure) reply
	// success wraps what a handler returned. Nil means as it is.
	success func(c *call, body any) any
	routes  []route
	// feed is a WebSocket on one of the hosts. May be nil.
	feed *feed
}

// path is the whole path of a route on the wire.
func (v *service) path(r *route) string { return v.prefix + r.path }
