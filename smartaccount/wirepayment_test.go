package smartaccount_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

func TestWireTransactions(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*smartaccount.Client).ExecuteTransaction, "acc_1", smartaccount.ExecuteTransactionRequest{
			Instructions: []smartaccount.Instruction{
				{ProgramID: "P1111111111111111111111111111111", Accounts: []smartaccount.AccountMeta{{PublicKey: "A1111111111111111111111111111111", IsSigner: true}, {PublicKey: "A2111111111111111111111111111111"}}, Data: []byte{0xfb, 0xff}},
				{ProgramID: "P2111111111111111111111111111111"},
			},
			SessionKeySignature: []byte{1, 2, 3},
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/transactions", Header: bearer,
		Body: `{"instructions":[
			{"programId":"P1111111111111111111111111111111","accounts":[{"pubkey":"A1111111111111111111111111111111","isSigner":true,"isWritable":false},{"pubkey":"A2111111111111111111111111111111","isSigner":false,"isWritable":false}],"data":"+/8="},
			{"programId":"P2111111111111111111111111111111","accounts":[],"data":""}],"sessionKeySignature":"AQID"}`,
		File: "ExecuteTransaction.json",
		Want: &smartaccount.Transaction{ID: "tx_1", Signature: "Sig1111111111111111111111111111111111111111111111111111111111111", Status: smartaccount.StatusConfirmed, Slot: new(uint64(1<<64 - 1))},
	}, {
		Name: "ExecuteTransaction, by the token alone",
		Call: wiretest.By(client, (*smartaccount.Client).ExecuteTransaction, "acc_1", smartaccount.ExecuteTransactionRequest{
			Instructions: []smartaccount.Instruction{{ProgramID: "P1111111111111111111111111111111"}},
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/transactions", Header: bearer,
		Body: `{"instructions":[{"programId":"P1111111111111111111111111111111","accounts":[],"data":""}]}`, Reply: `{"id":"tx_7","signature":"Sig7111111111111111111111111111111111111111111111111111111111111","status":"Confirmed","slot":null}`,
		Want: &smartaccount.Transaction{ID: "tx_7", Signature: "Sig7111111111111111111111111111111111111111111111111111111111111", Status: smartaccount.StatusConfirmed},
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).GetTransaction, "acc_1", "tx_1"),
		Method: "GET", Target: "/api/v1/accounts/acc_1/transactions/tx_1", Header: noBody, File: "GetTransaction.json",
		Want: &smartaccount.Transaction{
			ID: "tx_1", Signature: "Sig1111111111111111111111111111111111111111111111111111111111111", Status: smartaccount.StatusConfirmed, Slot: new(uint64(5)), Fee: 5000, Timestamp: at(t, "2026-01-02T03:04:05Z"),
			Instructions: []smartaccount.Instruction{
				{ProgramID: "P1111111111111111111111111111111", Accounts: []smartaccount.AccountMeta{{PublicKey: "A1111111111111111111111111111111", IsSigner: true}}, Data: []byte{1, 2, 3}},
				{ProgramID: "P2111111111111111111111111111111", Accounts: []smartaccount.AccountMeta{}, Data: []byte{}},
			},
		},
	}, {
		Call: wiretest.By(client, (*smartaccount.Client).ListTransactions,
			"acc_1", smartaccount.TransactionsRequest{Limit: new(2), Offset: new(4)}),
		Method: "GET", Target: "/api/v1/accounts/acc_1/transactions?limit=2&offset=4", Header: noBody, File: "ListTransactions.json",
		Want: &smartaccount.TransactionPage{Total: 9, Limit: new(2), Offset: new(4), Items: []smartaccount.Transaction{
			{ID: "tx_2", Signature: "Sig2111111111111111111111111111111111111111111111111111111111111", Status: smartaccount.StatusConfirmed, Timestamp: at(t, "2026-01-02T03:04:06Z")},
			{ID: "tx_1", Signature: "Sig1111111111111111111111111111111111111111111111111111111111111", Status: "pending"},
		}},
	}, {
		Name:   "ListTransactions, as the service likes",
		Call:   wiretest.By(client, (*smartaccount.Client).ListTransactions, "acc_1", smartaccount.TransactionsRequest{}),
		Method: "GET", Target: "/api/v1/accounts/acc_1/transactions", Header: noBody, Reply: `{"transactions": [], "total": 0}`,
		Want: &smartaccount.TransactionPage{Items: []smartaccount.Transaction{}},
	}})
}

func TestWireDirectDebits(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*smartaccount.Client).CreateDirectDebit, "acc_1", smartaccount.CreateDirectDebitRequest{
			Merchant: "Shop1111111111111111111111111111", MerchantName: "Shop", Mint: "M1111111111111111111111111111111", MaxAmount: maxAmount,
			Frequency: smartaccount.FrequencyMonthly, ExpiresAt: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/direct-debits", Header: bearer,
		Body: `{"merchant":"Shop1111111111111111111111111111","merchantName":"Shop","mint":"M1111111111111111111111111111111","maxAmount":"18446744073709551615","frequency":"monthly","expiresAt":"2027-01-01T00:00:00Z"}`,
		File: "CreateDirectDebit.json",
		Want: &smartaccount.DirectDebit{
			ID: "dd_1", Merchant: "Shop1111111111111111111111111111", MerchantName: "Shop", Status: smartaccount.StatusActive, CreatedAt: at(t, "2026-01-02T03:04:05Z"),
		},
	}, {
		Name: "CreateDirectDebit, least",
		Call: wiretest.By(client, (*smartaccount.Client).CreateDirectDebit, "acc_1", smartaccount.CreateDirectDebitRequest{
			Merchant: "Shop1111111111111111111111111111", Mint: "M1111111111111111111111111111111", MaxAmount: 1, Frequency: "fortnightly",
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/direct-debits", Header: bearer,
		Body: `{"merchant":"Shop1111111111111111111111111111","mint":"M1111111111111111111111111111111","maxAmount":"1","frequency":"fortnightly"}`,
		File: "CreateDirectDebit.json",
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).ListDirectDebits, "acc_1"),
		Method: "GET", Target: "/api/v1/accounts/acc_1/direct-debits", Header: noBody, File: "ListDirectDebits.json",
		Want: &smartaccount.DirectDebitPage{Total: 2, Items: []smartaccount.DirectDebit{{
			ID: "dd_1", Merchant: "Shop1111111111111111111111111111", MerchantName: "Shop", Mint: "M1111111111111111111111111111111", MaxAmount: new(maxAmount), Frequency: smartaccount.FrequencyMonthly,
			ExpiresAt: new(at(t, "2027-01-01T00:00:00Z")), Status: smartaccount.StatusActive, CreatedAt: at(t, "2026-01-02T03:04:05Z"),
			LastDebit: at(t, "2026-02-01T00:00:00Z"), NextDebit: new(at(t, "2026-03-01T00:00:00Z")),
		}, {
			ID: "dd_2", Merchant: "Shop1111111111111111111111111111", MerchantName: "Shop", Mint: "M2111111111111111111111111111111", MaxAmount: new(walletfi.Amount(0)), Frequency: "fortnightly", Status: "cancelled",
		}}},
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).CancelDirectDebit, "acc_1", "dd_1"),
		Method: "DELETE", Target: "/api/v1/accounts/acc_1/direct-debits/dd_1", Header: noBody, Reply: `{"success": true}`,
	}})
}

func TestWireSubscriptions(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*smartaccount.Client).CreateSubscription, "acc_1", smartaccount.CreateSubscriptionRequest{
			Merchant: "Shop1111111111111111111111111111", MerchantName: "Shop", Mint: "M1111111111111111111111111111111", Amount: 9_990_000, Frequency: smartaccount.FrequencyMonthly,
			// The last day of the month where it was written, though not in UTC.
			StartDate: time.Date(2026, 1, 31, 23, 0, 0, 0, time.FixedZone("", -5*3600)),
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/subscriptions", Header: bearer,
		Body: `{"merchant":"Shop1111111111111111111111111111","merchantName":"Shop","mint":"M1111111111111111111111111111111","amount":"9990000","frequency":"monthly","startDate":"2026-01-31"}`,
		File: "CreateSubscription.json",
		Want: &smartaccount.Subscription{
			ID: "sub_1", Merchant: "Shop1111111111111111111111111111", MerchantName: "Shop", Amount: 9_990_000, Frequency: smartaccount.FrequencyMonthly,
			Status: smartaccount.StatusActive, NextPayment: at(t, "2026-02-01T00:00:00Z"),
		},
	}, {
		Name: "CreateSubscription, least, whole resource in the answer",
		Call: wiretest.By(client, (*smartaccount.Client).CreateSubscription, "acc_1", smartaccount.CreateSubscriptionRequest{
			Merchant: "Shop1111111111111111111111111111", Mint: "M1111111111111111111111111111111", Amount: maxAmount, Frequency: "weekly",
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/subscriptions", Header: bearer,
		Body: `{"merchant":"Shop1111111111111111111111111111","mint":"M1111111111111111111111111111111","amount":"18446744073709551615","frequency":"weekly"}`,
		Reply: `{"id":"sub_2","mint":"M1111111111111111111111111111111","amount":18446744073709551615,"startDate":"2026-01-31","merchant":"Shop1111111111111111111111111111","frequency":"weekly",
			"status":"pending","nextPayment":"2026-01-31T00:00:00Z"}`,
		Want: &smartaccount.Subscription{ID: "sub_2", Merchant: "Shop1111111111111111111111111111", Mint: "M1111111111111111111111111111111", Amount: maxAmount, Frequency: "weekly",
			StartDate: at(t, "2026-01-31T00:00:00Z"), Status: "pending", NextPayment: at(t, "2026-01-31T00:00:00Z")},
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).PauseSubscription, "acc_1", "sub_1"),
		Method: "POST", Target: "/api/v1/accounts/acc_1/subscriptions/sub_1/pause", Header: noBody, Reply: `{"success": true, "status": "paused"}`,
		Want: &smartaccount.SubscriptionState{Status: smartaccount.StatusPaused},
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).ResumeSubscription, "acc_1", "sub_1"),
		Method: "POST", Target: "/api/v1/accounts/acc_1/subscriptions/sub_1/resume", Header: noBody,
		Reply: `{"success": true, "status": "active", "nextPayment": "2026-03-01T00:00:00Z"}`,
		Want:  &smartaccount.SubscriptionState{Status: smartaccount.StatusActive, NextPayment: new(at(t, "2026-03-01T00:00:00Z"))},
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).CancelSubscription, "acc_1", "sub_1"),
		Method: "DELETE", Target: "/api/v1/accounts/acc_1/subscriptions/sub_1", Header: noBody, Reply: `{"success": true}`,
	}})
}

func TestAmountsThatAreNoIntegers(t *testing.T) {
	server := wiretest.Serve(t, reply(200, `{"id": "tx_1", "fee": "0.000005"}`))
	tx, err := client(t, server.URL).GetTransaction(t.Context(), "acc_1", "tx_1")
	require.ErrorIs(t, err, walletfi.ErrDecode)
	assert.Nil(t, tx)
	response, ok := asResponse(err)
	require.True(t, ok)
	assert.JSONEq(t, `{"id": "tx_1", "fee": "0.000005"}`, string(response.Body))
}
