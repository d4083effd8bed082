package smartaccount_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// invalid lists the fields that err complains of.
func invalid(err error) []string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var fields []string
		for _, e := range joined.Unwrap() {
			fields = append(fields, invalid(e)...)
		}
		return fields
	}
	if v, ok := errors.AsType[*walletfi.ValidationError](err); ok {
		return []string{v.Field}
	}
	return nil
}

type refusal struct {
	name   string
	call   func(ctx context.Context, c *smartaccount.Client) error
	fields []string
}

func createSession(change func(*smartaccount.CreateSessionRequest)) func(context.Context, *smartaccount.Client) error {
	req := smartaccount.CreateSessionRequest{
		PublicKey: "Key1", ExpiresAt: time.Unix(1, 0), Permissions: []smartaccount.Permission{"transfer"}, Limits: &smartaccount.SessionLimits{},
	}
	change(&req)
	return func(ctx context.Context, c *smartaccount.Client) error {
		_, err := c.CreateSession(ctx, "acc_1", req)
		return err
	}
}

func createPolicy(req smartaccount.CreatePolicyRequest) func(context.Context, *smartaccount.Client) error {
	return func(ctx context.Context, c *smartaccount.Client) error {
		_, err := c.CreatePolicy(ctx, "acc_1", req)
		return err
	}
}

func updatePolicy(params smartaccount.PolicyParams) func(context.Context, *smartaccount.Client) error {
	return func(ctx context.Context, c *smartaccount.Client) error {
		return c.UpdatePolicy(ctx, "acc_1", "pol_1", smartaccount.UpdatePolicyRequest{Params: params})
	}
}

func execute(instructions ...smartaccount.Instruction) func(context.Context, *smartaccount.Client) error {
	return func(ctx context.Context, c *smartaccount.Client) error {
		_, err := c.ExecuteTransaction(ctx, "acc_1", smartaccount.ExecuteTransactionRequest{Instructions: instructions})
		return err
	}
}

func createDebit(req smartaccount.CreateDirectDebitRequest) func(context.Context, *smartaccount.Client) error {
	return func(ctx context.Context, c *smartaccount.Client) error {
		_, err := c.CreateDirectDebit(ctx, "acc_1", req)
		return err
	}
}

func createSubscription(req smartaccount.CreateSubscriptionRequest) func(context.Context, *smartaccount.Client) error {
	return func(ctx context.Context, c *smartaccount.Client) error {
		_, err := c.CreateSubscription(ctx, "acc_1", req)
		return err
	}
}

func refusedSignIns() []refusal {
	return []refusal{
		{"no email", func(ctx context.Context, c *smartaccount.Client) error {
			_, err := c.SendEmailCode(ctx, " ")
			return err
		}, []string{"email"}},
		{"no code", func(ctx context.Context, c *smartaccount.Client) error {
			_, err := c.VerifyEmailCode(ctx, smartaccount.VerifyEmailCodeRequest{})
			return err
		}, []string{"email", "otp"}},
		{"no passkey", func(ctx context.Context, c *smartaccount.Client) error {
			_, err := c.RegisterPasskey(ctx, smartaccount.RegisterPasskeyRequest{})
			return err
		}, []string{"credentialId", "publicKey", "attestation"}},
		{"attestation is text", func(ctx context.Context, c *smartaccount.Client) error {
			_, err := c.RegisterPasskey(ctx, smartaccount.RegisterPasskeyRequest{CredentialID: "c", PublicKey: []byte{1}, Attestation: walletfi.Document(`"o2NmbXQ"`)})
			return err
		}, []string{"attestation"}},
		{"assertion ends early", func(ctx context.Context, c *smartaccount.Client) error {
			_, err := c.AuthenticatePasskey(ctx, smartaccount.AuthenticatePasskeyRequest{Assertion: walletfi.Document(`{"a":`)})
			return err
		}, []string{"credentialId", "assertion"}},
		{"nothing to refresh with", func(ctx context.Context, c *smartaccount.Client) error {
			_, err := c.RefreshToken(ctx, walletfi.Token{Access: access})
			return err
		}, []string{"refreshToken"}},
		{"token with a line break", func(ctx context.Context, c *smartaccount.Client) error {
			return c.SetToken(ctx, walletfi.Token{Access: walletfi.NewSecret("a\nb")})
		}, []string{"accessToken"}},
	}
}

func refusedResources() []refusal {
	return []refusal{
		{"no account", func(ctx context.Context, c *smartaccount.Client) error {
			_, err := c.CreateAccount(ctx, smartaccount.CreateAccountRequest{})
			return err
		}, []string{"name", "type"}},
		{"no such type of account", func(ctx context.Context, c *smartaccount.Client) error {
			_, err := c.CreateAccount(ctx, smartaccount.CreateAccountRequest{Name: "n", Type: "Personal"})
			return err
		}, []string{"type"}},
		{"no new name", func(ctx context.Context, c *smartaccount.Client) error {
			return c.UpdateAccount(ctx, "acc_1", smartaccount.UpdateAccountRequest{})
		}, []string{"name"}},
		{"empty id", func(ctx context.Context, c *smartaccount.Client) error {
			_, err := c.GetAccount(ctx, "")
			return err
		}, []string{"accountId"}},
		{"id that leaves its place", func(ctx context.Context, c *smartaccount.Client) error {
			return c.RevokeSession(ctx, "acc_1", "..")
		}, []string{"sessionId"}},
		{"negative page", func(ctx context.Context, c *smartaccount.Client) error {
			_, err := c.ListTransactions(ctx, "acc_1", smartaccount.TransactionsRequest{Limit: new(-1), Offset: new(-1)})
			return err
		}, []string{"limit", "offset"}},
		{"no session", createSession(func(r *smartaccount.CreateSessionRequest) { *r = smartaccount.CreateSessionRequest{} }),
			[]string{"publicKey", "expiresAt", "permissions"}},
		{"session of the year 10000", createSession(func(r *smartaccount.CreateSessionRequest) { r.ExpiresAt = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }),
			[]string{"expiresAt"}},
		{"blank permission", createSession(func(r *smartaccount.CreateSessionRequest) { r.Permissions = append(r.Permissions, "") }),
			[]string{"permissions[1]"}},
		{"blank limits", createSession(func(r *smartaccount.CreateSessionRequest) {
			r.Limits.AllowedMints, r.Limits.AllowedDestinations = []string{""}, []string{"D", " "}
		}), []string{"limits.allowedMints[0]", "limits.allowedDestinations[1]"}},
		{"nothing to execute", execute(), []string{"instructions"}},
		{"no program", execute(smartaccount.Instruction{ProgramID: "P"}, smartaccount.Instruction{}), []string{"instructions[1].programId"}},
		{"no account of a program", execute(smartaccount.Instruction{ProgramID: "P", Accounts: []smartaccount.AccountMeta{{IsSigner: true}}}),
			[]string{"instructions[0].accounts[0].pubkey"}},
		{"no debit", createDebit(smartaccount.CreateDirectDebitRequest{}), []string{"merchant", "mint", "maxAmount", "frequency"}},
		{"debit until the year -1", createDebit(smartaccount.CreateDirectDebitRequest{
			Merchant: "m", Mint: "m", MaxAmount: 1, Frequency: "f", ExpiresAt: time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC),
		}), []string{"expiresAt"}},
		{"no subscription", createSubscription(smartaccount.CreateSubscriptionRequest{}), []string{"merchant", "mint", "amount", "frequency"}},
		{"subscription from the year 10000", createSubscription(smartaccount.CreateSubscriptionRequest{
			Merchant: "m", Mint: "m", Amount: 1, Frequency: "f", StartDate: time.Date(10000, 1, 2, 0, 0, 0, 0, time.UTC),
		}), []string{"startDate"}},
	}
}

func refusedPolicies() []refusal {
	return []refusal{
		{"no policy", createPolicy(smartaccount.CreatePolicyRequest{}), []string{"type", "name", "params"}},
		{"no such type", createPolicy(smartaccount.CreatePolicyRequest{Type: "x", Name: "n", Params: smartaccount.RawParams("{}")}), []string{"type"}},
		{"empty limit", createPolicy(smartaccount.CreatePolicyRequest{Type: smartaccount.PolicySpendingLimit, Name: "n", Params: smartaccount.SpendingLimit{}}),
			[]string{"params.mint", "params.period"}},
		{"limit on a blocklist", createPolicy(smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicyBlocklist, Name: "n", Params: smartaccount.SpendingLimit{Mint: "m", Period: "p"},
		}), []string{"params"}},
		{"half a limit", createPolicy(smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicySpendingLimit, Name: "n", Params: smartaccount.SpendingLimitChange{Mint: "m"},
		}), []string{"params"}},
		{"raw params that are no object", createPolicy(smartaccount.CreatePolicyRequest{
			Type: smartaccount.PolicyTimeWindow, Name: "n", Params: smartaccount.RawParams(`[]`),
		}), []string{"params"}},
		{"update without params", updatePolicy(nil), []string{"params"}},
		{"update of nothing", updatePolicy(smartaccount.SpendingLimitChange{}), []string{"params"}},
		{"update with half an object", updatePolicy(smartaccount.RawParams(`{`)), []string{"params"}},
		{"update with half a limit", updatePolicy(smartaccount.SpendingLimit{Mint: "m"}), []string{"params.period"}},
	}
}

func TestInvalidRequestsAreNotSent(t *testing.T) {
	server := wiretest.Serve(t, nil)
	c := client(t, server.URL)
	for _, group := range [][]refusal{refusedSignIns(), refusedResources(), refusedPolicies()} {
		for _, r := range group {
			t.Run(r.name, func(t *testing.T) {
				err := r.call(t.Context(), c)
				require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
				assert.Equal(t, r.fields, invalid(err))
			})
		}
	}
	require.Empty(t, server.Requests())
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
			assert.Equal(t, c.fields, invalid(err))
			assert.NotContains(t, err.Error(), "canary")
		})
	}
}
