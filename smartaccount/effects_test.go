package smartaccount_test

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// operation is one of the routes, with what the client has to know of it.
type operation struct {
	name   string
	class  string
	create bool // would happen twice
	call   wiretest.Call
}

func everyCall() []operation {
	ops := append(authenticationCalls(), accountCalls()...)
	return append(ops, paymentCalls()...)
}

func authenticationCalls() []operation {
	const class = smartaccount.ClassAuthentication
	return []operation{
		{"SendEmailCode", class, true, wiretest.Of((*smartaccount.Client).SendEmailCode, "a@example.com")},
		{"VerifyEmailCode", class, true, wiretest.Of((*smartaccount.Client).VerifyEmailCode, smartaccount.VerifyEmailCodeRequest{Email: "e", Code: walletfi.NewSecret("012345")})},
		{"RegisterPasskey", class, true, wiretest.Of((*smartaccount.Client).RegisterPasskey, smartaccount.RegisterPasskeyRequest{CredentialID: "c", PublicKey: []byte{1}, Attestation: walletfi.Document(`{}`)})},
		{"AuthenticatePasskey", class, true, wiretest.Of((*smartaccount.Client).AuthenticatePasskey, smartaccount.AuthenticatePasskeyRequest{CredentialID: "c", Assertion: walletfi.Document(`{}`)})},
		{"RefreshToken", smartaccount.ClassRefresh, false, wiretest.Of((*smartaccount.Client).RefreshToken, signedIn)},
	}
}

func accountCalls() []operation {
	const read, write = smartaccount.ClassRead, smartaccount.ClassWrite
	return []operation{
		{"CreateAccount", write, true, wiretest.Of((*smartaccount.Client).CreateAccount, smartaccount.CreateAccountRequest{Name: "n", Type: smartaccount.AccountPersonal})},
		{"GetAccount", read, false, classes[read].call},
		{"ListAccounts", read, false, wiretest.Of((*smartaccount.Client).ListAccounts)},
		{"UpdateAccount", write, false, wiretest.Of((*smartaccount.Client).UpdateAccount, "acc_1", smartaccount.UpdateAccountRequest{Name: "n"})},
		{"CreateSession", write, true, createSession(func(*smartaccount.CreateSessionRequest) {})},
		{"ListSessions", read, false, wiretest.Of((*smartaccount.Client).ListSessions, "acc_1")},
		{"RevokeSession", write, false, wiretest.Of((*smartaccount.Client).RevokeSession, "acc_1", "sess_1")},
		{"CreatePolicy", write, true, createPolicy(smartaccount.CreatePolicyRequest{Type: smartaccount.PolicyAllowlist, Name: "n", Params: smartaccount.RawParams(`{}`)})},
		{"ListPolicies", read, false, wiretest.Of((*smartaccount.Client).ListPolicies, "acc_1")},
		{"UpdatePolicy", write, false, updatePolicy(smartaccount.RawParams(`{}`))},
		{"DeletePolicy", write, false, classes[write].call},
	}
}

func paymentCalls() []operation {
	const read, write, execution = smartaccount.ClassRead, smartaccount.ClassWrite, smartaccount.ClassExecution
	return []operation{
		{"ExecuteTransaction", execution, true, classes[execution].call},
		{"GetTransaction", read, false, wiretest.Of((*smartaccount.Client).GetTransaction, "acc_1", "acc_1")},
		{"ListTransactions", read, false, wiretest.Of((*smartaccount.Client).ListTransactions, "acc_1", smartaccount.TransactionsRequest{})},
		{"CreateDirectDebit", write, true, createDebit(smartaccount.CreateDirectDebitRequest{Merchant: "m1111111111111111111111111111111", Mint: "m1111111111111111111111111111111", MaxAmount: 1, Frequency: "f"})},
		{"ListDirectDebits", read, false, wiretest.Of((*smartaccount.Client).ListDirectDebits, "acc_1")},
		{"CancelDirectDebit", write, false, wiretest.Of((*smartaccount.Client).CancelDirectDebit, "acc_1", "dd_1")},
		{"CreateSubscription", write, true, createSubscription(smartaccount.CreateSubscriptionRequest{Merchant: "m1111111111111111111111111111111", Mint: "m1111111111111111111111111111111", Amount: 1, Frequency: "f"})},
		{"PauseSubscription", write, true, wiretest.Of((*smartaccount.Client).PauseSubscription, "acc_1", "sub_1")},
		{"ResumeSubscription", write, true, wiretest.Of((*smartaccount.Client).ResumeSubscription, "acc_1", "sub_1")},
		{"CancelSubscription", write, false, wiretest.Of((*smartaccount.Client).CancelSubscription, "acc_1", "sub_1")},
	}
}

func TestTwentySixRoutes(t *testing.T) {
	ops := everyCall()
	require.Len(t, ops, 26)
	routes := map[string]bool{}
	for _, op := range ops {
		server := wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			io.WriteString(w, completeFor(r.URL.Path, string(body)))
		})
		require.NoError(t, op.call.Error(t.Context(), client(t, server.URL)), op.name)
		seen := server.Requests()
		require.Len(t, seen, 1, op.name)
		routes[seen[0].Method+" "+seen[0].Target] = true
	}
	require.Len(t, routes, 26, "each call has a route of its own")
}

// Whatever happens after the bytes left, a Create is sent once and its outcome
// is unknown; everything else is repeated.
func TestFailuresAfterSending(t *testing.T) {
	failures := map[string]http.HandlerFunc{
		"500":        reply(500, `{"error": {"code": "INTERNAL_ERROR", "message": "oops"}}`),
		"503":        reply(503, ``),
		"cut off":    func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"half a 2xx": halfAnAnswer,
	}
	for failure, handler := range failures {
		for _, op := range everyCall() {
			t.Run(failure+"/"+op.name, func(t *testing.T) {
				server := wiretest.Serve(t, handler)
				c := configured(t, smartaccount.Config{BaseURL: server.URL, Token: signedIn, Options: walletfi.Options{
					Retry: walletfi.RetryPolicy{MaxRetries: new(2), MinWait: time.Microsecond, MaxWait: time.Microsecond},
				}})
				err := op.call.Error(t.Context(), c)
				require.Error(t, err)
				if op.create {
					require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
					require.Len(t, server.Requests(), 1)
					return
				}
				require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
				require.Len(t, server.Requests(), 3)
			})
		}
	}
}

func halfAnAnswer(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	w.Write([]byte(`{"id": "acc`))
}

func TestUnreadableSuccessOfACreation(t *testing.T) {
	for name, body := range map[string]string{
		"empty": ``, "null": `null`, "no id": `{}`, "null id": `{"id": null}`, "empty id": `{"id": ""}`, "a page": `<html>`, "cut": `{"id": "acc_1`, "a list": `[1]`,
	} {
		t.Run(name, func(t *testing.T) {
			server := wiretest.Serve(t, reply(200, body))
			account, err := client(t, server.URL).CreateAccount(t.Context(), smartaccount.CreateAccountRequest{Name: "n", Type: smartaccount.AccountPersonal})
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			require.ErrorIs(t, err, walletfi.ErrDecode)
			assert.Nil(t, account)
			require.Len(t, server.Requests(), 1)
		})
	}
}

func TestAnswersWithoutWhatTheCallerActsOn(t *testing.T) {
	for _, op := range everyCall() {
		t.Run(op.name, func(t *testing.T) {
			server := wiretest.Serve(t, reply(200, `{"status": "active"}`))
			err := op.call.Error(t.Context(), client(t, server.URL))
			switch {
			case op.create:
				require.ErrorIs(t, err, walletfi.ErrDecode)
				require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			default:
				assertOnly(t, err, walletfi.ErrDecode)
			}
		})
	}
}

// A rate limit without the service's code does not say that nothing was done.
func TestCreationRefusedByAnUnknownLimit(t *testing.T) {
	server := wiretest.Serve(t, reply(429, `too many`))
	c := configured(t, smartaccount.Config{BaseURL: server.URL, Token: signedIn})
	_, err := c.CreateAccount(t.Context(), smartaccount.CreateAccountRequest{Name: "n", Type: smartaccount.AccountPersonal})
	require.ErrorIs(t, err, walletfi.ErrRateLimited)
	require.Len(t, server.Requests(), 1)
}

func TestRepeatedDeletionThatFindsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService("", "3600")
		s.answer = func(*http.Request, string) answer {
			if len(s.seen) == 1 {
				return answer{status: 504}
			}
			return answer{status: 404, body: `{"error": {"code": "NOT_FOUND", "message": "gone"}}`}
		}
		c := s.client(t, smartaccount.Config{Token: signedIn})
		require.NoError(t, c.RevokeSession(t.Context(), "acc_1", "sess_1"))
		require.Len(t, s.paths(), 2)
		require.ErrorIs(t, c.RevokeSession(t.Context(), "acc_1", "sess_1"), walletfi.ErrNotFound)
	})
}

// TestExecutionThatFailsUnderHTTP200: only a code that says that nothing was done
// is a refusal.
func TestExecutionThatFailsUnderHTTP200(t *testing.T) {
	for body, kind := range map[string]error{
		`{"success": false, "error": {"code": "INTERNAL_ERROR", "message": "oops"}}`: walletfi.ErrOutcomeUnknown,
		`{"error": {"code": "INTERNAL_ERROR", "message": "oops"}}`:                   walletfi.ErrOutcomeUnknown,
		`{"success": false}`: walletfi.ErrOutcomeUnknown,
		`{"error": {"code": "SOMETHING_NEW", "message": "oops"}}`:       walletfi.ErrOutcomeUnknown,
		`{"error": {"code": "POLICY_VIOLATION", "message": "cap"}}`:     walletfi.ErrRejected,
		`{"error": {"code": "INSUFFICIENT_BALANCE", "message": "low"}}`: walletfi.ErrRejected,
		`{"error": {"code": "SESSION_EXPIRED", "message": "late"}}`:     walletfi.ErrUnauthorized,
	} {
		server := wiretest.Serve(t, reply(200, body))
		err := classes[smartaccount.ClassExecution].call.Error(t.Context(), client(t, server.URL))
		assertOnly(t, err, kind)
		require.Len(t, server.Requests(), 1, body)
	}
}
