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

// TestOddButHonest: what another vendor may send within the documentation is taken without an
// error.
func TestOddButHonest(t *testing.T) {
	const at, sig = `"Addr1111111111111111111111111111"`, `"Sig1111111111111111111111111111111111111111111111111111111111111"`
	type service = smartaccount.Client
	get := func(ctx context.Context, c *service) error { return wiretest.Error(c.GetAccount(ctx, "acc_1")) }
	made := func(ctx context.Context, c *service) error {
		return wiretest.Error(c.CreateAccount(ctx, smartaccount.CreateAccountRequest{Name: "n", Type: smartaccount.AccountPersonal}))
	}
	tx := func(ctx context.Context, c *service) error {
		return wiretest.Error(c.GetTransaction(ctx, "acc_1", "tx_1"))
	}
	day := time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)
	debit := func(ctx context.Context, c *service) error {
		return wiretest.Error(c.CreateDirectDebit(ctx, "acc_1", smartaccount.CreateDirectDebitRequest{
			Merchant: wiretest.Address(1), Mint: wiretest.Address(2), MaxAmount: 5, Frequency: "monthly", ExpiresAt: day,
		}))
	}
	pay := func(ctx context.Context, c *service) error {
		return wiretest.Error(c.CreateSubscription(ctx, "acc_1", smartaccount.CreateSubscriptionRequest{
			Merchant: wiretest.Address(1), Mint: wiretest.Address(2), Amount: 5, Frequency: "monthly", StartDate: day,
		}))
	}
	shop := `"merchant":"` + wiretest.Address(1) + `"`
	for name, row := range map[string]struct {
		call func(context.Context, *service) error
		body string
	}{
		"a fraction":                  {get, `{"id":"acc_1","address":` + at + `,"status":"active","balance":{"SOL":"0.000000001"}}`},
		"an exponent":                 {get, `{"id":"acc_1","address":` + at + `,"status":"active","balance":{"SOL":1e-7}}`},
		"null for an asset":           {get, `{"id":"acc_1","address":` + at + `,"status":"active","balance":{"SOL":null,"X":"1"}}`},
		"an empty text for an asset":  {get, `{"id":"acc_1","address":` + at + `,"status":"active","balance":{"SOL":""}}`},
		"no asset":                    {get, `{"id":"acc_1","address":` + at + `,"status":"active","balance":{}}`},
		"assets of two cases":         {get, `{"id":"acc_1","address":` + at + `,"status":"active","balance":{"sol":"1","SOL":"2"}}`},
		"frozen":                      {get, `{"id":"acc_1","address":` + at + `,"status":"frozen","balance":{}}`},
		"created in another case":     {made, `{"id":"acc_1","address":` + at + `,"name":"n","type":"personal","status":"ACTIVE"}`},
		"created, and on its way":     {made, `{"id":"acc_1","address":` + at + `,"name":"n","type":"personal","status":"provisioning"}`},
		"created with a null balance": {made, `{"id":"acc_1","address":` + at + `,"name":"n","type":"personal","status":"active","balance":null}`},
		"an id of a number":           {made, `{"id":17,"address":` + at + `,"name":"n","type":"personal","status":"active"}`},
		"a queued transaction":        {tx, `{"id":"tx_1","signature":` + sig + `,"status":"queued","slot":5,"fee":"0","instructions":[]}`},
		"an instruction of nothing": {tx, `{"id":"tx_1","signature":` + sig + `,"status":"confirmed","slot":5,"fee":5000,` +
			`"instructions":[{"programId":"11111111111111111111111111111111","accounts":[],"data":""}]}`},
		"a debit without an expiry said":    {debit, `{"id":"dd_1",` + shop + `,"status":"active"}`},
		"a debit with the day of its end":   {debit, `{"id":"dd_1",` + shop + `,"status":"active","expiresAt":"2030-01-02"}`},
		"a debit with its end in seconds":   {debit, `{"id":"dd_1",` + shop + `,"status":"active","expiresAt":1893542400}`},
		"a debit with null dates":           {debit, `{"id":"dd_1",` + shop + `,"status":"active","lastDebit":null,"nextDebit":null}`},
		"a payment on the first day":        {pay, `{"id":"sub_1",` + shop + `,"amount":"5","frequency":"monthly","status":"active","nextPayment":"2030-01-02T00:00:00Z"}`},
		"a payment as the day begins east":  {pay, `{"id":"sub_1",` + shop + `,"amount":5,"frequency":"monthly","status":"active","nextPayment":"2030-01-01T10:00:00Z"}`},
		"a payment a month after the first": {pay, `{"id":"sub_1",` + shop + `,"amount":"5","frequency":"monthly","status":"scheduled","nextPayment":"2030-02-02T00:00:00+14:00"}`},
	} {
		c := client(t, wiretest.Serve(t, reply(200, row.body)).URL)
		require.NoError(t, row.call(t.Context(), c), name)
	}
}

// TestPausedInCapitals: the case of a status is not documented. It is read as the constant.
func TestPausedInCapitals(t *testing.T) {
	c := client(t, wiretest.Serve(t, reply(200, `{"success":true,"status":"PAUSED"}`)).URL)
	said, err := c.PauseSubscription(t.Context(), "acc_1", "sub_1")
	require.NoError(t, err)
	require.Equal(t, smartaccount.StatusPaused, said.Status)
	_, err = c.ResumeSubscription(t.Context(), "acc_1", "sub_1")
	require.ErrorIs(t, err, walletfi.ErrMismatch)
}
