package smartaccount_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// TestCreatedInAnotherState: what is created is active and lasts as long as was asked for.
// Anything else contradicts the request, and comes with the id.
func TestCreatedInAnotherState(t *testing.T) {
	day := time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)
	type client = smartaccount.Client
	account := func(ctx context.Context, c *client) (any, error) {
		return c.CreateAccount(ctx, smartaccount.CreateAccountRequest{Name: "n", Type: smartaccount.AccountPersonal})
	}
	session := func(ctx context.Context, c *client) (any, error) {
		return c.CreateSession(ctx, "acc_1", smartaccount.CreateSessionRequest{
			PublicKey: wiretest.Address(1), ExpiresAt: day, Permissions: []smartaccount.Permission{"transfer"},
		})
	}
	policy := func(ctx context.Context, c *client) (any, error) {
		return c.CreatePolicy(ctx, "acc_1", smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicyAllowlist, Name: "n", Params: smartaccount.RawParams(`{}`),
		})
	}
	limit := func(ctx context.Context, c *client) (any, error) {
		return c.CreatePolicy(ctx, "acc_1", smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicySpendingLimit, Name: "n",
			Params: smartaccount.SpendingLimit{Mint: wiretest.Address(1), Amount: 5, Period: "daily"},
		})
	}
	pointer := func(ctx context.Context, c *client) (any, error) {
		return c.CreatePolicy(ctx, "acc_1", smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicySpendingLimit, Name: "n",
			Params: &smartaccount.SpendingLimit{Mint: wiretest.Address(1), Amount: 5, Period: "daily"},
		})
	}
	listed := func(ctx context.Context, c *client) (any, error) {
		return c.CreatePolicy(ctx, "acc_1", smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicyAllowlist, Name: "n", Params: smartaccount.RawParams(`{"destinations":["a"]}`),
		})
	}
	debit := func(expires time.Time) func(context.Context, *client) (any, error) {
		return func(ctx context.Context, c *client) (any, error) {
			return c.CreateDirectDebit(ctx, "acc_1", smartaccount.CreateDirectDebitRequest{
				Merchant: wiretest.Address(1), Mint: wiretest.Address(2), MaxAmount: 5, Frequency: "monthly", ExpiresAt: expires,
			})
		}
	}
	subscription := func(ctx context.Context, c *client) (any, error) {
		return c.CreateSubscription(ctx, "acc_1", smartaccount.CreateSubscriptionRequest{
			Merchant: wiretest.Address(1), Mint: wiretest.Address(2), Amount: 5, Frequency: "monthly", StartDate: day,
		})
	}
	for _, row := range []struct {
		create   func(context.Context, *client) (any, error)
		body     string // after the id
		mismatch string // the member, "" for none
	}{
		{account, `"status":"active"`, ""},
		{account, `"status":"Active"`, ""},
		{account, `"status":"pending"`, ""},
		{account, `"status":"confirmed"`, ""},
		{account, `"status":null`, ""},
		{account, `"status":"Failed"`, "status"},
		{session, `"status":"revoked"`, "status"},
		{session, `"status":"DENIED"`, "status"},
		{policy, `"status":"deleted"`, "status"},
		{policy, `"status":"inactive"`, "status"},
		{policy, `"params":{}`, ""},
		{limit, `"params":{}`, "params.amount"},
		{limit, `"params":{"mint":"` + wiretest.Address(1) + `","period":"daily"}`, "params.amount"},
		{limit, `"params":{"mint":"` + wiretest.Address(1) + `","amount":null,"period":"daily"}`, "params.amount"},
		{limit, `"params":{"mint":"` + wiretest.Address(1) + `","amount":5,"period":""}`, "params.period"},
		{limit, `"params":{"amount":"5","period":"daily"}`, "params.mint"},
		{limit, `"params":{"mint":"` + wiretest.Address(1) + `","amount":"5","period":"DAILY","new":1}`, ""},
		{limit, `"params":{"mint":"` + wiretest.Address(1) + `","amount":"NaN","period":"daily"}`, "params"},
		{limit, `"params":{"mint":"` + wiretest.Address(1) + `","amount":true,"period":"daily"}`, "params"},
		{limit, `"params":{"mint":{},"amount":"5","period":"daily"}`, "params"},
		{pointer, `"params":{"mint":"` + wiretest.Address(1) + `","amount":"5","period":[]}`, "params"},
		{limit, `"params":null`, "params"},
		{limit, `"name":"n"`, "params"},
		{limit, `"params":[]`, "params"},
		{pointer, `"params":{"amount":"5","period":"daily"}`, "params.mint"},
		{limit, `"params":""`, "params"},
		{limit, `"params":"x"`, "params"},
		{listed, `"params":null`, "params"},
		{listed, `"name":"n"`, "params"},
		{policy, `"params":null`, ""},
		{listed, `"params":{}`, "params.destinations"},
		{listed, `"params":{"addresses":["a"]}`, ""},
		{debit(day), `"status":"cancelled"`, "status"},
		{subscription, `"status":"paused"`, "status"},
		{debit(day), `"expiresAt":null`, "expiresAt"},
		{debit(day), `"expiresAt":"2030-01-02T00:00:00Z"`, ""},
		{debit(day), `"merchant":"` + wiretest.Address(1) + `"`, ""},
		{debit(time.Time{}), `"expiresAt":null`, ""},
		{subscription, `"nextPayment":"2030-01-02T00:00:00Z"`, ""},
		{subscription, `"nextPayment":"2030-01-01T10:00:00Z"`, ""}, // the day has begun in the east
		{subscription, `"nextPayment":"2030-01-01T09:59:59Z"`, "nextPayment"},
		{subscription, `"nextPayment":"2026-01-02T00:00:00Z"`, "nextPayment"},
	} {
		carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: `{"id":"x_1",` + row.body + `}`}}}
		c := wiretest.Client(t, smartaccount.New, smartaccount.Config{
			BaseURL: "https://accounts.example.com/api/v1", Token: signedIn, Options: walletfi.Options{HTTPClient: carrier.Client()},
		})
		made, err := row.create(t.Context(), c)
		if row.mismatch == "" {
			require.NotErrorIs(t, err, walletfi.ErrMismatch, row.body)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrMismatch, row.body)
		require.Equal(t, row.mismatch, wiretest.As[*walletfi.MismatchError](t, err).Field)
		require.NotNil(t, made)
		require.Len(t, carrier.Seen, 1)
	}
}

// TestPolicyParamsTwice: of params that come twice neither is the policy's, and the policy is there.
func TestPolicyParamsTwice(t *testing.T) {
	const params = `"params":{"mint":"M1111111111111111111111111111111","amount":"5","period":"daily"}`
	for _, body := range []string{params + `,"params":null`, `"params":null,` + params, params + `,` + params} {
		carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: `{"id":"x_1","status":"active",` + body + `}`}}}
		c := wiretest.Client(t, smartaccount.New, smartaccount.Config{
			BaseURL: "https://accounts.example.com/api/v1", Token: signedIn, Options: walletfi.Options{HTTPClient: carrier.Client()},
		})
		made, err := c.CreatePolicy(t.Context(), "acc_1", smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicySpendingLimit, Name: "n",
			Params: smartaccount.SpendingLimit{Mint: "M1111111111111111111111111111111", Amount: 5, Period: "daily"},
		})
		require.ErrorContains(t, err, "params", body)
		require.NotNil(t, made, body)
		require.Equal(t, "x_1", made.ID)
	}
}
