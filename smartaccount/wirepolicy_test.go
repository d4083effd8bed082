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
		Reply: `{"id":"pol_1","status":"active","params":{"amount":0,"period":"weekly"}}`,
	}, {
		Name: "CreatePolicy, raw",
		Call: wiretest.By(client, (*smartaccount.Client).CreatePolicy, "acc_1", smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicyAllowlist, Name: "friends", Params: smartaccount.RawParams(` {"destinations": ["D1"], "max": 12345678901234567890}`),
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/policies", Header: bearer,
		Body:  `{"type":"allowlist","name":"friends","params":{"destinations":["D1"],"max":12345678901234567890}}`,
		Reply: `{"id": "pol_9", "status": "active"}`,
		Want:  &smartaccount.Policy{ID: "pol_9", Status: smartaccount.StatusActive},
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
		"a fraction":   {ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"amount": "1.5"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			limit, err := policy.SpendingLimit()
			require.Error(t, err)
			require.Zero(t, limit)
		})
	}
	bare := smartaccount.Policy{Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"mint": "M1111111111111111111111111111111", "amount": 18446744073709551615}`)}
	limit, err := bare.SpendingLimit()
	require.NoError(t, err)
	require.Equal(t, smartaccount.SpendingLimit{Mint: "M1111111111111111111111111111111", Amount: maxAmount}, limit)
}
