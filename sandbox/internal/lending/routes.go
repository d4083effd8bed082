// Package lending is the lending service of the sandbox.
package lending

import (
	"cmp"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Service is the lending aggregator: pools of three tokens over three
// protocols, positions of wallets, withdrawals that cool down, referrers.
type Service struct {
	*build.Chain
	pools     []*pool
	wallets   map[string]*wallet
	referrers map[string]*referrer
	webhook   string
}

// New makes the service and its specification for the kit.
func New(c *build.Chain) (*Service, *kit.Spec) {
	l := &Service{
		Chain: c, wallets: map[string]*wallet{}, referrers: map[string]*referrer{},
		webhook: c.Config.LendingWebhook,
	}
	l.openPools()
	return l, &kit.Spec{
		Name: play.Lending, Auth: kit.HeaderKey, Budgets: l.budgets, Envelope: envelope, Routes: l.routes(),
	}
}

func (l *Service) routes() []kit.Route {
	return []kit.Route{
		{Method: "POST", Path: "/v1/generate.transactions.deposit", Endpoint: kit.Handle(l.deposit)},
		{Method: "POST", Path: "/v1/generate.transactions.withdraw", Endpoint: kit.Handle(l.withdraw)},
		{Method: "POST", Path: "/v1/referrer/initialize", Endpoint: kit.Handle(l.initializeReferrer)},
		{Method: "GET", Path: "/v1/account/{walletAddress}", Endpoint: kit.Handle(l.account)},
		{Method: "GET", Path: "/v1/account/{walletAddress}/history", Endpoint: kit.Handle(l.history)},
		{Method: "GET", Path: "/v1/account/{walletAddress}/pending-withdrawals", Endpoint: kit.Handle(l.pendingWithdrawals)},
		{Method: "GET", Path: "/v1/pools", Endpoint: kit.Handle(l.listPools)},
		{Method: "GET", Path: "/v1/pools/stats", Endpoint: kit.Handle(l.poolStats)},
		{Method: "GET", Path: "/v1/rates", Endpoint: kit.Handle(l.rates)},
		{Method: "GET", Path: "/v1/referrer/{referrerAddress}", Endpoint: kit.Handle(l.referrer)},
		{Method: "POST", Path: "/v1/referrer/claim", Endpoint: kit.Handle(l.claim)},
	}
}

// budgets returns the limits per minute and per day of the tier.
func (l *Service) budgets(*kit.Call) []kit.Budget {
	switch l.Tier(play.Lending) {
	case play.TierEnterprise:
		return nil
	case play.TierPro:
		return []kit.Budget{{N: 300, Window: time.Minute}, {N: 100_000, Window: 24 * time.Hour}}
	}
	return []kit.Budget{{N: 60, Window: time.Minute}, {N: 10_000, Window: 24 * time.Hour}}
}

// The codes of the service's errors.
const (
	insufficientBalance = "INSUFFICIENT_BALANCE"
	cooldownActive      = "COOLDOWN_ACTIVE"
	capacityExceeded    = "CAPACITY_EXCEEDED"
)

// codes are those that follow from the status.
var codes = map[int]string{
	http.StatusUnauthorized: "UNAUTHORIZED", http.StatusNotFound: "NOT_FOUND", http.StatusTooManyRequests: "RATE_LIMITED",
	http.StatusInternalServerError: "INTERNAL_ERROR", http.StatusBadGateway: "INTERNAL_ERROR",
	http.StatusServiceUnavailable: "INTERNAL_ERROR",
}

func envelope(c *kit.Call, f *kit.Failure) kit.Reply {
	code := cmp.Or(f.Code, codes[f.Status], "BAD_REQUEST")
	return kit.Reply{
		Body: map[string]any{"error": map[string]string{"code": code, "message": f.Message, "requestId": c.RequestID}},
	}
}
