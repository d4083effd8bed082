package providerswap_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/providerswap"
)

// escaped is how a transaction must stand in a query.
func escaped(tx walletfi.Base64Transaction) string {
	return strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D").Replace(string(tx))
}

func TestBundleIsEscapedExactly(t *testing.T) {
	tx := transaction(0xfe)
	for _, mark := range []string{"+", "/", "="} {
		require.Contains(t, string(tx), mark, "the sample must hold what needs escaping")
	}
	server := wiretest.Serve(t, nil)
	require.NoError(t, wiretest.Error(client(t, server.URL).SendBundle(t.Context(), tx)))
	target := server.Requests()[0].Target
	require.Equal(t, "/api/v1/swap/bundle?signedTransaction="+escaped(tx), target)
	u, err := url.Parse(target)
	require.NoError(t, err)
	require.Equal(t, string(tx), u.Query().Get("signedTransaction"))
}

func TestSubmit(t *testing.T) {
	tx := transaction(7)
	for name, row := range map[string]struct {
		tx   walletfi.Base64Transaction
		body string
		want string
	}{
		"as signed":                         {tx, `{"bundleId":"b","txHash":"` + wiretest.Signature(7) + `"}`, wiretest.Signature(7)},
		"the fee payer signs at the relay":  {sponsored(), `{"bundleId":"b","txHash":"` + wiretest.Signature(8) + `"}`, wiretest.Signature(8)},
		"no name says":                      {sponsored(), `{"bundleId":"b"}`, ""},
		"an answer of which nothing is due": {tx, `{"accepted":true}`, wiretest.Signature(7)},
	} {
		t.Run(name, func(t *testing.T) {
			c, wire := carried(t, once, always(200, row.body))
			var submitter walletfi.Submitter = c
			got, err := submitter.Submit(t.Context(), walletfi.Signed{Transaction: row.tx, Signature: wiretest.Signature(7)})
			require.NoError(t, err)
			require.Equal(t, row.want, got)
			require.Len(t, wire.Seen, 1)
		})
	}
	c, _ := carried(t, once, always(200, ``))
	_, isBundle := any(c).(walletfi.BundleSubmitter)
	require.False(t, isBundle, "one transaction a bundle is no bundle of several")
}

// sponsored is a transaction that its owner has signed, and the sponsor not.
func sponsored() walletfi.Base64Transaction { return coSigned(0, 7) }

// coSigned is a transaction of two signers: a sponsor, other, that pays, and an
// owner. The fillers are those of their signatures; 0 is missing.
func coSigned(paid, signed byte) walletfi.Base64Transaction {
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(wiretest.Pair(4, 3, paid, signed)))
}

// TestBundleUnsigned: what a builder returned is not sent before it is signed.
func TestBundleUnsigned(t *testing.T) {
	for name, row := range map[string]struct {
		tx   walletfi.Base64Transaction
		late []string
		lack string // the signer that is due, "" if none is
	}{
		"as it was built":               {transaction(0), nil, "lacks the signature of"},
		"as it was built for a sponsor": {coSigned(0, 0), []string{other}, "lacks the signature of " + owner},
		"the sponsor is not named":      {sponsored(), nil, "lacks the signature of " + other},
		"the sponsor is named":          {sponsored(), []string{other}, ""},
		"all have signed":               {coSigned(8, 7), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, wire := carried(t, once, always(200, `{"bundleId":"b"}`))
			_, err := c.SendBundle(t.Context(), row.tx, walletfi.WithLateSigners(row.late...))
			if row.lack == "" {
				require.NoError(t, err)
				require.Len(t, wire.Seen, 1)
				return
			}
			wiretest.Refused(t, err, "signedTransaction")
			require.ErrorContains(t, err, row.lack)
			_, err = c.Submit(t.Context(), walletfi.Signed{Transaction: row.tx, Owner: owner})
			if name == "the sponsor is not named" {
				require.NoError(t, err, "the guard let it through")
				return
			}
			wiretest.Refused(t, err, "signedTransaction")
			require.Empty(t, wire.Seen)
		})
	}
}

// The outcome of a relay: by what the answers say, first to last.
func TestBundleOutcomes(t *testing.T) {
	broken := errors.New("connection reset")
	ok := always(200, `{"bundleId":"b"}`)
	for name, row := range map[string]struct {
		answers []answer
		sent    int
		unknown bool
		kind    error // nil for success
	}{
		"sent again after a 500":        {[]answer{{Status: 500}, ok}, 2, false, nil},
		"sent again after a 503":        {[]answer{{Status: 503}, ok}, 2, false, nil},
		"sent again after a reset":      {[]answer{{Err: broken}, ok}, 2, false, nil},
		"sent again after a 429":        {[]answer{{Status: 429}, ok}, 2, false, nil},
		"refused":                       {[]answer{{Status: 400, Body: `{"error":"bad tip"}`}}, 1, false, walletfi.ErrInvalidRequest},
		"no key":                        {[]answer{{Status: 401}}, 1, false, walletfi.ErrUnauthorized},
		"always 500":                    {[]answer{{Status: 500}}, 4, true, walletfi.ErrOutcomeUnknown},
		"always broken":                 {[]answer{{Err: broken}}, 4, true, walletfi.ErrOutcomeUnknown},
		"refused after a broken one":    {[]answer{{Err: broken}, {Status: 400, Body: `{"error":"already processed"}`}}, 2, true, walletfi.ErrInvalidRequest},
		"garbage with a 200":            {[]answer{{Status: 200, Body: `<html>`}}, 1, true, walletfi.ErrDecode},
		"nothing with a 200":            {[]answer{{Status: 200}}, 1, true, walletfi.ErrDecode},
		"an error with a 200":           {[]answer{{Status: 200, Body: `{"error":"not landed"}`}}, 1, true, walletfi.ErrOutcomeUnknown},
		"success:false with a 200":      {[]answer{{Status: 200, Body: `{"success":false}`}}, 1, true, walletfi.ErrOutcomeUnknown},
		"success:false after a failure": {[]answer{{Status: 502}, {Status: 200, Body: `{"success":false}`}}, 2, true, walletfi.ErrOutcomeUnknown},
	} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			c, wire := carried(t, walletfi.Options{}, row.answers...)
			_, err := c.SendBundle(t.Context(), transaction(7))
			require.Len(t, wire.Seen, row.sent)
			for _, r := range wire.Seen {
				require.Equal(t, wire.Seen[0].Target, r.Target, "the same bytes")
			}
			if row.kind == nil {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, row.kind)
			require.Equal(t, row.unknown, errors.Is(err, walletfi.ErrOutcomeUnknown))
			require.NotErrorIs(t, err, walletfi.ErrRejected, "which would say that nothing was sent")
			var unknown *walletfi.OutcomeUnknownError
			if errors.As(err, &unknown) {
				require.Equal(t, wiretest.Signature(7), unknown.Signature)
			}
		})
	}
}

// Whoever could read the signed transaction could send it.
func TestBundleIsKeptOutOfLogsAndErrors(t *testing.T) {
	tx := transaction(0xfe)
	var log bytes.Buffer
	options := once
	options.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	observed := recorded.New(t)
	options.Observer = observed
	for name, row := range map[string]struct {
		status int
		body   string
		err    error
	}{
		"echoed":          {400, `{"error":"cannot send ` + string(tx) + `"}`, nil},
		"echoed, escaped": {400, `{"error":"GET /swap/bundle?signedTransaction=` + escaped(tx) + `"}`, nil},
		"echoed in HTML":  {502, `<p>` + string(tx), nil},
		"in a broken URL": {0, ``, &url.Error{Op: "Get", URL: "https://swap.test/?signedTransaction=" + escaped(tx), Err: errors.New("reset at " + string(tx))}},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := carried(t, options, answer{Status: row.status, Body: row.body, Err: row.err})
			_, err := c.SendBundle(t.Context(), tx)
			require.Error(t, err)
			shown := err.Error()
			var r *walletfi.ResponseError
			if errors.As(err, &r) {
				shown += string(r.Body) + r.Message
			}
			for _, secret := range []string{string(tx), escaped(tx), string(tx)[20:60]} {
				require.NotContains(t, shown, secret)
				require.NotContains(t, log.String(), secret)
			}
			require.Contains(t, log.String(), "SendBundle")
			attempts := recorded.Ends[observe.Attempt, observe.AttemptEnd](observed)
			require.NotEmpty(t, attempts)
			require.Equal(t, "/api/v1/swap/bundle", attempts[len(attempts)-1].Op.Path)
			require.NotContains(t, fmt.Sprintf("%+v", observed.All()), string(tx)[20:60])
		})
	}
}

// A quote is repeated like any read, though the route looks the same.
func TestReadsAndBuildsAreRepeated(t *testing.T) {
	for _, status := range []int{429, 500, 502, 503} {
		synctest.Test(t, func(t *testing.T) {
			busy, built := always(status, `{"error":"busy"}`), always(200, string(transaction(0)))
			c, wire := carried(t, walletfi.Options{}, busy, built, busy, built)
			_, err := c.BuildSwapV1(t.Context(), providerswap.BuildV1Request{QuoteV1Request: quoteV1(), Owner: owner, MinReceive: 1})
			require.NoError(t, err)
			_, err = c.BuildFeeTransfer(t.Context(), providerswap.FeeTransferRequest{Owner: owner, Receiver: other, Lamports: 1}, walletfi.WithTimeout(time.Second))
			require.NoError(t, err)
			require.Len(t, wire.Seen, 4)
		})
	}
}

// TestBundleOfAnotherTransaction: an answer that names another transaction says nothing of what
// was sent. It tells the signature of what has none yet. An id of another kind is none.
func TestBundleOfAnotherTransaction(t *testing.T) {
	own, another := wiretest.Signature(7), wiretest.Signature(9)
	for _, body := range []string{
		`{"bundleId":"b","signature":"` + another + `"}`, `{"tx":"` + another + `"}`, `{"data":{"txHash":"` + another + `"}}`,
		`{"txHash":"` + own + `","signature":"` + another + `"}`,
	} {
		c, wire := carried(t, once, always(200, body))
		_, err := c.SendBundle(t.Context(), transaction(7))
		require.ErrorIs(t, err, walletfi.ErrMismatch, body)
		require.Equal(t, own, wiretest.As[*walletfi.OutcomeUnknownError](t, err, body).Signature)
		require.Len(t, wire.Seen, 1)
		bundle, err := c.SendBundle(t.Context(), sponsored(), walletfi.WithLateSigners(other))
		require.NoError(t, err, body)
		require.Equal(t, body, bundle.Raw.String())
	}
	for _, body := range []string{
		`{"bundleId":"b"}`, `"b"`, `{"bundleId":"` + another + `"}`, `{"hash":"0x12","txHash":"` + own + `"}`, `{"tx":{}}`, `"` + another + `"`,
	} {
		c, _ := carried(t, once, always(200, body))
		bundle, err := c.SendBundle(t.Context(), transaction(7))
		require.NoError(t, err, body)
		require.Equal(t, own, bundle.Signature, body)
		require.Equal(t, body, bundle.Raw.String())
	}
}
