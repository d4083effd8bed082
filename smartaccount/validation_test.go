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

func createSession(change func(*smartaccount.CreateSessionRequest)) wiretest.Call {
	req := smartaccount.CreateSessionRequest{
		PublicKey: "Key11111111111111111111111111111", ExpiresAt: time.Unix(2_000_000_000, 0), Permissions: []smartaccount.Permission{"transfer"}, Limits: &smartaccount.SessionLimits{},
	}
	change(&req)
	return wiretest.Of((*smartaccount.Client).CreateSession, "acc_1", req)
}

func createPolicy(req smartaccount.CreatePolicyRequest) wiretest.Call {
	return wiretest.Of((*smartaccount.Client).CreatePolicy, "acc_1", req)
}

func updatePolicy(params smartaccount.PolicyParams) wiretest.Call {
	return wiretest.Of((*smartaccount.Client).UpdatePolicy, "acc_1", "pol_1", smartaccount.UpdatePolicyRequest{Params: params})
}

func execute(instructions ...smartaccount.Instruction) wiretest.Call {
	return wiretest.Of((*smartaccount.Client).ExecuteTransaction, "acc_1", smartaccount.ExecuteTransactionRequest{Instructions: instructions})
}

func createDebit(req smartaccount.CreateDirectDebitRequest) wiretest.Call {
	return wiretest.Of((*smartaccount.Client).CreateDirectDebit, "acc_1", req)
}

func createSubscription(req smartaccount.CreateSubscriptionRequest) wiretest.Call {
	return wiretest.Of((*smartaccount.Client).CreateSubscription, "acc_1", req)
}

func TestSignInsRefused(t *testing.T) {
	c, ctx := client(t, wiretest.Unasked(t).URL), t.Context()
	wiretest.AllRefused(t, map[string]error{
		"no email: email":     wiretest.Error(c.SendEmailCode(ctx, " ")),
		"no code: email, otp": wiretest.Error(c.VerifyEmailCode(ctx, smartaccount.VerifyEmailCodeRequest{})),
		"no passkey: attestation, credentialId, publicKey": wiretest.Error(
			c.RegisterPasskey(ctx, smartaccount.RegisterPasskeyRequest{})),
		"attestation is text: attestation": wiretest.Error(
			c.RegisterPasskey(ctx, smartaccount.RegisterPasskeyRequest{CredentialID: "c", PublicKey: []byte{1}, Attestation: walletfi.Document(`"o2NmbXQ"`)})),
		"assertion ends early: assertion, credentialId": wiretest.Error(
			c.AuthenticatePasskey(ctx, smartaccount.AuthenticatePasskeyRequest{Assertion: walletfi.Document(`{"a":`)})),
		"nothing to refresh with: refreshToken": wiretest.Error(c.RefreshToken(ctx, walletfi.Token{Access: access})),
		"token with a line break: accessToken":  c.SetToken(ctx, walletfi.Token{Access: walletfi.NewSecret("a\nb")}),
	})
}

func TestResourcesRefused(t *testing.T) {
	c, ctx := client(t, wiretest.Unasked(t).URL), t.Context()
	wiretest.AllRefused(t, map[string]error{
		"no account: name, type": wiretest.Error(c.CreateAccount(ctx, smartaccount.CreateAccountRequest{})),
		"no such type of account: type": wiretest.Error(
			c.CreateAccount(ctx, smartaccount.CreateAccountRequest{Name: "n", Type: "Personal"})),
		"no new name: name":                   c.UpdateAccount(ctx, "acc_1", smartaccount.UpdateAccountRequest{}),
		"empty id: accountId":                 wiretest.Error(c.GetAccount(ctx, "")),
		"id that leaves its place: sessionId": c.RevokeSession(ctx, "acc_1", ".."),
		"negative page: limit, offset": wiretest.Error(
			c.ListTransactions(ctx, "acc_1", smartaccount.TransactionsRequest{Limit: new(-1), Offset: new(-1)})),
		"no session: expiresAt, permissions, publicKey": createSession(
			func(r *smartaccount.CreateSessionRequest) { *r = smartaccount.CreateSessionRequest{} }).Error(ctx, c),
		"session of the year 10000: expiresAt": createSession(
			func(r *smartaccount.CreateSessionRequest) { r.ExpiresAt = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }).Error(ctx, c),
		"blank permission: permissions[1]": createSession(
			func(r *smartaccount.CreateSessionRequest) { r.Permissions = append(r.Permissions, "") }).Error(ctx, c),
		"blank limits: limits.allowedDestinations[1], limits.allowedMints[0]": createSession(func(r *smartaccount.CreateSessionRequest) {
			r.Limits.AllowedMints, r.Limits.AllowedDestinations = []string{""}, []string{"D", " "}
		}).Error(ctx, c),
		"nothing to execute: instructions": execute().Error(ctx, c),
		"no program: instructions[1].programId": execute(
			smartaccount.Instruction{ProgramID: "P1111111111111111111111111111111"}, smartaccount.Instruction{}).Error(ctx, c),
		"no account of a program: instructions[0].accounts[0].pubkey": execute(
			smartaccount.Instruction{ProgramID: "P1111111111111111111111111111111", Accounts: []smartaccount.AccountMeta{{IsSigner: true}}}).Error(ctx, c),
		"no debit: frequency, maxAmount, merchant, mint": createDebit(smartaccount.CreateDirectDebitRequest{}).Error(ctx, c),
		"debit until the year -1: expiresAt": createDebit(smartaccount.CreateDirectDebitRequest{
			Merchant: "m", Mint: "m", MaxAmount: 1, Frequency: "f", ExpiresAt: time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC),
		}).Error(ctx, c),
		"no subscription: amount, frequency, merchant, mint": createSubscription(
			smartaccount.CreateSubscriptionRequest{}).Error(ctx, c),
		"subscription from the year 10000: startDate": createSubscription(smartaccount.CreateSubscriptionRequest{
			Merchant: "m", Mint: "m", Amount: 1, Frequency: "f", StartDate: time.Date(10000, 1, 2, 0, 0, 0, 0, time.UTC),
		}).Error(ctx, c),
	})
}

func TestPoliciesRefused(t *testing.T) {
	c, ctx := client(t, wiretest.Unasked(t).URL), t.Context()
	wiretest.AllRefused(t, map[string]error{
		"no policy: name, params, type": createPolicy(smartaccount.CreatePolicyRequest{}).Error(ctx, c),
		"no such type: type": createPolicy(
			smartaccount.CreatePolicyRequest{Type: "x", Name: "n", Params: smartaccount.RawParams("{}")}).Error(ctx, c),
		"empty limit: params.mint, params.period": createPolicy(
			smartaccount.CreatePolicyRequest{Type: smartaccount.PolicySpendingLimit, Name: "n", Params: smartaccount.SpendingLimit{}}).Error(ctx, c),
		"limit on a blocklist: params": createPolicy(smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicyBlocklist, Name: "n", Params: smartaccount.SpendingLimit{Mint: "m", Period: "p"},
		}).Error(ctx, c),
		"half a limit: params": createPolicy(smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicySpendingLimit, Name: "n", Params: smartaccount.SpendingLimitChange{Mint: "m"},
		}).Error(ctx, c),
		"raw params that are no object: params": createPolicy(smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicyTimeWindow, Name: "n", Params: smartaccount.RawParams(`[]`),
		}).Error(ctx, c),
		"update without params: params":           updatePolicy(nil).Error(ctx, c),
		"update of nothing: params":               updatePolicy(smartaccount.SpendingLimitChange{}).Error(ctx, c),
		"update with a member twice: params":      updatePolicy(smartaccount.RawParams(`{"max":1,"max":2}`)).Error(ctx, c),
		"update with half an object: params":      updatePolicy(smartaccount.RawParams(`{`)).Error(ctx, c),
		"update with half a limit: params.period": updatePolicy(smartaccount.SpendingLimit{Mint: "m"}).Error(ctx, c),
	})
}

func TestNewRefuses(t *testing.T) {
	const base = "https://accounts.example.com/api/v1"
	for name, c := range map[string]struct {
		cfg    smartaccount.Config
		fields []string
	}{
		"no address":        {smartaccount.Config{}, []string{"baseURL"}},
		"http":              {smartaccount.Config{BaseURL: "http://accounts.example.com"}, []string{"baseURL"}},
		"token with a CR":   {smartaccount.Config{BaseURL: base, Token: walletfi.Token{Access: walletfi.NewSecret("canary\r")}}, []string{"token.access"}},
		"token and store":   {smartaccount.Config{BaseURL: base, Token: walletfi.Token{Refresh: refresh}, TokenStore: new(walletfi.MemoryTokenStore)}, []string{"tokenStore"}},
		"negative unit":     {smartaccount.Config{BaseURL: base, ExpiresInUnit: -1}, []string{"expiresInUnit"}},
		"agent with a line": {smartaccount.Config{BaseURL: base, Options: walletfi.Options{UserAgent: "a\nb"}}, []string{"userAgent"}},
	} {
		t.Run(name, func(t *testing.T) {
			made, err := smartaccount.New(c.cfg)
			require.Error(t, err)
			assert.Nil(t, made)
			assert.Equal(t, c.fields, wiretest.Fields(err))
			assert.NotContains(t, err.Error(), "canary")
		})
	}
}
