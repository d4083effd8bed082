package smartaccount_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// TestCreatedIsTold: once the id is read, no other member makes an error of a
// creation.
func TestCreatedIsTold(t *testing.T) {
	for _, body := range []string{
		`{"id":"sub_1","createdAt":"2026-01-02T03:04:05+0200"}`,
		`{"id":"sub_1","amount":"N/A","status":{"now":"active"},"merchant":[],"nextPayment":"soon"}`,
		`{"id":"sub_1","amount":2,"amount":1,"startDate":{}}`,
		`{"id":"sub_1","amount":-1.5}`,
	} {
		carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: body}}}
		c := wiretest.Client(t, smartaccount.New, smartaccount.Config{
			BaseURL: "https://accounts.example.com/api/v1", Token: signedIn, Options: walletfi.Options{HTTPClient: carrier.Client()},
		})
		created, err := c.CreateSubscription(t.Context(), "acc_1", smartaccount.CreateSubscriptionRequest{
			Merchant: wiretest.Address(1), Mint: wiretest.Address(2), Amount: 1, Frequency: smartaccount.FrequencyMonthly,
		})
		require.NoError(t, err, body)
		require.Equal(t, "sub_1", created.ID, body)
		require.Len(t, carrier.Seen, 1)
	}
}

// TestCreatedContradicts: what was created is returned together with the error
// that it is not what was asked for.
func TestCreatedContradicts(t *testing.T) {
	carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: `{"id":"sub_1","amount":"2"}`}}}
	c := wiretest.Client(t, smartaccount.New, smartaccount.Config{
		BaseURL: "https://accounts.example.com/api/v1", Token: signedIn, Options: walletfi.Options{HTTPClient: carrier.Client()},
	})
	created, err := c.CreateSubscription(t.Context(), "acc_1", smartaccount.CreateSubscriptionRequest{
		Merchant: wiretest.Address(1), Mint: wiretest.Address(2), Amount: 1, Frequency: smartaccount.FrequencyMonthly,
	})
	require.ErrorIs(t, err, walletfi.ErrMismatch)
	require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	require.ErrorContains(t, err, `amount: asked for "1", answered "2"`)
	require.Equal(t, "sub_1", created.ID)
	require.Equal(t, walletfi.Amount(2), created.Amount)
	require.Len(t, carrier.Seen, 1)
}
