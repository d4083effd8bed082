package burnclose_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
)

type answer struct {
	status int
	body   string
	err    error
}

// script answers with one after the other, the last for ever.
func script(answers ...answer) carrier {
	return func(n int, _ *http.Request) (int, string, error) {
		a := answers[min(n, len(answers))-1]
		return a.status, a.body, a.err
	}
}

func TestSendEffects(t *testing.T) {
	sent := answer{200, `{"signature":"` + signature(7) + `","sent":true}`, nil}
	lost := answer{0, "", errors.New("connection reset")}
	for name, row := range map[string]struct {
		answers []answer
		tries   int
		is      []error // what the error answers to
		isNot   []error
	}{
		"sent":                   {[]answer{sent}, 1, nil, nil},
		"500, then sent":         {[]answer{{500, "", nil}, sent}, 2, nil, nil},
		"lost, then sent":        {[]answer{lost, sent}, 2, nil, nil},
		"429, then sent":         {[]answer{{429, "", nil}, sent}, 2, nil, nil},
		"malformed":              {[]answer{{400, `{"error":"not signed"}`, nil}}, 1, []error{walletfi.ErrInvalidRequest}, []error{walletfi.ErrOutcomeUnknown}},
		"wrong key":              {[]answer{{401, "", nil}}, 1, []error{walletfi.ErrUnauthorized}, []error{walletfi.ErrOutcomeUnknown}},
		"500 for ever":           {[]answer{{500, "", nil}}, 4, []error{walletfi.ErrOutcomeUnknown}, []error{walletfi.ErrUnavailable}},
		"lost for ever":          {[]answer{lost}, 4, []error{walletfi.ErrOutcomeUnknown}, []error{walletfi.ErrUnavailable}},
		"lost, then refused":     {[]answer{lost, {400, `{"error":"already processed"}`, nil}}, 2, []error{walletfi.ErrOutcomeUnknown, walletfi.ErrInvalidRequest}, nil},
		"no signature":           {[]answer{{200, `{"sent":true}`, nil}}, 1, []error{walletfi.ErrOutcomeUnknown, walletfi.ErrDecode}, nil},
		"garbage":                {[]answer{{200, `<html>`, nil}}, 1, []error{walletfi.ErrOutcomeUnknown, walletfi.ErrDecode}, nil},
		"another's signature":    {[]answer{{200, `{"signature":"` + signature(8) + `","sent":true}`, nil}}, 1, []error{walletfi.ErrOutcomeUnknown, walletfi.ErrDecode}, nil},
		"not sent, says Submit":  {[]answer{{200, `{"signature":"` + signature(7) + `","sent":false}`, nil}}, 1, []error{walletfi.ErrOutcomeUnknown}, []error{walletfi.ErrUnavailable}},
		"sent is not said":       {[]answer{{200, `{"signature":"` + signature(7) + `"}`, nil}}, 1, []error{walletfi.ErrOutcomeUnknown}, []error{walletfi.ErrUnavailable}},
		"429 for ever is no try": {[]answer{{429, "", nil}}, 4, []error{walletfi.ErrRateLimited}, []error{walletfi.ErrOutcomeUnknown}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, wire := carriedClient(t, walletfi.Options{}, script(row.answers...))
				got, err := c.Submit(t.Context(), walletfi.Signed{Transaction: signed(7)})
				require.Len(t, wire.seen, row.tries)
				for _, body := range wire.seen {
					require.JSONEq(t, `{"signedTransaction":"`+string(signed(7))+`","encoding":"base64"}`, body)
				}
				if row.is == nil {
					require.NoError(t, err)
					require.Equal(t, signature(7), got)
					return
				}
				require.Empty(t, got)
				for _, want := range row.is {
					require.ErrorIs(t, err, want)
				}
				for _, not := range row.isNot {
					require.NotErrorIs(t, err, not)
				}
				var unknown *walletfi.OutcomeUnknownError
				if errors.As(err, &unknown) {
					require.Equal(t, signature(7), unknown.Signature)
				}
			})
		})
	}
}

func TestSubmitTakesTheSignatureItIsGiven(t *testing.T) {
	c, _ := carriedClient(t, once, script(answer{500, "", nil}))
	_, err := c.Submit(t.Context(), walletfi.Signed{Transaction: "AQID", Signature: signature(9)})
	var unknown *walletfi.OutcomeUnknownError
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, signature(9), unknown.Signature)

	_, err = c.Submit(t.Context(), walletfi.Signed{Transaction: signed(7), Signature: signature(9)})
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, signature(7), unknown.Signature, "the bytes know better")
}

// TestConfirmationStretchesTimeout: the service answers after its own wait,
// far beyond the client's timeout.
func TestConfirmationStretchesTimeout(t *testing.T) {
	for name, row := range map[string]struct {
		options     burnclose.RelayOptions
		batch       int // transactions, 0 for a single send
		concurrency int
		answers     time.Duration // after so long
		timeout     bool
	}{
		"no wait":                       {burnclose.RelayOptions{}, 0, 0, 31 * time.Second, true},
		"told not to wait":              {burnclose.RelayOptions{WaitForConfirmation: new(false), ConfirmationTimeout: time.Minute}, 0, 0, 31 * time.Second, true},
		"covered":                       {burnclose.RelayOptions{WaitForConfirmation: new(true), ConfirmationTimeout: time.Minute}, 0, 0, 61 * time.Second, false},
		"covered, wait left to service": {burnclose.RelayOptions{ConfirmationTimeout: time.Minute}, 0, 0, 61 * time.Second, false},
		"timeout left to service":       {burnclose.RelayOptions{WaitForConfirmation: new(true)}, 0, 0, 181 * time.Second, false},
		"and not for ever":              {burnclose.RelayOptions{WaitForConfirmation: new(true), ConfirmationTimeout: time.Minute}, 0, 0, 76 * time.Second, true},
		"batch in two rounds":           {burnclose.RelayOptions{WaitForConfirmation: new(true), ConfirmationTimeout: time.Minute}, 9, 0, 121 * time.Second, false},
		"batch in one round":            {burnclose.RelayOptions{WaitForConfirmation: new(true), ConfirmationTimeout: time.Minute}, 9, 9, 76 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := carriedClient(t, once, func(_ int, r *http.Request) (int, string, error) {
					select {
					case <-time.After(row.answers):
						return 200, `{"signature":"` + signature(7) + `","sent":true}`, nil
					case <-r.Context().Done():
						return 0, "", r.Context().Err()
					}
				})
				err := sendOrBatch(t.Context(), c, row.options, row.batch, row.concurrency)
				if row.timeout {
					require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
					return
				}
				require.NoError(t, err)
			})
		})
	}
}

func sendOrBatch(ctx context.Context, c *burnclose.Client, options burnclose.RelayOptions, batch, concurrency int) error {
	if batch == 0 {
		_, err := c.SendTransaction(ctx, burnclose.SendRequest{Transaction: signed(7), RelayOptions: options})
		return err
	}
	req := burnclose.SendBatchRequest{RelayOptions: options, MaxConcurrency: concurrency}
	for range batch {
		req.Transactions = append(req.Transactions, signed(7))
	}
	_, err := c.SendBatch(ctx, req)
	return err
}

func TestCancelledSendIsUnknown(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c, _ := carriedClient(t, walletfi.Options{}, func(_ int, r *http.Request) (int, string, error) {
		cancel()
		<-r.Context().Done()
		return 0, "", r.Context().Err()
	})
	_, err := c.Submit(ctx, walletfi.Signed{Transaction: signed(7)})
	require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	require.ErrorIs(t, err, context.Canceled)

	_, err = c.Submit(ctx, walletfi.Signed{Transaction: signed(7)})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown, "nothing was sent")
}

func TestErrorsHideWhatWasSent(t *testing.T) {
	c, _ := carriedClient(t, once, func(_ int, r *http.Request) (int, string, error) {
		return 400, `{"error":"cannot read ` + string(signed(7)) + ` of k-123456"}`, nil
	})
	_, err := c.Submit(t.Context(), walletfi.Signed{Transaction: signed(7)})
	var r *walletfi.ResponseError
	require.ErrorAs(t, err, &r)
	require.Equal(t, "cannot read [secret] of [secret]", r.Message)
	require.NotContains(t, string(r.Body)+err.Error(), string(signed(7)))
}

func TestOtherEffects(t *testing.T) {
	built := answer{200, `{"serializedTransaction":"Ldp","found":true}`, nil}
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, walletfi.Options{}, script(answer{503, "", nil}, answer{0, "", errors.New("reset")}, answer{429, "", nil}, built))
		_, err := c.BuildBurn(t.Context(), burnclose.BurnRequest{Owner: owner, AssetID: asset})
		require.NoError(t, err)
		require.Len(t, wire.seen, 4, "a build is safe to repeat")

		c, wire = carriedClient(t, walletfi.Options{}, script(answer{500, "", nil}, built))
		_, err = c.SignatureStatus(t.Context(), signature(7))
		require.NoError(t, err)
		require.Len(t, wire.seen, 2, "a status is safe to repeat")

		c, wire = carriedClient(t, walletfi.Options{}, script(answer{500, "", nil}, built))
		_, err = c.GenerateAPIKey(t.Context(), nil)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Len(t, wire.seen, 1, "a key may be there already")

		c, wire = carriedClient(t, walletfi.Options{}, script(answer{429, "", nil}, built))
		_, err = c.GenerateAPIKey(t.Context(), nil)
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Len(t, wire.seen, 1)
	})
}
