package lending_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
)

// refusal returns an answer in the service's envelope.
func refusal(status int, code lending.Code) answer {
	return answer{Status: status, Body: fmt.Sprintf(`{"error":{"code":%q,"message":"the reason","requestId":"req-7"}}`, code)}
}

func TestCodes(t *testing.T) {
	for _, row := range []struct {
		code   lending.Code
		status int
		kind   error
		tries  int // with one repeat allowed
	}{
		{lending.CodeBadRequest, 400, walletfi.ErrInvalidRequest, 1},
		{lending.CodeUnauthorized, 401, walletfi.ErrUnauthorized, 1},
		{lending.CodeNotFound, 404, walletfi.ErrNotFound, 1},
		{lending.CodeRateLimited, 429, walletfi.ErrRateLimited, 2},
		{lending.CodeInternalError, 500, walletfi.ErrUnavailable, 2},
		{lending.CodeInsufficientBalance, 400, walletfi.ErrRejected, 1},
		{lending.CodeCooldownActive, 400, walletfi.ErrRejected, 1},
		{lending.CodeCapacityExceeded, 400, walletfi.ErrRejected, 1},
		{"A_NEW_CODE", 400, walletfi.ErrInvalidRequest, 1},
		{"A_NEW_CODE", 503, walletfi.ErrUnavailable, 2},
	} {
		wiretest.InBubble(t, fmt.Sprint(row.code, row.status), func(t *testing.T) {
			c, wire := carriedClient(t, "", walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(1)}}, refusal(row.status, row.code))
			_, err := c.BuildWithdraw(t.Context(), lending.WithdrawRequest{Owner: "W1111111111111111111111111111111", Mint: "M1111111111111111111111111111111", WithdrawType: lending.DepositBoosted, Amount: 1})
			require.Len(t, wire.Seen, row.tries)
			require.ErrorIs(t, err, row.kind)
			e := wiretest.As[*lending.Error](t, err)
			require.Equal(t, row.code, e.Code)
			require.Equal(t, "the reason", e.Message)
			require.Equal(t, "req-7", e.RequestID)
			r := wiretest.As[*walletfi.ResponseError](t, err)
			require.Equal(t, row.status, r.StatusCode)
			require.Equal(t, row.tries, r.Attempts)
			require.Equal(t, "BuildWithdraw", r.Op)
			require.Contains(t, err.Error(), fmt.Sprintf("HTTP %d: %s: the reason", row.status, row.code))
		})
	}
}

// TestOneKind: an error answers to the sentinel of its code and to no other.
func TestOneKind(t *testing.T) {
	c, _ := carriedClient(t, "", walletfi.Options{}, refusal(400, lending.CodeCooldownActive))
	_, err := c.ListPools(t.Context())
	require.ErrorIs(t, err, walletfi.ErrRejected)
	for _, other := range []error{walletfi.ErrInvalidRequest, walletfi.ErrUnavailable, walletfi.ErrOutcomeUnknown, walletfi.ErrDecode} {
		require.NotErrorIs(t, err, other)
	}
}

func TestRateLimitedIsWaitedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limited := refusal(429, lending.CodeRateLimited)
		limited.Header = map[string]string{"Retry-After": "7"}
		c, wire := carriedClient(t, lending.TierEnterprise, walletfi.Options{}, limited, limited, answer{Status: 200, Body: `{"pools":[]}`})
		begun := time.Now()
		pools, err := c.ListPools(t.Context())
		require.NoError(t, err)
		require.Empty(t, pools.Items)
		require.Len(t, wire.Seen, 3)
		require.Equal(t, 14*time.Second, time.Since(begun))
	})
}

func TestRateLimitedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limited := refusal(429, lending.CodeRateLimited)
		limited.Header = map[string]string{"Retry-After": "86400"}
		c, wire := carriedClient(t, "", walletfi.Options{}, limited)
		begun := time.Now()
		_, err := c.ListPools(t.Context())
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		require.Len(t, wire.Seen, 1)
		require.Zero(t, time.Since(begun), "a day is not slept through")
		e := wiretest.As[*lending.Error](t, err)
		require.Equal(t, 24*time.Hour, e.Response.RetryAfter)
	})
}

// TestOtherBodies: without the envelope the status decides.
func TestOtherBodies(t *testing.T) {
	for name, row := range map[string]struct {
		answer answer
		kind   error
		text   string
	}{
		"a page":     {answer{Status: 404, Body: "<html>gone</html>"}, walletfi.ErrNotFound, "HTTP 404: not found"},
		"nothing":    {answer{Status: 401}, walletfi.ErrUnauthorized, "HTTP 401: unauthorized"},
		"a text":     {answer{Status: 400, Body: `{"error":"bad mint"}`}, walletfi.ErrInvalidRequest, "HTTP 400: bad mint"},
		"no code":    {answer{Status: 403, Body: `{"error":{"message":"not yours"}}`}, walletfi.ErrForbidden, "HTTP 403: not yours"},
		"a redirect": {answer{Status: 307, Header: map[string]string{"Location": "https://elsewhere.test/"}}, walletfi.ErrRedirect, "HTTP 307: redirect refused"},
	} {
		t.Run(name, func(t *testing.T) {
			c, wire := carriedClient(t, "", walletfi.Options{}, row.answer)
			_, err := c.ListPools(t.Context())
			require.ErrorIs(t, err, row.kind)
			require.Contains(t, err.Error(), row.text)
			var e *lending.Error
			require.False(t, errors.As(err, &e))
			require.Len(t, wire.Seen, 1)
		})
	}
}

// TestFieldsOfAnotherType: the code decides, whatever the others are.
func TestFieldsOfAnotherType(t *testing.T) {
	for body, want := range map[string]lending.Error{
		`{"error":{"code":"COOLDOWN_ACTIVE","message":{"a":1},"requestId":["r"]}}`: {Code: lending.CodeCooldownActive},
		`{"error":{"requestId":12,"message":null,"code":"COOLDOWN_ACTIVE"}}`:       {Code: lending.CodeCooldownActive, RequestID: "12"},
		`{"error":{"code":7,"message":"odd"}}`:                                     {Code: "7", Message: "odd"},
	} {
		c, _ := carriedClient(t, "", walletfi.Options{}, answer{Status: 400, Body: body})
		_, err := c.ListPools(t.Context())
		e := wiretest.As[*lending.Error](t, err, body)
		require.Equal(t, want.Code, e.Code)
		require.Equal(t, want.Message, e.Message)
		require.Equal(t, want.RequestID, e.RequestID)
		require.Equal(t, want.Code == lending.CodeCooldownActive, errors.Is(err, walletfi.ErrRejected))
	}
}

func TestErrorShowsNoKey(t *testing.T) {
	c, _ := carriedClient(t, "", walletfi.Options{}, answer{
		Status: 401, Body: `{"error":{"code":"UNAUTHORIZED","message":"key k-123456 is unknown","requestId":"req-k-123456"}}`,
	})
	_, err := c.ListPools(t.Context())
	e := wiretest.As[*lending.Error](t, err)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Error("failed", "err", e)
	require.Contains(t, log.String(), `"code":"UNAUTHORIZED"`)
	require.Contains(t, log.String(), `"status":401`)
	shown := fmt.Sprintf("%v %+v %#v %s %q", e, *e, *e, err, e.Response.Body) + log.String()
	require.NotContains(t, shown, "k-123456")
	require.Equal(t, "key [secret] is unknown", e.Message)
}

func TestTimeoutIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, "", walletfi.Options{}, answer{Err: errors.New("connection reset")}, answer{Status: 200, Body: `{"transaction":"AQID","claimAmount":0}`})
		built, err := c.BuildReferrerClaim(t.Context(), lending.ReferrerClaimRequest{Owner: "R1"})
		require.NoError(t, err)
		require.Equal(t, walletfi.Base64Transaction("AQID"), built.Transaction)
		require.Len(t, wire.Seen, 2, "a build is safe to repeat")
	})
}

// TestWithoutTransaction: a builder's answer must have a transaction.
func TestWithoutTransaction(t *testing.T) {
	for _, body := range []string{``, `{}`, `{"transaction":null}`, `{"transaction":"","lastValidBlockHeight":3}`, `[]`, `{"transaction":`} {
		c, wire := carriedClient(t, "", walletfi.Options{}, answer{Status: 200, Body: body})
		_, err := c.BuildReferrerClaim(t.Context(), lending.ReferrerClaimRequest{Owner: "R1"})
		require.ErrorIs(t, err, walletfi.ErrDecode, body)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		r := wiretest.As[*walletfi.ResponseError](t, err)
		require.Equal(t, body, string(r.Body))
		require.NotEmpty(t, wire.Seen)
	}
}
