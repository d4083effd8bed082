// Package smartaccount is the smart account service of the sandbox.
package smartaccount

import (
	"cmp"
	"crypto/ed25519"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Service is the smart account service: users who sign in, and accounts, which
// are wallets on the ledger whose keys the service holds.
type Service struct {
	*build.Chain
	users    map[string]*user          // by email address
	access   *kit.Shelf[string, token] // by token
	refresh  *kit.Shelf[string, token] // by token
	passkeys map[string]*user          // by credential id
	wallets  map[string]*wallet        // by id
	// Sponsor pays the fees of the transactions that accounts execute.
	Sponsor       ed25519.PrivateKey
	authenticator authenticator
	// silent is how many of the next requests get success:false under HTTP 200.
	silent int
}

// New makes the service and its specification for the kit.
func New(c *build.Chain) (*Service, *kit.Spec) {
	b := &Service{
		Chain: c, users: map[string]*user{}, access: kit.NewShelf[string, token](c.Core, accessLife, 0),
		refresh: kit.NewShelf[string, token](c.Core, refreshLife, 0), passkeys: map[string]*user{},
		wallets: map[string]*wallet{}, Sponsor: c.Keypair("smartaccount sponsor"),
	}
	b.authenticator.keys = map[string]int{}
	c.Airdrop(build.PublicKey(b.Sponsor), 1_000*build.LamportsPerSOL)
	return b, &kit.Spec{
		Name: play.SmartAccount, Prefix: "/api/v1", InURL: true, Opaque: []string{"attestation", "assertion"},
		Auth: kit.Bearer, Verify: b.verifyToken,
		Budgets: budgets, LimitHeader: kit.LimitHeaders("X-RateLimit"),
		Envelope: envelope, Routes: b.routes(),
	}
}

// The classes of requests, each with its own limit.
const (
	signIn  = "authentication"
	read    = "read"
	write   = "write"
	execute = "execution"
)

func (b *Service) routes() []kit.Route {
	const one, session, policy = "/accounts/{accountId}", "/sessions/{sessionId}", "/policies/{policyId}"
	const debit, subscription = "/direct-debits/{directDebitId}", "/subscriptions/{subscriptionId}"
	return []kit.Route{
		{Method: "POST", Path: "/auth/email/otp", Auth: kit.NoAuth, Class: signIn, Endpoint: ack(b, b.sendCode)},
		{Method: "POST", Path: "/auth/email/verify", Auth: kit.NoAuth, Class: signIn, Endpoint: kit.Handle(b.verifyCode)},
		{Method: "POST", Path: "/auth/passkey/register", Class: signIn, Endpoint: ack(b, b.registerPasskey)},
		{Method: "POST", Path: "/auth/passkey/authenticate", Auth: kit.NoAuth, Class: signIn,
			Endpoint: kit.Handle(b.authenticatePasskey)},
		{Method: "POST", Path: "/auth/refresh", Auth: kit.NoAuth, Class: signIn, Endpoint: kit.Handle(b.refreshToken)},
		{Method: "POST", Path: "/accounts", Class: write, Endpoint: kit.Handle(b.createAccount)},
		{Method: "GET", Path: one, Class: read, Endpoint: kit.Handle(b.getAccount)},
		{Method: "GET", Path: "/accounts", Class: read, Endpoint: kit.Handle(b.listAccounts)},
		{Method: "PATCH", Path: one, Class: write, Endpoint: ack(b, b.renameAccount)},
		{Method: "POST", Path: one + "/sessions", Class: write, Endpoint: kit.Handle(b.createSession)},
		{Method: "GET", Path: one + "/sessions", Class: read, Endpoint: kit.Handle(b.listSessions)},
		{Method: "DELETE", Path: one + session, Class: write, Endpoint: ack(b, b.revokeSession)},
		{Method: "POST", Path: one + "/policies", Class: write, Endpoint: kit.Handle(b.createPolicy)},
		{Method: "GET", Path: one + "/policies", Class: read, Endpoint: kit.Handle(b.listPolicies)},
		{Method: "PATCH", Path: one + policy, Class: write, Endpoint: ack(b, b.updatePolicy)},
		{Method: "DELETE", Path: one + policy, Class: write, Endpoint: ack(b, b.deletePolicy)},
		{Method: "POST", Path: one + "/transactions", Class: execute, Endpoint: kit.Handle(b.execute)},
		{Method: "GET", Path: one + "/transactions/{transactionId}", Class: read, Endpoint: kit.Handle(b.getTransaction)},
		{Method: "GET", Path: one + "/transactions", Class: read, Endpoint: kit.Handle(b.listTransactions)},
		{Method: "POST", Path: one + "/direct-debits", Class: write, Endpoint: kit.Handle(b.createDebit)},
		{Method: "GET", Path: one + "/direct-debits", Class: read, Endpoint: kit.Handle(b.listDebits)},
		{Method: "DELETE", Path: one + debit, Class: write, Endpoint: ack(b, b.cancelDebit)},
		{Method: "POST", Path: one + "/subscriptions", Class: write, Endpoint: kit.Handle(b.createSubscription)},
		{Method: "POST", Path: one + subscription + "/pause", Class: write, Endpoint: ack(b, b.pauseSubscription)},
		{Method: "POST", Path: one + subscription + "/resume", Class: write, Endpoint: ack(b, b.resumeSubscription)},
		{Method: "DELETE", Path: one + subscription, Class: write, Endpoint: ack(b, b.cancelSubscription)},
	}
}

func budgets(c *kit.Call) []kit.Budget {
	n := map[string]int{signIn: 10, read: 100, write: 30, execute: 10}
	return []kit.Budget{{N: n[c.Route.Class], Window: time.Minute}}
}

// The codes that a handler chooses. The others follow from the status.
const (
	policyViolation     = "POLICY_VIOLATION"
	insufficientBalance = "INSUFFICIENT_BALANCE"
	sessionExpired      = "SESSION_EXPIRED"
)

// codes are those that follow from the status.
var codes = map[int]string{
	http.StatusUnauthorized: "UNAUTHORIZED", http.StatusForbidden: "FORBIDDEN", http.StatusNotFound: "NOT_FOUND",
	http.StatusTooManyRequests: "RATE_LIMITED",
}

func envelope(_ *kit.Call, f *kit.Failure) kit.Reply {
	otherwise := "VALIDATION_ERROR"
	if f.Status >= http.StatusInternalServerError {
		otherwise = "INTERNAL_ERROR"
	}
	code := cmp.Or(f.Code, codes[f.Status], otherwise)
	body := map[string]any{"code": code, "message": f.Message}
	if f.Details != nil {
		body["details"] = f.Details
	}
	return kit.Reply{Body: map[string]any{"error": body}}
}

// ack makes the endpoint of a route whose answer carries
// "success", which a test can make false.
func ack[In any](b *Service, handler func(*kit.Call, In) map[string]any) kit.Endpoint {
	return kit.Handle(func(c *kit.Call, in In) any {
		if b.silent > 0 {
			b.silent--
			return b.silentRefusal(c)
		}
		answer := handler(c, in)
		answer["success"] = true
		return answer
	})
}

// silentRefusal is success:false under HTTP 200. Its other fields are
// undocumented.
func (b *Service) silentRefusal(c *kit.Call) map[string]any {
	if c.Shape(2) == 0 {
		return map[string]any{"success": false}
	}
	return map[string]any{"success": false, "message": "the request was not carried out"}
}

// RefuseSilently does what sandbox.SmartAccountHandle.RefuseSilently says.
func (b *Service) RefuseSilently(times int) { b.Locked(func() { b.silent = max(0, times) }) }
