package smartaccount_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

func TestWirePolicies(t *testing.T) {
	limit := smartaccount.SpendingLimit{Mint: "M1111111111111111111111111111111", Amount: maxAmount, Period: smartaccount.PeriodDaily}
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*smartaccount.Client).CreatePolicy, "acc_1", smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicySpendingLimit, Name: "cap", Params: limit,
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/policies", Header: bearer,
		Body: `{"type":"spending_limit","name":"cap","params":{"mint":"M1111111111111111111111111111111","amount":"18446744073709551615","period":"daily"}}`,
		File: "CreatePolicy.json",
		Want: &smartaccount.Policy{
			ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Name: "cap", Status: smartaccount.StatusActive,
			Params:    walletfi.Document(`{"mint": "M1111111111111111111111111111111", "amount": "18446744073709551615", "period": "daily"}`),
			CreatedAt: at(t, "2026-01-02T03:04:05Z"),
		},
		Then: func(t *testing.T, result any) {
			read, err := result.(*smartaccount.Policy).SpendingLimit()
			require.NoError(t, err)
			require.Equal(t, limit, read)
		},
	}, {
		Name: "CreatePolicy, nothing may leave",
		Call: wiretest.By(client, (*smartaccount.Client).CreatePolicy, "acc_1", smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicySpendingLimit, Name: "cap", Params: &smartaccount.SpendingLimit{Mint: "M1111111111111111111111111111111", Period: "weekly"},
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/policies", Header: bearer,
		Body:  `{"type":"spending_limit","name":"cap","params":{"mint":"M1111111111111111111111111111111","amount":"0","period":"weekly"}}`,
		Reply: `{"id":"pol_1","status":"active","params":{"mint":"M1111111111111111111111111111111","amount":0,"period":"weekly"}}`,
	}, {
		Name: "CreatePolicy, raw",
		Call: wiretest.By(client, (*smartaccount.Client).CreatePolicy, "acc_1", smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicyAllowlist, Name: "friends", Params: smartaccount.RawParams(` {"destinations": ["D1"], "max": 12345678901234567890}`),
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/policies", Header: bearer,
		Body:  `{"type":"allowlist","name":"friends","params":{"destinations":["D1"],"max":12345678901234567890}}`,
		Reply: `{"id": "pol_9", "status": "active", "params": {"max": 12345678901234567890}}`,
		Want: &smartaccount.Policy{
			ID: "pol_9", Status: smartaccount.StatusActive, Params: walletfi.Document(`{"max": 12345678901234567890}`),
		},
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).ListPolicies, "acc_1"),
		Method: "GET", Target: "/api/v1/accounts/acc_1/policies", Header: noBody, File: "ListPolicies.json",
		Want: &smartaccount.PolicyPage{Total: 2, Items: []smartaccount.Policy{
			{ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Name: "cap", Status: smartaccount.StatusActive},
			{ID: "pol_2", Type: "quarantine", Name: "cap", Status: "draft"},
		}},
	}, {
		Call: wiretest.By(client, (*smartaccount.Client).UpdatePolicy, "acc_1", "pol_1", smartaccount.UpdatePolicyRequest{
			Params: smartaccount.SpendingLimitChange{Amount: new(walletfi.Amount(0))},
		}),
		Method: "PATCH", Target: "/api/v1/accounts/acc_1/policies/pol_1", Header: bearer,
		Body: `{"params":{"amount":"0"}}`, Reply: `{"success": true}`,
	}, {
		Name: "UpdatePolicy, all but the amount",
		Call: wiretest.By(client, (*smartaccount.Client).UpdatePolicy, "acc_1", "pol_1", smartaccount.UpdatePolicyRequest{
			Params: smartaccount.SpendingLimitChange{Mint: "M2111111111111111111111111111111", Period: "weekly"},
		}),
		Method: "PATCH", Target: "/api/v1/accounts/acc_1/policies/pol_1", Header: bearer,
		Body: `{"params":{"mint":"M2111111111111111111111111111111","period":"weekly"}}`, Reply: `{"success":"true"}`,
	}, {
		Name: "UpdatePolicy, raw",
		Call: wiretest.By(client, (*smartaccount.Client).UpdatePolicy, "acc_1", "pol_1", smartaccount.UpdatePolicyRequest{
			Params: smartaccount.RawParams(`{"to":"18:00"}`),
		}),
		Method: "PATCH", Target: "/api/v1/accounts/acc_1/policies/pol_1", Header: bearer,
		Body: `{"params":{"to":"18:00"}}`, Reply: `{"success":true}`,
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).DeletePolicy, "acc_1", "pol_1"),
		Method: "DELETE", Target: "/api/v1/accounts/acc_1/policies/pol_1", Header: noBody, Reply: `{"success": true}`,
	}})
}

func TestSpendingLimitOfAPolicy(t *testing.T) {
	for name, policy := range map[string]smartaccount.Policy{
		"another type": {ID: "pol_1", Type: smartaccount.PolicyAllowlist, Params: walletfi.Document(`{}`)},
		"from a list":  {ID: "pol_1", Type: smartaccount.PolicySpendingLimit},
		"null":         {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`null`)},
		"nothing":      {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{}`)},
		"a list":       {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`[]`)},
		"no mint":      {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"amount":"5","period":"daily"}`)},
		"no amount":    {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"mint":"M1","period":"daily"}`)},
		"null amount":  {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"mint":"M1","amount":null,"period":"daily"}`)},
		"empty amount": {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"mint":"M1","amount":"","period":"daily"}`)},
		"two amounts":  {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"mint":"M1","amount":"5","amount":"6","period":"daily"}`)},
		"no period":    {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"mint":"M1","amount":"5"}`)},
		"empty period": {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"mint":"M1","amount":"5","period":""}`)},
		"a mint of {}": {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"mint":{},"amount":"5","period":"daily"}`)},
		"a fraction":   {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"mint": "M1", "period": "daily", "amount": "1.5"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			limit, err := policy.SpendingLimit()
			require.Error(t, err)
			require.Zero(t, limit)
		})
	}
	bare := smartaccount.Policy{Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"mint": "M1111111111111111111111111111111", "amount": 18446744073709551615, "period": "weekly"}`)}
	limit, err := bare.SpendingLimit()
	require.NoError(t, err)
	require.Equal(t, smartaccount.SpendingLimit{Mint: "M1111111111111111111111111111111", Amount: maxAmount, Period: "weekly"}, limit)
	bare.Params = walletfi.Document(`{"mint": "M1", "amount": "0", "period": "daily"}`)
	limit, err = bare.SpendingLimit()
	require.NoError(t, err, "a limit of 0 was said")
	require.Equal(t, smartaccount.SpendingLimit{Mint: "M1", Period: smartaccount.PeriodDaily}, limit)
}
