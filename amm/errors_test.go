package amm_test

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// failing asks for a quote that is answered so.
func failing(t *testing.T, status int, body string) error {
	t.Helper()
	c, _ := carried(t, amm.Config{}, func(int, sent) (int, string) { return status, body })
	_, err := c.QuoteBaseIn(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(0)}, walletfi.WithoutRetry())
	require.Error(t, err)
	return err
}

func TestReasons(t *testing.T) {
	for msg, row := range map[string]struct{ reason, kind error }{
		"No route found":                 {amm.ErrNoRoute, walletfi.ErrRejected},
		"no ROUTE found.":                {amm.ErrNoRoute, walletfi.ErrRejected},
		"NO_ROUTE_FOUND":                 {amm.ErrNoRoute, walletfi.ErrRejected},
		"ROUTE_NOT_FOUND":                {amm.ErrNoRoute, walletfi.ErrRejected},
		"Slippage exceeded":              {amm.ErrSlippageExceeded, walletfi.ErrRejected},
		"SLIPPAGE_EXCEEDED: 51 bps":      {amm.ErrSlippageExceeded, walletfi.ErrRejected},
		"Invalid mint":                   {amm.ErrInvalidMint, walletfi.ErrInvalidRequest},
		"invalid-mint":                   {amm.ErrInvalidMint, walletfi.ErrInvalidRequest},
		"Transaction simulation failed":  {amm.ErrSimulationFailed, walletfi.ErrRejected},
		"TRANSACTION_SIMULATION_FAILED!": {amm.ErrSimulationFailed, walletfi.ErrRejected},
		"Invalid minted thing":           {nil, walletfi.ErrRejected},
		"The pool is tired":              {nil, walletfi.ErrRejected},
	} {
		for _, status := range []int{200, 400, 500} {
			err := failing(t, status, `{"id":"r-1","success":false,"msg":"`+msg+`"}`)
			e := wiretest.As[*amm.Error](t, err, msg)
			require.Equal(t, "r-1", e.ID)
			require.Equal(t, msg, e.Message)
			require.Equal(t, row.reason, e.Reason, msg)
			require.Equal(t, status, e.Response.StatusCode)
			require.Contains(t, err.Error(), msg)
			for _, reason := range []error{amm.ErrNoRoute, amm.ErrSlippageExceeded, amm.ErrInvalidMint, amm.ErrSimulationFailed} {
				require.Equal(t, reason == row.reason, errors.Is(err, reason), msg)
			}
			if status == 200 || row.reason != nil {
				require.ErrorIs(t, err, row.kind)
			}
		}
	}
}

func TestRefusalsByStatus(t *testing.T) {
	for name, row := range map[string]struct {
		status  int
		body    string
		kind    error
		message string // of an *amm.Error; none where empty
	}{
		"success said as a text":   {200, `{"id":7,"success":"false","msg":"no"}`, walletfi.ErrRejected, "no"},
		"success said as 0":        {200, `{"success":0,"msg":"no","data":[]}`, walletfi.ErrRejected, "no"},
		"a message for data":       {200, `{"id":"1","msg":"no"}`, walletfi.ErrRejected, "no"},
		"another message at 401":   {401, `{"success":false,"msg":"who"}`, walletfi.ErrUnauthorized, "who"},
		"another message at 429":   {429, `{"success":false,"msg":"slow"}`, walletfi.ErrRateLimited, "slow"},
		"another message at 503":   {503, `{"success":false,"msg":"later"}`, walletfi.ErrUnavailable, "later"},
		"a message alone":          {404, `{"msg":"gone"}`, walletfi.ErrNotFound, "gone"},
		"no envelope":              {502, `{"error":"upstream"}`, walletfi.ErrUnavailable, ""},
		"a page":                   {502, `<html>bad gateway</html>`, walletfi.ErrUnavailable, ""},
		"a page with a 200":        {200, `<html>welcome</html>`, walletfi.ErrDecode, ""},
		"a list with a 200":        {200, `[]`, walletfi.ErrDecode, ""},
		"nothing with a 200":       {200, ``, walletfi.ErrDecode, ""},
		"success:true with a 400":  {400, `{"id":"1","success":true,"data":{}}`, walletfi.ErrInvalidRequest, ""},
		"a redirect":               {302, ``, walletfi.ErrRedirect, ""},
		"cut off":                  {200, `{"id":"1","success":true,"data":{"inputM`, walletfi.ErrDecode, ""},
		"amounts that are no such": {200, `{"success":true,"data":{"inputMint":"a","outputMint":"b","inAmount":"1.5"}}`, walletfi.ErrDecode, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := failing(t, row.status, row.body)
			require.ErrorIs(t, err, row.kind)
			var e *amm.Error
			if errors.As(err, &e); row.message != "" {
				require.Equal(t, row.message, e.Message)
			}
			r := wiretest.As[*walletfi.ResponseError](t, err)
			require.Equal(t, row.status, r.StatusCode)
			require.Equal(t, row.body, string(r.Body))
		})
	}
}

// TestSaysSuccess: data is an answer if success is true, which may be quoted or 1. What says
// anything else, or nothing, is none, on both hosts.
func TestSaysSuccess(t *testing.T) {
	calls := map[string]func(*amm.Client) error{
		`{"inputMint":"` + mintA + `","outputMint":"` + mintB + `","inAmount":"1","outAmount":"9","otherAmountThreshold":"9","priceImpactPct":"0"}`: func(c *amm.Client) error {
			return wiretest.Error(c.QuoteBaseIn(t.Context(), amm.QuoteRequest{InputMint: mintA, OutputMint: mintB, Amount: 1, Slippage: walletfi.SlippageBps(0)}))
		},
		`{"` + mintA + `":"1.5"}`: func(c *amm.Client) error {
			return wiretest.Error(c.GetMintPrices(t.Context(), []string{mintA}))
		},
	}
	for data, call := range calls {
		for success, believed := range map[string]bool{
			`"success":true,`: true, `"success":"true",`: true, `"success":1,`: true,
			``: false, `"success":null,`: false, `"success":"yes",`: false, `"success":"",`: false,
			`"success":{},`: false, `"success":[],`: false, `"success":2,`: false,
		} {
			c, seen := carried(t, amm.Config{Pause: new(time.Duration(0))}, func(int, sent) (int, string) {
				return 200, `{"id":"1",` + success + `"data":` + data + `}`
			})
			err := call(c)
			require.Len(t, seen.Seen, 1)
			if believed {
				require.NoError(t, err, success)
				continue
			}
			require.ErrorIs(t, err, walletfi.ErrRejected, success)
		}
	}
}

func TestErrorLog(t *testing.T) {
	err := failing(t, 200, `{"id":"r-1","success":false,"msg":"No route found"}`)
	e := wiretest.As[*amm.Error](t, err)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("failed", "err", e)
	require.Contains(t, log.String(), `"err":{"id":"r-1","message":"No route found","response":{"service":"amm","op":"QuoteBaseIn","method":"GET","path":"/compute/swap-base-in","status":200`)
}
