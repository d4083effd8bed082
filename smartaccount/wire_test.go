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

const maxAmount = walletfi.Amount(1<<64 - 1)

var (
	bearer = map[string]string{"Authorization": "Bearer at-123456", "Content-Type": "application/json"}
	noBody = map[string]string{"Authorization": "Bearer at-123456", "Content-Type": ""}
	public = map[string]string{"Authorization": ""}
)

func at(t testing.TB, text string) walletfi.Time {
	t.Helper()
	parsed, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return walletfi.Time{Time: parsed}
}

// isSignIn holds a sign-in's result, and an expiry that the clock is part of.
func isSignIn(t *testing.T, result any) {
	token := result.(walletfi.Token)
	require.Equal(t, "at-new-1", token.Access.Reveal())
	require.Equal(t, "rt-new-1", token.Refresh.Reveal())
	require.WithinDuration(t, time.Now().Add(time.Hour), token.Expiry, time.Minute)
}

func nothing(err error) (any, error) { return nil, err }

func TestWireAuthentication(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Name: "SendEmailCode",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).SendEmailCode(t.Context(), "a+b@example.com")
		},
		Method: "POST", Target: "/api/v1/auth/email/otp", Header: public,
		Body: `{"email":"a+b@example.com"}`, File: "SendEmailCode.json",
		Want: &smartaccount.EmailCodeSent{Message: "code sent"},
	}, {
		Name: "SendEmailCode, empty answer",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).SendEmailCode(t.Context(), "a@example.com")
		},
		Method: "POST", Target: "/api/v1/auth/email/otp", Header: public,
		Body: `{"email":"a@example.com"}`, Reply: "", Status: 204,
		Want: &smartaccount.EmailCodeSent{},
	}, {
		Name: "VerifyEmailCode",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).VerifyEmailCode(t.Context(), smartaccount.VerifyEmailCodeRequest{
				Email: "a@example.com", Code: walletfi.NewSecret("012345"),
			})
		},
		Method: "POST", Target: "/api/v1/auth/email/verify", Header: public,
		Body: `{"email":"a@example.com","otp":"012345"}`, File: "Tokens.json", Then: isSignIn,
	}, {
		Name: "RegisterPasskey",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).RegisterPasskey(t.Context(), smartaccount.RegisterPasskeyRequest{
				CredentialID: "c-1", PublicKey: []byte{0xfb, 0xff, 0}, Attestation: walletfi.Document(`{ "fmt": "none", "id": 12345678901234567890 }`),
			})
		},
		Method: "POST", Target: "/api/v1/auth/passkey/register", Header: bearer,
		Body: `{"credentialId":"c-1","publicKey":"+/8A","attestation":{"fmt":"none","id":12345678901234567890}}`, File: "RegisterPasskey.json",
		Want: &smartaccount.Passkey{ID: "pk_1"},
	}, {
		Name: "AuthenticatePasskey",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).AuthenticatePasskey(t.Context(), smartaccount.AuthenticatePasskeyRequest{
				CredentialID: "c-1", Assertion: walletfi.Document(`{"signature": "x"}`),
			})
		},
		Method: "POST", Target: "/api/v1/auth/passkey/authenticate", Header: public,
		Body: `{"credentialId":"c-1","assertion":{"signature":"x"}}`, File: "Tokens.json", Then: isSignIn,
	}, {
		Name: "RefreshToken",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).RefreshToken(t.Context(), walletfi.Token{Access: access, Refresh: refresh})
		},
		Method: "POST", Target: "/api/v1/auth/refresh", Header: public,
		Body: `{"refreshToken":"rt-123456"}`, File: "RefreshToken.json",
		Then: func(t *testing.T, result any) {
			token := result.(walletfi.Token)
			require.Equal(t, "at-new-2", token.Access.Reveal())
			require.Equal(t, "rt-123456", token.Refresh.Reveal(), "none came: the old one is kept")
			require.WithinDuration(t, time.Now().Add(15*time.Minute), token.Expiry, time.Minute)
		},
	}, {
		Name: "RefreshToken, rotated",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).RefreshToken(t.Context(), walletfi.Token{Refresh: refresh})
		},
		Method: "POST", Target: "/api/v1/auth/refresh", Header: public,
		Body: `{"refreshToken":"rt-123456"}`, File: "Tokens.json", Then: isSignIn,
	}})
}

func TestAttestationGoesOutByteForByte(t *testing.T) {
	server := wiretest.Serve(t, nil)
	_, err := client(t, server.URL).AuthenticatePasskey(t.Context(), smartaccount.AuthenticatePasskeyRequest{
		CredentialID: "<c>", Assertion: walletfi.Document(`{ "a" : "<é>" ,"n":1.0}`),
	})
	require.ErrorIs(t, err, walletfi.ErrDecode, "the answer has no token")
	require.Equal(t, `{"credentialId":"<c>","assertion":{ "a" : "<é>" ,"n":1.0}}`, server.Requests()[0].Body)
}

func TestWireAccounts(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Name: "CreateAccount",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).CreateAccount(t.Context(), smartaccount.CreateAccountRequest{Name: "Savings", Type: smartaccount.AccountBusiness})
		},
		Method: "POST", Target: "/api/v1/accounts", Header: bearer,
		Body: `{"name":"Savings","type":"business"}`, File: "CreateAccount.json", Status: 201,
		Want: &smartaccount.Account{
			ID: "acc_1", Address: "Addr1", Name: "Savings", Type: smartaccount.AccountBusiness,
			Status: smartaccount.StatusActive, CreatedAt: at(t, "2026-01-02T03:04:05.678Z"),
		},
	}, {
		Name: "GetAccount, foreign id",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).GetAccount(t.Context(), "no/prefix ü")
		},
		Method: "GET", Target: "/api/v1/accounts/no%2Fprefix%20%C3%BC", Header: noBody, File: "GetAccount.json",
		Want: &smartaccount.Account{
			ID: "acc_1", Address: "Addr1", Type: "family", Status: "frozen",
			Balance: map[string]walletfi.Decimal{
				"SOL": wiretest.Decimal(t, "1.500000000"), "USDC": wiretest.Decimal(t, "0"), "NEW": wiretest.Decimal(t, "18446744073709551616"), "GONE": {},
			},
		},
	}, {
		Name:   "ListAccounts",
		Call:   func(t *testing.T, base string) (any, error) { return client(t, base).ListAccounts(t.Context()) },
		Method: "GET", Target: "/api/v1/accounts", Header: noBody, File: "ListAccounts.json",
		Want: &smartaccount.AccountList{Total: 3, Accounts: []smartaccount.Account{
			{ID: "acc_1", Address: "Addr1", Name: "Savings", Type: smartaccount.AccountPersonal, Status: smartaccount.StatusActive},
			{ID: "acc_2", Address: "Addr2", Name: "Savings", Type: smartaccount.AccountBusiness, Status: "closed"},
			{ID: "acc_3", Address: "Addr3", Type: smartaccount.AccountPersonal},
		}},
	}, {
		Name: "UpdateAccount",
		Call: func(t *testing.T, base string) (any, error) {
			return nothing(client(t, base).UpdateAccount(t.Context(), "acc_1", smartaccount.UpdateAccountRequest{Name: "<Rent & food>"}))
		},
		Method: "PATCH", Target: "/api/v1/accounts/acc_1", Header: bearer,
		Body: `{"name":"<Rent & food>"}`, Reply: `{"success": true}`,
	}})
}

func TestWireSessions(t *testing.T) {
	// An hour ahead of UTC, with more digits than a millisecond has.
	expires := time.Date(2027, 1, 1, 0, 59, 59, 999_999_999, time.FixedZone("", 3600))
	wiretest.Run(t, []wiretest.Case{{
		Name: "CreateSession",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).CreateSession(t.Context(), "acc_1", smartaccount.CreateSessionRequest{
				PublicKey: "Key1", Name: "bot", ExpiresAt: expires,
				Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer, "stake"},
				Limits: &smartaccount.SessionLimits{
					PerTransaction: new(walletfi.Amount(0)), Daily: new(maxAmount),
					AllowedMints: []string{"M1"}, AllowedDestinations: []string{},
				},
			})
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/sessions", Header: bearer,
		Body: `{"publicKey":"Key1","name":"bot","expiresAt":"2026-12-31T23:59:59.999Z","permissions":["transfer","stake"],
			"limits":{"perTransaction":"0","daily":"18446744073709551615","allowedMints":["M1"],"allowedDestinations":[]}}`,
		File: "CreateSession.json",
		Want: &smartaccount.Session{
			ID: "sess_1", PublicKey: "Key1", Name: "bot", ExpiresAt: at(t, "2026-12-31T23:59:59Z"),
			Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer, "stake"},
			Status:      smartaccount.StatusActive, CreatedAt: at(t, "2026-01-02T03:04:05Z"),
		},
	}, {
		Name: "CreateSession, least",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).CreateSession(t.Context(), "acc_1", smartaccount.CreateSessionRequest{
				PublicKey: "Key1", ExpiresAt: time.Unix(0, 0), Permissions: []smartaccount.Permission{smartaccount.PermissionSwap},
				Limits: &smartaccount.SessionLimits{},
			})
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/sessions", Header: bearer,
		Body: `{"publicKey":"Key1","expiresAt":"1970-01-01T00:00:00Z","permissions":["swap"],"limits":{}}`,
		File: "CreateSession.json",
	}, {
		Name: "ListSessions",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).ListSessions(t.Context(), "acc_1")
		},
		Method: "GET", Target: "/api/v1/accounts/acc_1/sessions", Header: noBody, File: "ListSessions.json",
		Want: &smartaccount.SessionList{Total: 2, Sessions: []smartaccount.Session{
			{ID: "sess_1", PublicKey: "Key1", Name: "bot", ExpiresAt: at(t, "2026-12-31T23:59:59Z"),
				Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer}, Status: smartaccount.StatusActive},
			{ID: "sess_2", PublicKey: "Key2", Status: "revoked"},
		}},
	}, {
		Name: "RevokeSession",
		Call: func(t *testing.T, base string) (any, error) {
			return nothing(client(t, base).RevokeSession(t.Context(), "acc_1", "sess_1"))
		},
		Method: "DELETE", Target: "/api/v1/accounts/acc_1/sessions/sess_1", Header: noBody, Reply: `{"success": true}`,
	}})
}

func TestWirePolicies(t *testing.T) {
	limit := smartaccount.SpendingLimit{Mint: "M1", Amount: maxAmount, Period: smartaccount.PeriodDaily}
	wiretest.Run(t, []wiretest.Case{{
		Name: "CreatePolicy",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).CreatePolicy(t.Context(), "acc_1", smartaccount.CreatePolicyRequest{
				Type: smartaccount.PolicySpendingLimit, Name: "cap", Params: limit,
			})
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/policies", Header: bearer,
		Body: `{"type":"spending_limit","name":"cap","params":{"mint":"M1","amount":"18446744073709551615","period":"daily"}}`,
		File: "CreatePolicy.json",
		Want: &smartaccount.Policy{
			ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Name: "cap", Status: smartaccount.StatusActive,
			Params:    walletfi.Document(`{"mint": "M1", "amount": "18446744073709551615", "period": "daily"}`),
			CreatedAt: at(t, "2026-01-02T03:04:05Z"),
		},
		Then: func(t *testing.T, result any) {
			read, err := result.(*smartaccount.Policy).SpendingLimit()
			require.NoError(t, err)
			require.Equal(t, limit, read)
		},
	}, {
		Name: "CreatePolicy, nothing may leave",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).CreatePolicy(t.Context(), "acc_1", smartaccount.CreatePolicyRequest{
				Type: smartaccount.PolicySpendingLimit, Name: "cap", Params: &smartaccount.SpendingLimit{Mint: "M1", Period: "weekly"},
			})
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/policies", Header: bearer,
		Body: `{"type":"spending_limit","name":"cap","params":{"mint":"M1","amount":"0","period":"weekly"}}`,
		File: "CreatePolicy.json",
	}, {
		Name: "CreatePolicy, raw",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).CreatePolicy(t.Context(), "acc_1", smartaccount.CreatePolicyRequest{
				Type: smartaccount.PolicyAllowlist, Name: "friends", Params: smartaccount.RawParams(` {"destinations": ["D1"], "max": 12345678901234567890}`),
			})
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/policies", Header: bearer,
		Body:  `{"type":"allowlist","name":"friends","params":{"destinations":["D1"],"max":12345678901234567890}}`,
		Reply: `{"id": "pol_9"}`,
		Want:  &smartaccount.Policy{ID: "pol_9"},
	}, {
		Name: "ListPolicies",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).ListPolicies(t.Context(), "acc_1")
		},
		Method: "GET", Target: "/api/v1/accounts/acc_1/policies", Header: noBody, File: "ListPolicies.json",
		Want: &smartaccount.PolicyList{Total: 2, Policies: []smartaccount.Policy{
			{ID: "pol_1", Type: smartaccount.PolicySpendingLimit, Name: "cap", Status: smartaccount.StatusActive},
			{ID: "pol_2", Type: "quarantine", Name: "cap", Status: "draft"},
		}},
	}, {
		Name: "UpdatePolicy",
		Call: func(t *testing.T, base string) (any, error) {
			return nothing(client(t, base).UpdatePolicy(t.Context(), "acc_1", "pol_1", smartaccount.UpdatePolicyRequest{
				Params: smartaccount.SpendingLimitChange{Amount: new(walletfi.Amount(0))},
			}))
		},
		Method: "PATCH", Target: "/api/v1/accounts/acc_1/policies/pol_1", Header: bearer,
		Body: `{"params":{"amount":"0"}}`, Reply: `{"success": true}`,
	}, {
		Name: "UpdatePolicy, all but the amount",
		Call: func(t *testing.T, base string) (any, error) {
			return nothing(client(t, base).UpdatePolicy(t.Context(), "acc_1", "pol_1", smartaccount.UpdatePolicyRequest{
				Params: smartaccount.SpendingLimitChange{Mint: "M2", Period: "weekly"},
			}))
		},
		Method: "PATCH", Target: "/api/v1/accounts/acc_1/policies/pol_1", Header: bearer,
		Body: `{"params":{"mint":"M2","period":"weekly"}}`, Status: 204,
	}, {
		Name: "UpdatePolicy, raw",
		Call: func(t *testing.T, base string) (any, error) {
			return nothing(client(t, base).UpdatePolicy(t.Context(), "acc_1", "pol_1", smartaccount.UpdatePolicyRequest{
				Params: smartaccount.RawParams(`{"to":"18:00"}`),
			}))
		},
		Method: "PATCH", Target: "/api/v1/accounts/acc_1/policies/pol_1", Header: bearer,
		Body: `{"params":{"to":"18:00"}}`, Reply: `{}`,
	}, {
		Name: "DeletePolicy",
		Call: func(t *testing.T, base string) (any, error) {
			return nothing(client(t, base).DeletePolicy(t.Context(), "acc_1", "pol_1"))
		},
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
	bare := smartaccount.Policy{Type: smartaccount.PolicySpendingLimit, Params: walletfi.Document(`{"mint": "M1", "amount": 18446744073709551615}`)}
	limit, err := bare.SpendingLimit()
	require.NoError(t, err)
	require.Equal(t, smartaccount.SpendingLimit{Mint: "M1", Amount: maxAmount}, limit)
}

func TestWireTransactions(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Name: "ExecuteTransaction",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).ExecuteTransaction(t.Context(), "acc_1", smartaccount.ExecuteTransactionRequest{
				Instructions: []smartaccount.Instruction{
					{ProgramID: "P1", Accounts: []smartaccount.AccountMeta{{PublicKey: "A1", IsSigner: true}, {PublicKey: "A2"}}, Data: []byte{0xfb, 0xff}},
					{ProgramID: "P2"},
				},
				SessionKeySignature: []byte{1, 2, 3},
			})
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/transactions", Header: bearer,
		Body: `{"instructions":[
			{"programId":"P1","accounts":[{"pubkey":"A1","isSigner":true,"isWritable":false},{"pubkey":"A2","isSigner":false,"isWritable":false}],"data":"+/8="},
			{"programId":"P2","accounts":[],"data":""}],"sessionKeySignature":"AQID"}`,
		File: "ExecuteTransaction.json",
		Want: &smartaccount.Transaction{ID: "tx_1", Signature: "Sig1", Status: smartaccount.StatusConfirmed, Slot: 1<<64 - 1},
	}, {
		Name: "ExecuteTransaction, by the token alone",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).ExecuteTransaction(t.Context(), "acc_1", smartaccount.ExecuteTransactionRequest{
				Instructions: []smartaccount.Instruction{{ProgramID: "P1"}},
			})
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/transactions", Header: bearer,
		Body: `{"instructions":[{"programId":"P1","accounts":[],"data":""}]}`, Reply: `{"id":"tx_7","status":"queued","slot":null}`,
		Want: &smartaccount.Transaction{ID: "tx_7", Status: "queued"},
	}, {
		Name: "GetTransaction",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).GetTransaction(t.Context(), "acc_1", "tx_1")
		},
		Method: "GET", Target: "/api/v1/accounts/acc_1/transactions/tx_1", Header: noBody, File: "GetTransaction.json",
		Want: &smartaccount.Transaction{
			ID: "tx_1", Signature: "Sig1", Status: smartaccount.StatusConfirmed, Slot: 5, Fee: 5000, Timestamp: at(t, "2026-01-02T03:04:05Z"),
			Instructions: []smartaccount.Instruction{
				{ProgramID: "P1", Accounts: []smartaccount.AccountMeta{{PublicKey: "A1", IsSigner: true}}, Data: []byte{1, 2, 3}},
				{ProgramID: "P2", Accounts: []smartaccount.AccountMeta{}, Data: []byte{}},
			},
		},
	}, {
		Name: "ListTransactions",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).ListTransactions(t.Context(), "acc_1", smartaccount.ListTransactionsRequest{Limit: 2, Offset: 4})
		},
		Method: "GET", Target: "/api/v1/accounts/acc_1/transactions?limit=2&offset=4", Header: noBody, File: "ListTransactions.json",
		Want: &smartaccount.TransactionPage{Total: 9, Limit: 2, Offset: 4, Transactions: []smartaccount.Transaction{
			{ID: "tx_2", Signature: "Sig2", Status: smartaccount.StatusConfirmed, Timestamp: at(t, "2026-01-02T03:04:06Z")},
			{ID: "tx_1", Status: "pending"},
		}},
	}, {
		Name: "ListTransactions, as the service likes",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).ListTransactions(t.Context(), "acc_1", smartaccount.ListTransactionsRequest{})
		},
		Method: "GET", Target: "/api/v1/accounts/acc_1/transactions", Header: noBody, Reply: `{"transactions": null, "total": 0}`,
		Want: &smartaccount.TransactionPage{},
	}})
}

func TestWireDirectDebits(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Name: "CreateDirectDebit",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).CreateDirectDebit(t.Context(), "acc_1", smartaccount.CreateDirectDebitRequest{
				Merchant: "Shop1", MerchantName: "Shop", Mint: "M1", MaxAmount: maxAmount,
				Frequency: smartaccount.FrequencyMonthly, ExpiresAt: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
			})
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/direct-debits", Header: bearer,
		Body: `{"merchant":"Shop1","merchantName":"Shop","mint":"M1","maxAmount":"18446744073709551615","frequency":"monthly","expiresAt":"2027-01-01T00:00:00Z"}`,
		File: "CreateDirectDebit.json",
		Want: &smartaccount.DirectDebit{
			ID: "dd_1", Merchant: "Shop1", MerchantName: "Shop", Status: smartaccount.StatusActive, CreatedAt: at(t, "2026-01-02T03:04:05Z"),
		},
	}, {
		Name: "CreateDirectDebit, least",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).CreateDirectDebit(t.Context(), "acc_1", smartaccount.CreateDirectDebitRequest{
				Merchant: "Shop1", Mint: "M1", MaxAmount: 1, Frequency: "fortnightly",
			})
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/direct-debits", Header: bearer,
		Body: `{"merchant":"Shop1","mint":"M1","maxAmount":"1","frequency":"fortnightly"}`,
		File: "CreateDirectDebit.json",
	}, {
		Name: "ListDirectDebits",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).ListDirectDebits(t.Context(), "acc_1")
		},
		Method: "GET", Target: "/api/v1/accounts/acc_1/direct-debits", Header: noBody, File: "ListDirectDebits.json",
		Want: &smartaccount.DirectDebitList{Total: 2, DirectDebits: []smartaccount.DirectDebit{{
			ID: "dd_1", Merchant: "Shop1", MerchantName: "Shop", Mint: "M1", MaxAmount: maxAmount, Frequency: smartaccount.FrequencyMonthly,
			ExpiresAt: at(t, "2027-01-01T00:00:00Z"), Status: smartaccount.StatusActive, CreatedAt: at(t, "2026-01-02T03:04:05Z"),
			LastDebit: at(t, "2026-02-01T00:00:00Z"), NextDebit: at(t, "2026-03-01T00:00:00Z"),
		}, {
			ID: "dd_2", Merchant: "Shop1", MerchantName: "Shop", Mint: "M2", Frequency: "fortnightly", Status: "cancelled",
		}}},
	}, {
		Name: "CancelDirectDebit",
		Call: func(t *testing.T, base string) (any, error) {
			return nothing(client(t, base).CancelDirectDebit(t.Context(), "acc_1", "dd_1"))
		},
		Method: "DELETE", Target: "/api/v1/accounts/acc_1/direct-debits/dd_1", Header: noBody, Reply: `{"success": true}`,
	}})
}

func TestWireSubscriptions(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Name: "CreateSubscription",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).CreateSubscription(t.Context(), "acc_1", smartaccount.CreateSubscriptionRequest{
				Merchant: "Shop1", MerchantName: "Shop", Mint: "M1", Amount: 9_990_000, Frequency: smartaccount.FrequencyMonthly,
				// The last day of the year where it was written, though not in UTC.
				StartDate: time.Date(2026, 12, 31, 23, 0, 0, 0, time.FixedZone("", -5*3600)),
			})
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/subscriptions", Header: bearer,
		Body: `{"merchant":"Shop1","merchantName":"Shop","mint":"M1","amount":"9990000","frequency":"monthly","startDate":"2026-12-31"}`,
		File: "CreateSubscription.json",
		Want: &smartaccount.Subscription{
			ID: "sub_1", Merchant: "Shop1", MerchantName: "Shop", Amount: 9_990_000, Frequency: smartaccount.FrequencyMonthly,
			Status: smartaccount.StatusActive, NextPayment: at(t, "2026-02-01T00:00:00Z"),
		},
	}, {
		Name: "CreateSubscription, least, whole resource in the answer",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).CreateSubscription(t.Context(), "acc_1", smartaccount.CreateSubscriptionRequest{
				Merchant: "Shop1", Mint: "M1", Amount: maxAmount, Frequency: "weekly",
			})
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/subscriptions", Header: bearer,
		Body:  `{"merchant":"Shop1","mint":"M1","amount":"18446744073709551615","frequency":"weekly"}`,
		Reply: `{"id":"sub_2","mint":"M1","amount":18446744073709551615,"startDate":"2026-01-31","status":"pending","nextPayment":null}`,
		Want:  &smartaccount.Subscription{ID: "sub_2", Mint: "M1", Amount: maxAmount, StartDate: at(t, "2026-01-31T00:00:00Z"), Status: "pending"},
	}, {
		Name: "PauseSubscription",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).PauseSubscription(t.Context(), "acc_1", "sub_1")
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/subscriptions/sub_1/pause", Header: noBody, Reply: `{"success": true, "status": "paused"}`,
		Want: &smartaccount.SubscriptionState{Status: smartaccount.StatusPaused},
	}, {
		Name: "ResumeSubscription",
		Call: func(t *testing.T, base string) (any, error) {
			return client(t, base).ResumeSubscription(t.Context(), "acc_1", "sub_1")
		},
		Method: "POST", Target: "/api/v1/accounts/acc_1/subscriptions/sub_1/resume", Header: noBody,
		Reply: `{"success": true, "status": "active", "nextPayment": "2026-03-01T00:00:00Z"}`,
		Want:  &smartaccount.SubscriptionState{Status: smartaccount.StatusActive, NextPayment: at(t, "2026-03-01T00:00:00Z")},
	}, {
		Name: "CancelSubscription",
		Call: func(t *testing.T, base string) (any, error) {
			return nothing(client(t, base).CancelSubscription(t.Context(), "acc_1", "sub_1"))
		},
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
