package burnclose_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

func TestSendEffects(t *testing.T) {
	sent := answer{Status: 200, Body: `{"signature":"` + wiretest.Signature(7) + `","sent":true}`}
	lost := answer{Err: errors.New("connection reset")}
	for name, row := range map[string]struct {
		answers []answer
		tries   int
		is      []error // what the error answers to
		isNot   []error
	}{
		"sent":                   {[]answer{sent}, 1, nil, nil},
		"500, then sent":         {[]answer{{Status: 500}, sent}, 2, nil, nil},
		"lost, then sent":        {[]answer{lost, sent}, 2, nil, nil},
		"429, then sent":         {[]answer{{Status: 429}, sent}, 2, nil, nil},
		"malformed":              {[]answer{{Status: 400, Body: `{"error":"not signed"}`}}, 1, []error{walletfi.ErrInvalidRequest}, []error{walletfi.ErrOutcomeUnknown}},
		"wrong key":              {[]answer{{Status: 401}}, 1, []error{walletfi.ErrUnauthorized}, []error{walletfi.ErrOutcomeUnknown}},
		"500 for ever":           {[]answer{{Status: 500}}, 4, []error{walletfi.ErrOutcomeUnknown}, []error{walletfi.ErrUnavailable}},
		"lost for ever":          {[]answer{lost}, 4, []error{walletfi.ErrOutcomeUnknown}, []error{walletfi.ErrUnavailable}},
		"lost, then refused":     {[]answer{lost, {Status: 400, Body: `{"error":"already processed"}`}}, 2, []error{walletfi.ErrOutcomeUnknown, walletfi.ErrInvalidRequest}, nil},
		"no signature":           {[]answer{{Status: 200, Body: `{"sent":true}`}}, 1, []error{walletfi.ErrOutcomeUnknown, walletfi.ErrDecode}, nil},
		"garbage":                {[]answer{{Status: 200, Body: `<html>`}}, 1, []error{walletfi.ErrOutcomeUnknown, walletfi.ErrDecode}, nil},
		"another's signature":    {[]answer{{Status: 200, Body: `{"signature":"` + wiretest.Signature(8) + `","sent":true}`}}, 1, []error{walletfi.ErrOutcomeUnknown, walletfi.ErrMismatch}, nil},
		"not sent, says Submit":  {[]answer{{Status: 200, Body: `{"signature":"` + wiretest.Signature(7) + `","sent":false}`}}, 1, []error{walletfi.ErrOutcomeUnknown}, []error{walletfi.ErrUnavailable}},
		"sent is not said":       {[]answer{{Status: 200, Body: `{"signature":"` + wiretest.Signature(7) + `"}`}}, 1, []error{walletfi.ErrOutcomeUnknown}, []error{walletfi.ErrUnavailable}},
		"429 for ever is no try": {[]answer{{Status: 429}}, 4, []error{walletfi.ErrRateLimited}, []error{walletfi.ErrOutcomeUnknown}},
	} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			c, wire := carriedClient(t, walletfi.Options{}, row.answers...)
			got, err := c.Submit(t.Context(), walletfi.Signed{Transaction: signed(7)})
			require.Len(t, wire.Seen, row.tries)
			for _, r := range wire.Seen {
				require.JSONEq(t, `{"signedTransaction":"`+string(signed(7))+`","encoding":"base64"}`, r.Body)
			}
			if row.is == nil {
				require.NoError(t, err)
				require.Equal(t, wiretest.Signature(7), got)
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
				require.Equal(t, wiretest.Signature(7), unknown.Signature)
			}
		})
	}
}

func TestSubmitTakesTheSignatureItIsGiven(t *testing.T) {
	c, _ := carriedClient(t, once, answer{Status: 500})
	_, err := c.Submit(t.Context(), walletfi.Signed{Transaction: "AQID", Signature: wiretest.Signature(9)})
	unknown := wiretest.As[*walletfi.OutcomeUnknownError](t, err)
	require.Equal(t, wiretest.Signature(9), unknown.Signature)

	_, err = c.Submit(t.Context(), walletfi.Signed{Transaction: signed(7), Signature: wiretest.Signature(9)})
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, wiretest.Signature(7), unknown.Signature, "the bytes know better")
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
		wiretest.InBubble(t, name, func(t *testing.T) {
			c, _ := replyingClient(t, once, func(_ int, r wiretest.Request) answer {
				select {
				case <-time.After(row.answers):
					return answer{Status: 200, Body: `{"signature":"` + wiretest.Signature(7) + `","sent":true,"results":[{"index":0,"sent":true}]}`}
				case <-r.Context.Done():
					return answer{Err: r.Context.Err()}
				}
			})
			err := sendOrBatch(t.Context(), c, row.options, row.batch, row.concurrency)
			if row.timeout {
				require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
				return
			}
			require.NoError(t, err)
		})
	}
}

func sendOrBatch(ctx context.Context, c *burnclose.Client, options burnclose.RelayOptions, batch, concurrency int) error {
	if batch == 0 {
		_, err := c.SendTransaction(ctx, burnclose.SendRequest{Transaction: signed(7), RelayOptions: options})
		return err
	}
	req := burnclose.SendBatchRequest{RelayOptions: options}
	if concurrency != 0 {
		req.MaxConcurrency = &concurrency
	}
	for range batch {
		req.Transactions = append(req.Transactions, signed(7))
	}
	_, err := c.SendBatch(ctx, req)
	return err
}

// TestConfirmationTwice: of two confirmations, one says that the transaction failed.
func TestConfirmationTwice(t *testing.T) {
	const failed, fine = `{"confirmationStatus":"confirmed","err":{"x":1}}`, `{"confirmationStatus":"confirmed","err":null}`
	for _, both := range [][2]string{{failed, fine}, {fine, failed}} {
		var result burnclose.SendResult
		err := json.Unmarshal([]byte(`{"signature":"s","sent":true,"confirmation":`+both[0]+`,"confirmation":`+both[1]+`}`), &result)
		require.Error(t, err)
	}
}

func TestCancelledSendIsUnknown(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c, _ := replyingClient(t, walletfi.Options{}, func(_ int, r wiretest.Request) answer {
		cancel()
		<-r.Context.Done()
		return answer{Err: r.Context.Err()}
	})
	_, err := c.Submit(ctx, walletfi.Signed{Transaction: signed(7)})
	require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	require.ErrorIs(t, err, context.Canceled)

	_, err = c.Submit(ctx, walletfi.Signed{Transaction: signed(7)})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown, "nothing was sent")
}

func TestErrorsHideWhatWasSent(t *testing.T) {
	c, _ := replyingClient(t, once, func(_ int, r wiretest.Request) answer {
		return answer{Status: 400, Body: `{"error":"cannot read ` + string(signed(7)) + ` of k-123456"}`}
	})
	_, err := c.Submit(t.Context(), walletfi.Signed{Transaction: signed(7)})
	r := wiretest.As[*walletfi.ResponseError](t, err)
	require.Equal(t, "cannot read [secret] of [secret]", r.Message)
	require.NotContains(t, string(r.Body)+err.Error(), string(signed(7)))
}

func TestOtherEffects(t *testing.T) {
	built := answer{Status: 200, Body: `{"serializedTransaction":"Ldp","found":true,"confirmed":true,"err":null}`}
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, walletfi.Options{}, answer{Status: 503}, answer{Err: errors.New("reset")}, answer{Status: 429}, built)
		_, err := c.BuildBurn(t.Context(), burnclose.BurnRequest{Owner: owner, AssetID: asset})
		require.NoError(t, err)
		require.Len(t, wire.Seen, 4, "a build is safe to repeat")

		c, wire = carriedClient(t, walletfi.Options{}, answer{Status: 500}, built)
		require.NoError(t, wiretest.Error(c.SignatureStatus(t.Context(), wiretest.Signature(7))))
		require.Len(t, wire.Seen, 2, "a status is safe to repeat")

		c, wire = carriedClient(t, walletfi.Options{}, answer{Status: 500}, built)
		require.ErrorIs(t, wiretest.Error(c.GenerateAPIKey(t.Context(), nil)), walletfi.ErrOutcomeUnknown)
		require.Len(t, wire.Seen, 1, "a key may be there already")

		c, wire = carriedClient(t, walletfi.Options{}, answer{Status: 429}, built)
		_, err = c.GenerateAPIKey(t.Context(), nil)
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Len(t, wire.Seen, 1)
	})
}

// TestRelayUnsigned: what a builder returned is not sent before it is signed,
// alone or in a batch of any length.
func TestRelayUnsigned(t *testing.T) {
	tx := func(paid, signed byte) walletfi.Base64Transaction {
		return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(wiretest.Pair(3, 1, paid, signed)))
	}
	for name, row := range map[string]struct {
		tx   walletfi.Base64Transaction
		late []string
		lack string // what is missing, "" if nothing is
	}{
		"as it was built":               {signed(0), nil, "lacks the signature of"},
		"as it was built for a sponsor": {tx(0, 0), []string{sponsor}, "lacks the signature of " + owner},
		"the sponsor is not named":      {tx(0, 7), nil, "lacks the signature of " + sponsor + ", which pays the fee"},
		"the sponsor is named":          {tx(0, 7), []string{sponsor}, ""},
		"all have signed":               {tx(8, 7), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, tx := range []walletfi.EncodedTransaction{row.tx, inBase58(t, row.tx)} {
				c, wire := carriedClient(t, once, answer{Status: 200, Body: `{"signature":"` + wiretest.Signature(8) + `","sent":true,"results":[]}`})
				batch := []walletfi.EncodedTransaction{}
				for n := range burnclose.MaxBatchSize + 1 {
					some, _ := numbered(n)
					batch = append(batch, some)
				}
				late := walletfi.WithLateSigners(row.late...)
				_, one := c.SendTransaction(t.Context(), burnclose.SendRequest{Transaction: tx}, late)
				_, many := c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: append(batch, tx)}, late)
				if row.lack == "" {
					require.NoError(t, one)
					require.NotErrorIs(t, many, walletfi.ErrInvalidRequest)
					require.Len(t, wire.Seen, 3)
					continue
				}
				wiretest.Refused(t, one, "signedTransaction")
				require.ErrorContains(t, one, row.lack)
				wiretest.Refused(t, many, "signedTransactions[129]")
				require.ErrorContains(t, many, row.lack)
				require.Empty(t, wire.Seen, "nothing of the batch")
			}
		})
	}
	c, wire := carriedClient(t, once)
	for _, of := range []string{owner, ""} {
		_, err := c.Submit(t.Context(), walletfi.Signed{Transaction: tx(0, 0), Owner: of})
		wiretest.Refused(t, err, "signedTransaction")
	}
	require.Empty(t, wire.Seen)
}
