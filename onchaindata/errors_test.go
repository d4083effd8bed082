package onchaindata_test

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
)

// TestErrorShapes: both shapes are errors under any status, 200 included.
func TestErrorShapes(t *testing.T) {
	for name, row := range map[string]struct {
		status        int
		body          string
		kind          error
		code, message string
		problems      int
	}{
		"listed":                       {404, `{"errors":[{"status":"404","title":"Not Found"}]}`, walletfi.ErrNotFound, "", "Not Found", 1},
		"listed, a number":             {404, `{"errors":[{"status":404,"title":"Not Found"}]}`, walletfi.ErrNotFound, "", "Not Found", 1},
		"listed under 200":             {200, `{"errors":[{"status":"404","title":"Not Found"}]}`, walletfi.ErrNotFound, "", "Not Found", 1},
		"two listed":                   {400, `{"errors":[{"status":"400","title":"one"},{"detail":"two"}]}`, walletfi.ErrInvalidRequest, "", "one; two", 2},
		"listed beside data":           {200, `{"data":[],"errors":[{"status":"401","title":"key"}]}`, walletfi.ErrUnauthorized, "", "key", 1},
		"a lone object":                {200, `{"errors":{"status":"403","title":"no"}}`, walletfi.ErrForbidden, "", "no", 1},
		"texts":                        {200, `{"errors":["one","two"]}`, walletfi.ErrRejected, "", "one; two", 0},
		"a text":                       {200, `{"errors":"one"}`, walletfi.ErrRejected, "", "one", 0},
		"code":                         {401, `{"status":{"error_code":10002,"error_message":"key missing"}}`, walletfi.ErrUnauthorized, "10002", "key missing", 0},
		"code under 200":               {200, `{"status":{"timestamp":"2026-01-01","error_code":10005,"error_message":"plan"}}`, walletfi.ErrRejected, "10005", "plan", 0},
		"code beside data":             {200, `{"data":[{"id":"a"}],"status":{"error_code":500,"error_message":"broken"}}`, walletfi.ErrUnavailable, "500", "broken", 0},
		"code as text":                 {200, `{"status":{"error_code":"404","error_message":"no"}}`, walletfi.ErrNotFound, "404", "no", 0},
		"code that is a word":          {200, `{"status":{"error_code":"NO","error_message":"no"}}`, walletfi.ErrRejected, "NO", "no", 0},
		"message alone":                {200, `{"status":{"error_code":0,"error_message":"no"}}`, walletfi.ErrRejected, "", "no", 0},
		"code alone":                   {200, `{"status":{"error_code":409}}`, walletfi.ErrRejected, "409", "", 0},
		"408 under 200":                {200, `{"status":{"error_code":408}}`, walletfi.ErrUnavailable, "408", "", 0},
		"422 under 200":                {200, `{"errors":[{"status":"422"}]}`, walletfi.ErrInvalidRequest, "", "422", 1},
		"the HTTP status says more":    {403, `{"errors":[{"status":"404","title":"x"}]}`, walletfi.ErrForbidden, "", "x", 1},
		"a limit whatever the status":  {403, `{"status":{"error_code":429,"error_message":"slow"}}`, walletfi.ErrRateLimited, "429", "slow", 0},
		"a limit under 200":            {200, `{"errors":[{"status":"429","title":"slow"}]}`, walletfi.ErrRateLimited, "", "slow", 1},
		"a limit with its HTTP status": {429, `{"status":{"error_code":429,"error_message":"slow"}}`, walletfi.ErrRateLimited, "429", "slow", 0},
	} {
		t.Run(name, func(t *testing.T) {
			c, wire := carriedClient(t, onchaindata.Config{Options: walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}}}, answer{Status: row.status, Body: row.body})
			for _, call := range []func() error{
				func() error { _, err := c.GetPool(t.Context(), "n", "a", onchaindata.PoolRequest{}); return err },
				func() error { _, err := c.GetToken(t.Context(), "n", "a", onchaindata.TokenRequest{}); return err },
			} {
				err := call()
				require.ErrorIs(t, err, row.kind)
				for _, other := range []error{walletfi.ErrInvalidRequest, walletfi.ErrUnauthorized, walletfi.ErrForbidden, walletfi.ErrNotFound, walletfi.ErrRejected,
					walletfi.ErrRateLimited, walletfi.ErrUnavailable, walletfi.ErrOutcomeUnknown, walletfi.ErrDecode} {
					require.Equal(t, other == row.kind, errors.Is(err, other), other)
				}
				e := wiretest.As[*onchaindata.Error](t, err)
				require.Equal(t, row.code, e.Code)
				require.Equal(t, row.message, e.Message)
				require.Len(t, e.Problems, row.problems)
				require.Equal(t, row.status, e.Response.StatusCode)
				require.Contains(t, err.Error(), row.message)
				require.Contains(t, err.Error(), row.code)
			}
			require.Len(t, wire.Seen, 2)
		})
	}
}

// TestNoError: what only looks like a refusal is none.
func TestNoError(t *testing.T) {
	for _, body := range []string{
		`{"data":[],"errors":[]}`, `{"data":[],"errors":null}`, `{"data":[],"errors":{}}`, `{"data":[],"errors":""}`, `{"errors":[ ],"data":[]}`,
		`{"data":[],"status":{"error_code":0,"error_message":null}}`, `{"data":[],"status":{"error_code":"0"}}`, `{"data":[],"status":"error"}`,
		`{"data":[{"id":"a","attributes":{"name":"error errors error_code","address":"a",` + poolNumbers + `}}]}`, `{"data":[],"meta":{"errors":[1],"error_code":5}}`,
	} {
		c, _ := carriedClient(t, onchaindata.Config{}, answer{Status: 200, Body: body})
		require.NoError(t, wiretest.Error(c.ListTopPools(t.Context(), "solana", onchaindata.TopPoolsRequest{})), body)
		require.NoError(t, wiretest.Error(c.ListDEXes(t.Context(), "solana", onchaindata.DEXesRequest{})), body)
	}
}

// TestForeignErrors: what is in no shape of the service's goes by its status.
func TestForeignErrors(t *testing.T) {
	for _, row := range []struct {
		answer
		kind error
	}{
		{answer{Status: 502, Body: "<html>"}, walletfi.ErrUnavailable},
		{answer{Status: 401, Body: `{"error":"key"}`}, walletfi.ErrUnauthorized},
		{answer{Status: 400}, walletfi.ErrInvalidRequest},
		{answer{Status: 200, Body: "<html>error</html>"}, walletfi.ErrDecode},
		{answer{Status: 200, Body: `{"data":{"id":"a"`}, walletfi.ErrDecode},
		{answer{Status: 200, Body: `{"data":null}`}, walletfi.ErrDecode},
		{answer{Status: 200, Body: `{"data":[]}`}, walletfi.ErrDecode},
		{answer{Status: 200, Body: `{}`}, walletfi.ErrDecode},
		{answer{Status: 200}, walletfi.ErrDecode},
		{answer{Status: 200, Body: `{"data":{"id":{},"attributes":{"fdv_usd":"many"}}}`}, walletfi.ErrDecode},
	} {
		c, _ := carriedClient(t, onchaindata.Config{Options: walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}}}, row.answer)
		_, err := c.GetPool(t.Context(), "n", "a", onchaindata.PoolRequest{})
		require.ErrorIs(t, err, row.kind, row.Body)
		_, err = c.GetToken(t.Context(), "n", "a", onchaindata.TokenRequest{})
		require.ErrorIs(t, err, row.kind, row.Body)
		_, err = c.GetTokenPrices(t.Context(), "n", []string{"a"}, onchaindata.TokenPricesRequest{})
		if row.Body != `{"data":{"id":{},"attributes":{"fdv_usd":"many"}}}` {
			require.ErrorIs(t, err, row.kind, row.Body)
		}
		var e *onchaindata.Error
		require.False(t, errors.As(err, &e))
	}
}

// TestLimitUnder200: a limit that is told in the body is waited out.
func TestLimitUnder200(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, onchaindata.Config{},
			answer{Status: 200, Header: map[string]string{"Retry-After": "9"}, Body: `{"status":{"error_code":429,"error_message":"slow down"}}`},
			answer{Status: 200, Body: `{"data":[{"id":"a","attributes":{"address":"a",` + poolNumbers + `}}]}`})
		began := time.Now()
		page, err := c.ListTopPools(t.Context(), "solana", onchaindata.TopPoolsRequest{})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.Len(t, wire.Seen, 2)
		require.GreaterOrEqual(t, time.Since(began), 9*time.Second)
	})
}

func TestErrorLog(t *testing.T) {
	c, _ := carriedClient(t, onchaindata.Config{}, answer{Status: 404, Body: `{"status":{"error_code":10008,"error_message":"no k-123456 here"}}`})
	_, err := c.GetPool(t.Context(), "n", "a", onchaindata.PoolRequest{})
	require.EqualError(t, err, "onchaindata.GetPool: GET /api/v3/onchain/networks/n/pools/a: HTTP 404: 10008: no [secret] here")
	var out bytes.Buffer
	slog.New(slog.NewJSONHandler(&out, nil)).Error("failed", "err", err)
	require.Contains(t, out.String(), `"code":"10008"`)
	require.Contains(t, out.String(), `"status":404`)
	require.NotContains(t, out.String(), "k-123456")
}
