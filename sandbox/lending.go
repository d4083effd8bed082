package sandbox

import (
	"net/http"
	"time"
)

// lending is the aggregator's side: pools of three tokens over three
// protocols, positions of wallets, withdrawals that cool down, referrers.
type lending struct {
	*Sandbox
	pools     []*lendingPool
	wallets   map[string]*lendingWallet
	referrers map[string]*lendingReferrer
	webhook   string
}

func newLending(s *Sandbox) *service {
	l := &lending{
		Sandbox: s, wallets: map[string]*lendingWallet{}, referrers: map[string]*lendingReferrer{},
		webhook: s.config.LendingWebhook,
	}
	s.lending = l
	l.openPools()
	return &service{
		name: Lending, auth: apiKey, budgets: l.budgets, envelope: lendingEnvelope, routes: l.routes(),
	}
}

func (l *lending) routes() []route {
	return []route{
		{method: "POST", path: "/v1/generate.transactions.deposit", endpoint: handle(l.deposit)},
		{method: "POST", path: "/v1/generate.transactions.withdraw", endpoint: handle(l.withdraw)},
		{method: "POST", path: "/v1/referrer/initialize", endpoint: handle(l.initializeReferrer)},
		{method: "GET", path: "/v1/account/{walletAddress}", endpoint: handle(l.account)},
		{method: "GET", path: "/v1/account/{walletAddress}/history", endpoint: handle(l.history)},
		{method: "GET", path: "/v1/account/{walletAddress}/pending-withdrawals", endpoint: handle(l.pendingWithdrawals)},
		{method: "GET", path: "/v1/pools", endpoint: handle(l.listPools)},
		{method: "GET", path: "/v1/pools/stats", endpoint: handle(l.poolStats)},
		{method: "GET", path: "/v1/rates", endpoint: handle(l.rates)},
		{method: "GET", path: "/v1/referrer/{referrerAddress}", endpoint: handle(l.referrer)},
		{method: "POST", path: "/v1/referrer/claim", endpoint: handle(l.claim)},
	}
}

// budgets are a minute's and a day's, by tier.
func (l *lending) budgets(*call) []budget {
	switch l.tier(Lending) {
	case TierEnterprise:
		return nil
	case TierPro:
		return []budget{{300, time.Minute}, {100_000, 24 * time.Hour}}
	}
	return []budget{{60, time.Minute}, {10_000, 24 * time.Hour}}
}

// The codes of the service's errors.
const (
	lendingInsufficientBalance = "INSUFFICIENT_BALANCE"
	lendingCooldownActive      = "COOLDOWN_ACTIVE"
	lendingCapacityExceeded    = "CAPACITY_EXCEEDED"
)

func lendingEnvelope(c *call, f *failure) reply {
	code := f.Code
	if code == "" {
		switch f.Status {
		case http.StatusUnauthorized:
			code = "UNAUTHORIZED"
		case http.StatusNotFound:
			code = "NOT_FOUND"
		case http.StatusTooManyRequests:
			code = "RATE_LIMITED"
		case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable:
			code = "INTERNAL_ERROR"
		default:
			code = "BAD_REQUEST"
		}
	}
	return reply{body: map[string]any{"error": map[string]string{"code": code, "message": f.Message, "requestId": c.requestID}}}
}
