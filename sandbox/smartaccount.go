package sandbox

import (
	"crypto/ed25519"
	"net/http"
	"strconv"
	"time"
)

// smartAccount is the smart account service's side: users who sign in, and
// accounts that are wallets of the ledger whose key the service holds.
type smartAccount struct {
	*Sandbox
	users    map[string]*smartAccountUser   // by email address
	access   map[string]smartAccountToken   // by token
	refresh  map[string]smartAccountToken   // by token
	passkeys map[string]*smartAccountUser   // by credential id
	wallets  map[string]*smartAccountWallet // by id
	// sponsor pays the fees of the transactions that accounts execute.
	sponsor ed25519.PrivateKey
	// silent is how many of the next requests are told no under HTTP 200.
	silent int
}

func newSmartAccount(s *Sandbox) *service {
	b := &smartAccount{
		Sandbox: s, users: map[string]*smartAccountUser{}, access: map[string]smartAccountToken{},
		refresh: map[string]smartAccountToken{}, passkeys: map[string]*smartAccountUser{},
		wallets: map[string]*smartAccountWallet{}, sponsor: s.keypair("smartaccount sponsor"),
	}
	s.smartAccount = b
	s.chain.Airdrop(publicKey(b.sponsor), 1_000*lamportsPerSOL)
	return &service{
		name: SmartAccount, prefix: "/api/v1", inURL: true, auth: bearer, verify: b.verifyToken,
		budgets: smartAccountBudgets, limitHeader: smartAccountLimitHeader,
		envelope: smartAccountEnvelope, routes: b.routes(),
	}
}

// The kinds of request that are limited apart.
const (
	smartAccountSignIn  = "authentication"
	smartAccountRead    = "read"
	smartAccountWrite   = "write"
	smartAccountExecute = "execution"
)

func (b *smartAccount) routes() []route {
	const one, session, policy = "/accounts/{accountId}", "/sessions/{sessionId}", "/policies/{policyId}"
	const debit, subscription = "/direct-debits/{directDebitId}", "/subscriptions/{subscriptionId}"
	return []route{
		{method: "POST", path: "/auth/email/otp", auth: open, class: smartAccountSignIn, endpoint: smartAccountAck(b, b.sendCode)},
		{method: "POST", path: "/auth/email/verify", auth: open, class: smartAccountSignIn, endpoint: handle(b.verifyCode)},
		{method: "POST", path: "/auth/passkey/register", class: smartAccountSignIn, endpoint: smartAccountAck(b, b.registerPasskey)},
		{method: "POST", path: "/auth/passkey/authenticate", auth: open, class: smartAccountSignIn, endpoint: handle(b.authenticatePasskey)},
		{method: "POST", path: "/auth/refresh", auth: open, class: smartAccountSignIn, endpoint: handle(b.refreshToken)},
		{method: "POST", path: "/accounts", class: smartAccountWrite, endpoint: handle(b.createAccount)},
		{method: "GET", path: one, class: smartAccountRead, endpoint: handle(b.getAccount)},
		{method: "GET", path: "/accounts", class: smartAccountRead, endpoint: handle(b.listAccounts)},
		{method: "PATCH", path: one, class: smartAccountWrite, endpoint: smartAccountAck(b, b.renameAccount)},
		{method: "POST", path: one + "/sessions", class: smartAccountWrite, endpoint: handle(b.createSession)},
		{method: "GET", path: one + "/sessions", class: smartAccountRead, endpoint: handle(b.listSessions)},
		{method: "DELETE", path: one + session, class: smartAccountWrite, endpoint: smartAccountAck(b, b.revokeSession)},
		{method: "POST", path: one + "/policies", class: smartAccountWrite, endpoint: handle(b.createPolicy)},
		{method: "GET", path: one + "/policies", class: smartAccountRead, endpoint: handle(b.listPolicies)},
		{method: "PATCH", path: one + policy, class: smartAccountWrite, endpoint: smartAccountAck(b, b.updatePolicy)},
		{method: "DELETE", path: one + policy, class: smartAccountWrite, endpoint: smartAccountAck(b, b.deletePolicy)},
		{method: "POST", path: one + "/transactions", class: smartAccountExecute, endpoint: handle(b.execute)},
		{method: "GET", path: one + "/transactions/{transactionId}", class: smartAccountRead, endpoint: handle(b.getTransaction)},
		{method: "GET", path: one + "/transactions", class: smartAccountRead, endpoint: handle(b.listTransactions)},
		{method: "POST", path: one + "/direct-debits", class: smartAccountWrite, endpoint: handle(b.createDebit)},
		{method: "GET", path: one + "/direct-debits", class: smartAccountRead, endpoint: handle(b.listDebits)},
		{method: "DELETE", path: one + debit, class: smartAccountWrite, endpoint: smartAccountAck(b, b.cancelDebit)},
		{method: "POST", path: one + "/subscriptions", class: smartAccountWrite, endpoint: handle(b.createSubscription)},
		{method: "POST", path: one + subscription + "/pause", class: smartAccountWrite, endpoint: smartAccountAck(b, b.pauseSubscription)},
		{method: "POST", path: one + subscription + "/resume", class: smartAccountWrite, endpoint: smartAccountAck(b, b.resumeSubscription)},
		{method: "DELETE", path: one + subscription, class: smartAccountWrite, endpoint: smartAccountAck(b, b.cancelSubscription)},
	}
}

func smartAccountBudgets(c *call) []budget {
	n := map[string]int{smartAccountSignIn: 10, smartAccountRead: 100, smartAccountWrite: 30, smartAccountExecute: 10}
	return []budget{{n[c.route.class], time.Minute}}
}

// smartAccountLimitHeader rounds the reset up: a whole second too early would
// be refused.
func smartAccountLimitHeader(h http.Header, state limitState) {
	reset := state.Reset.Unix()
	if state.Reset.Nanosecond() > 0 {
		reset++
	}
	h.Set("X-RateLimit-Limit", strconv.Itoa(state.Limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(state.Remaining))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(reset, 10))
}

// The codes that a handler chooses. The others follow from the status.
const (
	smartAccountPolicyViolation     = "POLICY_VIOLATION"
	smartAccountInsufficientBalance = "INSUFFICIENT_BALANCE"
	smartAccountSessionExpired      = "SESSION_EXPIRED"
)

func smartAccountEnvelope(_ *call, f *failure) reply {
	code := f.Code
	if code == "" {
		switch f.Status {
		case http.StatusUnauthorized:
			code = "UNAUTHORIZED"
		case http.StatusForbidden:
			code = "FORBIDDEN"
		case http.StatusNotFound:
			code = "NOT_FOUND"
		case http.StatusTooManyRequests:
			code = "RATE_LIMITED"
		default:
			code = "VALIDATION_ERROR"
			if f.Status >= http.StatusInternalServerError {
				code = "INTERNAL_ERROR"
			}
		}
	}
	body := map[string]any{"code": code, "message": f.Message}
	if f.Details != nil {
		body["details"] = f.Details
	}
	return reply{body: map[string]any{"error": body}}
}
