package smartaccount_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// reply answers alike to everything.
func reply(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func asResponse(err error) (*walletfi.ResponseError, bool) {
	return errors.AsType[*walletfi.ResponseError](err)
}

var sentinels = []error{
	walletfi.ErrInvalidRequest, walletfi.ErrUnauthorized, walletfi.ErrForbidden, walletfi.ErrNotFound, walletfi.ErrRejected,
	walletfi.ErrRateLimited, walletfi.ErrUnavailable, walletfi.ErrOutcomeUnknown, walletfi.ErrDecode, walletfi.ErrRedirect,
}

// assertOnly holds that err answers to kind and to no other sentinel.
func assertOnly(t *testing.T, err, kind error) {
	t.Helper()
	for _, s := range sentinels {
		assert.Equal(t, s == kind, errors.Is(err, s), s.Error())
	}
}

func TestCodes(t *testing.T) {
	for _, c := range []struct {
		code   smartaccount.Code
		status int
		kind   error
	}{
		{smartaccount.CodeUnauthorized, 401, walletfi.ErrUnauthorized},
		{smartaccount.CodeForbidden, 403, walletfi.ErrForbidden},
		{smartaccount.CodeNotFound, 404, walletfi.ErrNotFound},
		{smartaccount.CodeValidationError, 400, walletfi.ErrInvalidRequest},
		{smartaccount.CodePolicyViolation, 400, walletfi.ErrRejected},
		{smartaccount.CodeInsufficientBalance, 400, walletfi.ErrRejected},
		{smartaccount.CodeSessionExpired, 401, walletfi.ErrUnauthorized},
		{smartaccount.CodeRateLimited, 429, walletfi.ErrRateLimited},
		{smartaccount.CodeInternalError, 500, walletfi.ErrUnavailable},
		{"ACCOUNT_FROZEN", 409, walletfi.ErrRejected},
		{"ACCOUNT_FROZEN", 422, walletfi.ErrInvalidRequest},
		{smartaccount.CodeNotFound, 400, walletfi.ErrNotFound},
	} {
		t.Run(fmt.Sprint(c.code, c.status), func(t *testing.T) {
			server := wiretest.Serve(t, reply(c.status, `{"error": {"code": "`+string(c.code)+`", "message": "no\nway", "details": {"limit": 12345678901234567890}}}`))
			// Without a refresh token, so that a 401 is final.
			client := configured(t, smartaccount.Config{
				BaseURL: server.URL, Token: walletfi.Token{Access: access}, Options: walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
			})
			_, err := client.GetAccount(t.Context(), "acc_1")
			assertOnly(t, err, c.kind)
			e := wiretest.As[*smartaccount.Error](t, err)
			assert.Equal(t, c.code, e.Code)
			assert.Equal(t, "no\nway", e.Message)
			assert.Equal(t, `{"limit": 12345678901234567890}`, e.Details.String())
			assert.Equal(t, c.status, e.Response.StatusCode)
			assert.Equal(t, fmt.Sprintf("smartaccount.GetAccount: GET /accounts/acc_1: HTTP %d: %s: no way", c.status, c.code), e.Error())
		})
	}
}

func TestRefusalsWithoutAnEnvelope(t *testing.T) {
	for name, c := range map[string]struct {
		status  int
		body    string
		message string
		kind    error
	}{
		"page of a proxy": {502, "<html>bad gateway</html>", "", walletfi.ErrUnavailable},
		"plain text":      {404, `{"error": "no such route"}`, "no such route", walletfi.ErrNotFound},
		"no code":         {403, `{"error": {"message": "not yours"}}`, "not yours", walletfi.ErrForbidden},
		"empty":           {400, "", "", walletfi.ErrInvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			server := wiretest.Serve(t, reply(c.status, c.body))
			_, err := client(t, server.URL).GetAccount(t.Context(), "acc_1")
			assertOnly(t, err, c.kind)
			_, own := errors.AsType[*smartaccount.Error](err)
			assert.False(t, own)
			response, ok := asResponse(err)
			require.True(t, ok)
			assert.Equal(t, c.message, response.Message)
			assert.Equal(t, c.body, string(response.Body))
		})
	}
}

func TestFailureUnderHTTP200(t *testing.T) {
	for name, c := range map[string]struct {
		body    string
		kind    error
		text    string
		unknown bool // a creation may have been carried out
	}{
		"success false":         {`{"success": false, "message": "try later"}`, walletfi.ErrRejected, "HTTP 200: try later", true},
		"success false in text": {`{"success": "false"}`, walletfi.ErrRejected, "HTTP 200: rejected by the service", true},
		"with a code":           {`{"success": false, "error": {"code": "NOT_FOUND", "message": "gone"}}`, walletfi.ErrNotFound, "HTTP 200: NOT_FOUND: gone", false},
		"with details null":     {`{"success": false, "error": {"code": "FORBIDDEN", "details": null}}`, walletfi.ErrForbidden, "HTTP 200: FORBIDDEN:", false},
		"a code alone":          {`{"error": {"code": "POLICY_VIOLATION", "message": "cap"}}`, walletfi.ErrRejected, "HTTP 200: POLICY_VIOLATION: cap", false},
		"a failure":             {`{"success": false, "error": {"code": "INTERNAL_ERROR", "message": "oops"}}`, walletfi.ErrRejected, "HTTP 200: INTERNAL_ERROR: oops", true},
		"a code that is new":    {`{"error": {"code": "X", "message": "y"}}`, walletfi.ErrRejected, "HTTP 200: X: y", true},
	} {
		t.Run(name, func(t *testing.T) {
			server := wiretest.Serve(t, reply(200, c.body))
			client := client(t, server.URL)
			err := client.CancelSubscription(t.Context(), "acc_1", "sub_1")
			assertOnly(t, err, c.kind)
			assert.Equal(t, "smartaccount.CancelSubscription: DELETE /api/v1/accounts/acc_1/subscriptions/sub_1: "+c.text, err.Error())
			_, err = client.PauseSubscription(t.Context(), "acc_1", "sub_1")
			if c.unknown {
				assertOnly(t, err, walletfi.ErrOutcomeUnknown)
			} else {
				assertOnly(t, err, c.kind)
			}
			if e, ok := errors.AsType[*smartaccount.Error](err); ok {
				assert.True(t, e.Details.IsZero())
			}
		})
	}
	for name, body := range map[string]string{
		"success true": `{"success": true, "error": null}`, "success in text": `{"success": "true"}`,
		"text that speaks of it": `{"success": true, "message": "no \"error\", \"success\": false"}`, "deeper": `{"success": true, "data": {"success": false}}`,
	} {
		t.Run(name, func(t *testing.T) {
			server := wiretest.Serve(t, reply(200, body))
			require.NoError(t, client(t, server.URL).CancelSubscription(t.Context(), "acc_1", "sub_1"))
		})
	}
	for name, body := range map[string]string{
		"success null": `{"success": null}`, "nothing of it": `{}`, "empty": ``, "twice": `{"success": true, "success": true}`,
	} {
		t.Run(name, func(t *testing.T) {
			server := wiretest.Serve(t, reply(200, body))
			assertOnly(t, client(t, server.URL).CancelSubscription(t.Context(), "acc_1", "sub_1"), walletfi.ErrDecode)
		})
	}
	t.Run("a page instead of an answer", func(t *testing.T) {
		server := wiretest.Serve(t, reply(200, `<html>"error"</html>`))
		err := client(t, server.URL).RevokeSession(t.Context(), "acc_1", "sess_1")
		assertOnly(t, err, walletfi.ErrDecode)
	})
}

func TestErrorInTheLog(t *testing.T) {
	server := wiretest.Serve(t, reply(400, `{"error": {"code": "POLICY_VIOLATION", "message": "cap", "details": {"canary": 1}}}`))
	_, err := client(t, server.URL).GetAccount(t.Context(), "acc_1")
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Error("failed", "err", errors.Unwrap(fmt.Errorf("%w", err)))
	assert.Contains(t, log.String(), `"code":"POLICY_VIOLATION"`)
	assert.Contains(t, log.String(), `"status":400`)
	assert.NotContains(t, log.String(), "canary")
}

func TestSecretsAreMasked(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(400)
		fmt.Fprintf(w, `{"error": {"code": "VALIDATION_ERROR", "message": "bad %s", "details": {"got": %s}}}`, r.Header.Get("Authorization"), body)
	}
	server := wiretest.Serve(t, echo)
	c := client(t, server.URL)
	_, verify := c.VerifyEmailCode(t.Context(), smartaccount.VerifyEmailCodeRequest{Email: "a@example.com", Code: walletfi.NewSecret("canary1")})
	_, renew := c.RefreshToken(t.Context(), walletfi.Token{Refresh: walletfi.NewSecret("canary2")})
	_, passkey := c.AuthenticatePasskey(t.Context(), smartaccount.AuthenticatePasskeyRequest{CredentialID: "c", Assertion: walletfi.Document(`{"response": {"list": ["canary3"], "s": "canary\\u0033", "n": 1}}`)})
	_, run := c.ExecuteTransaction(t.Context(), "acc_1", smartaccount.ExecuteTransactionRequest{
		Instructions: []smartaccount.Instruction{{ProgramID: "P1111111111111111111111111111111"}}, SessionKeySignature: []byte{0x71, 0xa9, 0xda, 0xaf, 0x2d, 0xf8}, // "canary34" in base64
	})
	for name, err := range map[string]error{"verify": verify, "refresh": renew, "passkey": passkey, "execute": run} {
		t.Run(name, func(t *testing.T) {
			e := wiretest.As[*smartaccount.Error](t, err)
			shown := fmt.Sprintf("%v %+v %#v %s %s %s", err, err, e.Response, e.Message, e.Details, e.Response.Body)
			assert.NotContains(t, shown, "canary")
			assert.NotContains(t, shown, "at-123456")
			assert.Contains(t, e.Details.String(), "[secret]")
		})
	}
}

func TestNewTokensAreNotInErrors(t *testing.T) {
	for name, body := range map[string]string{
		"cut off":           `{"accessToken": "canary1", "refreshToken": "canary2", "expi`,
		"no access token":   `{"refreshToken": "canary2", "expiresIn": 5}`,
		"success but false": `{"success": false, "refreshToken": "canary2"}`,
	} {
		t.Run(name, func(t *testing.T) {
			server := wiretest.Serve(t, reply(200, body))
			_, err := client(t, server.URL).VerifyEmailCode(t.Context(), smartaccount.VerifyEmailCodeRequest{Email: "e", Code: walletfi.NewSecret("012345")})
			require.Error(t, err)
			response, ok := asResponse(err)
			require.True(t, ok)
			assert.NotContains(t, fmt.Sprintf("%+v %#v %s", err, response, response.Body), "canary")
		})
	}
}

// TestErrorFieldsOfAnotherType: the code decides, whatever the others are.
func TestErrorFieldsOfAnotherType(t *testing.T) {
	for _, body := range []string{
		`{"error":{"code":"POLICY_VIOLATION","message":{"a":1},"details":"none"}}`,
		`{"error":{"details":7,"message":["no"],"code":"POLICY_VIOLATION"}}`,
	} {
		server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, body)
		})
		c := configured(t, smartaccount.Config{BaseURL: server.URL + "/api/v1", Token: signedIn})
		_, err := c.GetAccount(t.Context(), "acc_1")
		e := wiretest.As[*smartaccount.Error](t, err, body)
		require.Equal(t, smartaccount.CodePolicyViolation, e.Code)
		require.ErrorIs(t, err, walletfi.ErrRejected)
	}
	server := wiretest.Serve(t, reply(400, `{"error": {"code": 7, "message": "odd"}}`))
	_, err := client(t, server.URL).GetAccount(t.Context(), "acc_1")
	e := wiretest.As[*smartaccount.Error](t, err)
	require.Equal(t, smartaccount.Code("7"), e.Code)
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
}
