package leverage_test

import (
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

// relays are the two routes that move money.
func relays(t *testing.T, c *leverage.Client) map[string]func() (*leverage.Sent, error) {
	return map[string]func() (*leverage.Sent, error){
		"SendTransaction": func() (*leverage.Sent, error) {
			return c.SendTransaction(t.Context(), leverage.SendRequest{Transaction: signedTransaction()})
		},
		"SendBundle": func() (*leverage.Sent, error) {
			return c.SendBundle(t.Context(), []walletfi.Base58Transaction{signedTransaction(), transactionSigned(8)})
		},
	}
}

// TestErrorsHideWhatWasSent, in whichever encoding the service repeats it.
func TestErrorsHideWhatWasSent(t *testing.T) {
	bytes, err := base58.Decode(string(signedTransaction()))
	require.NoError(t, err)
	for _, echo := range []string{string(signedTransaction()), base64.StdEncoding.EncodeToString(bytes)} {
		for _, op := range []string{"SendTransaction", "SendBundle"} {
			c, _ := carriedClient(t, answer{Status: 400, Body: `{"error":"cannot read ` + echo + `"}`})
			_, err := relays(t, c)[op]()
			r := wiretest.As[*walletfi.ResponseError](t, err)
			require.NotContains(t, string(r.Body)+r.Message+err.Error(), echo[:20])
		}
	}
}

// TestRelays: a lost answer is followed by the same bytes or by an unknown
// outcome with the signature, never by anything else.
func TestRelays(t *testing.T) {
	lost := answer{Err: io.ErrUnexpectedEOF}
	for name, row := range map[string]struct {
		answers  []answer
		requests int
		err      error // nil where it was sent in the end
	}{
		"at once":                {[]answer{ok(`{}`)}, 1, nil},
		"an empty answer":        {[]answer{ok(``)}, 1, nil},
		"an answer of any shape": {[]answer{ok(`[1,{"x":null}]`)}, 1, nil},
		"lost, then sent":        {[]answer{lost, ok(`{}`)}, 2, nil},
		"503, then sent":         {[]answer{{Status: 503}, ok(`{}`)}, 2, nil},
		"limited, then sent":     {[]answer{{Status: 429, Header: map[string]string{"Retry-After": "1"}}, ok(`{}`)}, 2, nil},
		"lost for good":          {[]answer{lost}, 4, walletfi.ErrOutcomeUnknown},
		"500 for good":           {[]answer{{Status: 500}}, 4, walletfi.ErrOutcomeUnknown},
		"lost, then known":       {[]answer{lost, {Status: 400, Body: `{"error":"already processed"}`}}, 2, walletfi.ErrOutcomeUnknown},
		"a page":                 {[]answer{ok(`<html>`)}, 1, walletfi.ErrOutcomeUnknown},
		"success false":          {[]answer{ok(`{"success":false,"error":"dropped"}`)}, 1, walletfi.ErrOutcomeUnknown},
		"refused":                {[]answer{{Status: 400}}, 1, walletfi.ErrInvalidRequest},
		"limited for good":       {[]answer{{Status: 429, Header: map[string]string{"Retry-After": "600"}}}, 1, walletfi.ErrRateLimited},
	} {
		for _, op := range []string{"SendTransaction", "SendBundle"} {
			wiretest.InBubble(t, name+", "+op, func(t *testing.T) {
				c, wire := carriedClient(t, row.answers...)
				sent, err := relays(t, c)[op]()
				require.Len(t, wire.Seen, row.requests)
				for _, r := range wire.Seen {
					require.Equal(t, wire.Seen[0].Body, r.Body)
				}
				if row.err == nil {
					require.NoError(t, err)
					require.Equal(t, signature, sent.Signature)
					return
				}
				require.Nil(t, sent)
				require.ErrorIs(t, err, row.err)
				require.NotErrorIs(t, err, walletfi.ErrUnavailable)
				var unknown *walletfi.OutcomeUnknownError
				require.Equal(t, row.err == walletfi.ErrOutcomeUnknown, errors.As(err, &unknown))
				if unknown != nil {
					require.Equal(t, signature, unknown.Signature)
				}
			})
		}
	}
}

// TestSubmitters: the ledger goes by what was signed, whatever the service
// calls it.
func TestSubmitters(t *testing.T) {
	signed := func(filler byte) walletfi.Signed {
		tx, err := transactionSigned(filler).Base64()
		require.NoError(t, err)
		return walletfi.Signed{Transaction: tx, Signature: "S1"}
	}
	for body, want := range map[string]string{
		`{"signature":"S9"}`: signature, `"S9"`: signature, `{}`: signature, ``: signature,
	} {
		c, wire := carriedClient(t, ok(body))
		got, err := c.Submit(t.Context(), signed(7))
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.JSONEq(t, `{"transaction":"`+string(signedTransaction())+`"}`, wire.Seen[0].Body)
	}
	for body, want := range map[string]string{`{"signature":"S9"}`: "S9", `{"data":{"signature":"S8"}}`: "S8", `{}`: "S1"} {
		c, _ := carriedClient(t, ok(body))
		tx := walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(wiretest.Pair(1, 2, 0, 7)))
		got, err := c.Submit(t.Context(), walletfi.Signed{Transaction: tx, Signature: "S1", Owner: wiretest.Address(2)})
		require.NoError(t, err)
		require.Equal(t, want, got, "the fee payer has yet to sign")
	}
	for body, want := range map[string]string{
		`{"bundleId":"b-1"}`: "b-1", `"b-2"`: "b-2", `{"result":{"bundleId":"b-3"}}`: "b-3", `{"bundleId":7}`: "", `[]`: "", ``: "",
	} {
		c, wire := carriedClient(t, ok(body))
		id, err := c.SubmitBundle(t.Context(), []walletfi.Signed{signed(7), signed(8)})
		require.NoError(t, err)
		require.Equal(t, want, id)
		require.JSONEq(t, `{"transactions":["`+string(signedTransaction())+`","`+string(transactionSigned(8))+`"]}`, wire.Seen[0].Body)
	}
	synctest.Test(t, func(t *testing.T) {
		for _, status := range []int{400, 500} {
			c, _ := carriedClient(t, answer{Status: status})
			_, err := c.Submit(t.Context(), signed(7))
			require.Equal(t, status == 500, errors.Is(err, walletfi.ErrOutcomeUnknown))
			_, err = c.SubmitBundle(t.Context(), []walletfi.Signed{signed(7)})
			require.Equal(t, status == 500, errors.Is(err, walletfi.ErrOutcomeUnknown))
		}
	})
}

// TestBuildersRepeat: what moves nothing is asked again.
func TestBuildersRepeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, answer{Err: io.ErrUnexpectedEOF}, answer{Status: 500}, ok(`{"transaction":"2VfUX","lastValidBlockHeight":7}`))
		built, err := c.BuildRepay(t.Context(), leverage.RepayRequest{Position: "P1111111111111111111111111111111", Owner: "W1"})
		require.NoError(t, err)
		require.Equal(t, walletfi.Base58Transaction("2VfUX"), built.Transaction)
		require.Len(t, wire.Seen, 3)
	})
}

func TestAnswersRefused(t *testing.T) {
	c, _ := carriedClient(t, ok(`{"lastValidBlockHeight":1}`))
	_, err := c.BuildRepay(t.Context(), leverage.RepayRequest{Position: "P1111111111111111111111111111111", Owner: "W1"})
	require.ErrorIs(t, err, walletfi.ErrDecode)
	for _, body := range []string{
		`{"splitTransaction":"2VfUX","closeTransaction":"2VfUY"}`,
		`{"splitTransaction":"2VfUX","closeTransaction":"2VfUY","newPositionAddresses":null}`,
		`{"splitTransaction":"2VfUX","closeTransaction":"2VfUY","newPositionAddresses":["P1111111111111111111111111111111"]}`,
		`{"splitTransaction":"2VfUX","closeTransaction":"2VfUY","newPositionAddresses":["P1111111111111111111111111111111",""]}`,
		`{"splitTransaction":"2VfUX","closeTransaction":"2VfUY","newPositionAddresses":["P1111111111111111111111111111111","P1111111111111111111111111111111"]}`,
		`{"splitTransaction":"2VfUX","closeTransaction":"2VfUY","newPositionAddresses":["P1111111111111111111111111111111","P2111111111111111111111111111111","P3111111111111111111111111111111"]}`,
		`{"splitTransaction":"2VfUX","newPositionAddresses":["P1111111111111111111111111111111","P2111111111111111111111111111111"]}`,
		`{"closeTransaction":"2VfUX","newPositionAddresses":["P1111111111111111111111111111111","P2111111111111111111111111111111"]}`,
	} {
		c, _ := carriedClient(t, ok(body))
		_, err := c.BuildPartialSell(t.Context(), leverage.PartialSellRequest{Position: "P1111111111111111111111111111111", Owner: "W1", SplitRatioBps: 1, Slippage: walletfi.SlippageBps(0)})
		require.ErrorIs(t, err, walletfi.ErrDecode, body)
	}
}

// TestPartialSaleThatClosesNothing: the close is a transaction of its own.
func TestPartialSaleThatClosesNothing(t *testing.T) {
	c, _ := carriedClient(t, ok(`{"splitTransaction":"2VfUX","closeTransaction":"2VfUX",
		"newPositionAddresses":["P1111111111111111111111111111111","P2111111111111111111111111111111"]}`))
	_, err := c.BuildPartialSell(t.Context(), leverage.PartialSellRequest{
		Position: "P1111111111111111111111111111111", Owner: "W1", SplitRatioBps: 1, Slippage: walletfi.SlippageBps(0),
	})
	require.ErrorIs(t, err, walletfi.ErrMismatch)
	require.ErrorContains(t, err, "closeTransaction")
}

func TestStatuses(t *testing.T) {
	for status, kind := range map[int]error{
		400: walletfi.ErrInvalidRequest, 401: walletfi.ErrUnauthorized, 403: walletfi.ErrForbidden, 404: walletfi.ErrNotFound,
		409: walletfi.ErrRejected, 500: walletfi.ErrUnavailable,
	} {
		c, _ := carriedClient(t, answer{Status: status, Body: `{"message":"the reason, k-123456"}`})
		_, err := c.GetBundleTip(t.Context(), walletfi.WithoutRetry())
		require.ErrorIs(t, err, kind)
		require.ErrorContains(t, err, "the reason")
		require.NotContains(t, err.Error(), "k-123456")
	}
	c, _ := carriedClient(t, ok(`{"success":false,"message":"the reason"}`))
	_, err := c.QuoteClose(t.Context(), leverage.CloseQuoteRequest{Position: "P1111111111111111111111111111111", Owner: "W1", Slippage: walletfi.SlippageBps(0)})
	require.ErrorIs(t, err, walletfi.ErrRejected)
	require.ErrorContains(t, err, "the reason")
	c, _ = carriedClient(t, ok(`{"success":true,"positions":[`+wholePosition+`]}`))
	page, err := c.ListPositions(t.Context(), leverage.PositionsRequest{Owner: "W1"})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
}

// TestKeylessWorks: where there is no key none is sent, and the routes that
// do not require it work.
func TestKeylessWorks(t *testing.T) {
	server := wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/offers") {
			io.WriteString(w, "[]")
			return
		}
		io.WriteString(w, `{"tipLamports":"0"}`)
	})
	c := clientOf(t, server.URL, "")
	require.NoError(t, wiretest.Error(c.ListOffers(t.Context(), leverage.OffersRequest{})))
	require.NoError(t, wiretest.Error(c.SearchTokens(t.Context(), leverage.SearchTokensRequest{Search: "x"})))
	_, err := c.QuoteOpen(t.Context(), leverage.QuoteRequest{Offer: "O", Owner: "W", CollateralAmount: 1, Leverage: wiretest.Decimal(t, "2"), Slippage: walletfi.SlippageBps(0)})
	require.NoError(t, err)
	_, err = c.QuoteClose(t.Context(), leverage.CloseQuoteRequest{Position: "P", Owner: "W", Slippage: walletfi.SlippageBps(0)})
	require.NoError(t, err)
	require.NoError(t, wiretest.Error(c.GetBundleTip(t.Context())))
	require.NoError(t, wiretest.Error(c.TipAt(t.Context(), 50)))
	for _, relay := range relays(t, c) {
		require.NoError(t, wiretest.Error(relay()))
	}
	require.Len(t, server.Requests(), 8)
	for _, r := range server.Requests() {
		require.NotContains(t, r.Header, "X-Api-Key")
	}
}

// TestLimiter: no limit is documented, what a 429 says is kept, and a close
// can go before what waits.
func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, answer{Status: 429, Header: map[string]string{"Retry-After": "30"}}, ok(`{"tipLamports":1}`))
		begun := time.Now()
		require.NoError(t, wiretest.Error(c.GetBundleTip(t.Context())))
		require.Equal(t, 30*time.Second, time.Since(begun))
		for range 300 {
			require.NoError(t, wiretest.Error(c.GetBundleTip(t.Context())))
		}
		require.Equal(t, 30*time.Second, time.Since(begun))
		require.Len(t, wire.Seen, 302)

		c.Limiter(leverage.ClassAll).Hold(t.Context(), time.Now().Add(time.Hour))
		require.ErrorIs(t, wiretest.Error(c.GetBundleTip(t.Context())), walletfi.ErrRateLimited)
	})
}
