package smartaccount_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// The life of a session key: sign in by email, create an account, delegate to
// a key within limits, execute with it, revoke it.
func Example() {
	service := httptest.NewServer(exampleService())
	defer service.Close()
	if err := liveSession(context.Background(), service.URL+"/api/v1"); err != nil {
		fmt.Println(err)
	}
	// Output:
	// code sent
	// account acc_1 is active
	// session sess_1 is active
	// transaction tx_1 is confirmed
	// session sess_1 is revoked
}

func liveSession(ctx context.Context, baseURL string) error {
	client, err := smartaccount.New(smartaccount.Config{BaseURL: baseURL})
	if err != nil {
		return err
	}
	sent, err := client.SendEmailCode(ctx, "ada@example.com")
	if err != nil {
		return err
	}
	fmt.Println(sent.Message)
	_, err = client.VerifyEmailCode(ctx, smartaccount.VerifyEmailCodeRequest{Email: "ada@example.com", Code: walletfi.NewSecret("012345")})
	if err != nil {
		return err
	}
	account, err := client.CreateAccount(ctx, smartaccount.CreateAccountRequest{Name: "Trading", Type: smartaccount.AccountPersonal})
	if err != nil {
		return err
	}
	fmt.Println("account", account.ID, "is", account.Status)
	session, err := client.CreateSession(ctx, account.ID, smartaccount.CreateSessionRequest{
		PublicKey: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", Name: "bot", ExpiresAt: time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC),
		Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer},
		Limits:      &smartaccount.SessionLimits{PerTransaction: new(walletfi.Amount(1_000_000))},
	})
	if err != nil {
		return err
	}
	fmt.Println("session", session.ID, "is", session.Status)
	tx, err := client.ExecuteTransaction(ctx, account.ID, smartaccount.ExecuteTransactionRequest{
		Instructions:        []smartaccount.Instruction{{ProgramID: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", Data: []byte("hello")}},
		SessionKeySignature: make([]byte, 64),
	})
	if err != nil {
		return err
	}
	fmt.Println("transaction", tx.ID, "is", tx.Status)
	if err := client.RevokeSession(ctx, account.ID, session.ID); err != nil {
		return err
	}
	fmt.Println("session", session.ID, "is revoked")
	return nil
}

// What a refusal says, and what to do after a creation whose answer was lost.
func Example_errors() {
	service := httptest.NewServer(exampleService())
	defer service.Close()
	ctx := context.Background()
	client, err := smartaccount.New(smartaccount.Config{
		BaseURL: service.URL + "/api/v1", Token: walletfi.Token{Access: walletfi.NewSecret("at-1")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	_, err = client.ExecuteTransaction(ctx, "acc_9", smartaccount.ExecuteTransactionRequest{
		Instructions: []smartaccount.Instruction{{ProgramID: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"}},
	})
	if e, ok := errors.AsType[*smartaccount.Error](err); ok && e.Code == smartaccount.CodePolicyViolation {
		fmt.Println("refused:", e.Message)
	}

	req := smartaccount.CreateSessionRequest{
		PublicKey: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", ExpiresAt: time.Now().Add(time.Hour),
		Permissions: []smartaccount.Permission{smartaccount.PermissionSwap},
	}
	_, err = client.CreateSession(ctx, "acc_9", req)
	if errors.Is(err, walletfi.ErrOutcomeUnknown) {
		sessions, err := client.FindSessions(ctx, "acc_9", req.PublicKey)
		fmt.Println("created all the same:", len(sessions) == 1, err)
	}
	// Output:
	// refused: over the daily limit
	// created all the same: true <nil>
}

func exampleService() http.Handler {
	mux := http.NewServeMux()
	answer := func(route string, status int, body string) {
		mux.HandleFunc(route, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
	answer("POST /api/v1/auth/email/otp", 200, `{"success": true, "message": "code sent"}`)
	answer("POST /api/v1/auth/email/verify", 200, `{"accessToken": "at-1", "refreshToken": "rt-1", "expiresIn": 3600}`)
	answer("POST /api/v1/accounts", 201, `{"id": "acc_1", "address": "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM", "status": "active"}`)
	answer("POST /api/v1/accounts/acc_1/sessions", 201, `{"id": "sess_1", "publicKey": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
		"expiresAt": "2027-01-02T03:04:05Z", "permissions": ["transfer"], "status": "active"}`)
	answer("POST /api/v1/accounts/acc_1/transactions", 200, `{"id": "tx_1", "signature": "S111111111111111111111111111111111111111111111111111111111111111", "status": "confirmed", "slot": 7}`)
	answer("DELETE /api/v1/accounts/acc_1/sessions/sess_1", 200, `{"success": true}`)
	answer("POST /api/v1/accounts/acc_9/transactions", 400, `{"error": {"code": "POLICY_VIOLATION", "message": "over the daily limit"}}`)
	answer("POST /api/v1/accounts/acc_9/sessions", 500, `{"error": {"code": "INTERNAL_ERROR", "message": "oops"}}`)
	answer("GET /api/v1/accounts/acc_9/sessions", 200, `{"sessions": [{"id": "sess_9", "publicKey": "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "status": "active",
		"expiresAt": "2027-01-02T03:04:05Z"}], "total": 1}`)
	return mux
}
