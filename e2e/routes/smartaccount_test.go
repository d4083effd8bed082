package routes

import (
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
)

func init() { reach[sandbox.SmartAccount], documented[sandbox.SmartAccount] = reachSmartAccount, 26 }

func reachSmartAccount(t *testing.T, s *sandbox.Sandbox) {
	c, err := smartaccount.New(smartaccount.Config{BaseURL: s.URL(sandbox.SmartAccount), Options: flows.Options(s)})
	require.NoError(t, err)
	signIn(t, s, c)
	account := smartAccount(t, s, c)
	sessionKey(t, c, account)
	spendingLimit(t, s, c, account)
	directDebit(t, s, c, account)
	subscription(t, s, c, account)
}

func signIn(t *testing.T, s *sandbox.Sandbox, c *smartaccount.Client) {
	ctx := t.Context()
	const email = "ann@example.com"
	require.ErrorIs(t, wiretest.Error(c.ListAccounts(ctx)), walletfi.ErrUnauthorized, "nobody is signed in")
	require.NoError(t, wiretest.Error(c.SendEmailCode(ctx, email)))
	first, err := c.VerifyEmailCode(ctx, smartaccount.VerifyEmailCodeRequest{Email: email, Code: walletfi.NewSecret(s.SmartAccount().OneTimeCode(email))})
	require.NoError(t, err)
	_, err = c.RegisterPasskey(ctx, smartaccount.RegisterPasskeyRequest{
		CredentialID: "cred-1", PublicKey: []byte("public"), Attestation: walletfi.Document(`{"fmt":"none"}`),
	})
	require.NoError(t, err)
	_, err = c.AuthenticatePasskey(ctx, smartaccount.AuthenticatePasskeyRequest{CredentialID: "cred-1", Assertion: walletfi.Document(`{"signature":"c2ln"}`)})
	require.NoError(t, err)
	renewed, err := c.RefreshToken(ctx, first)
	require.NoError(t, err)
	require.NotEqual(t, first.Access.Reveal(), renewed.Access.Reveal())
	require.Equal(t, first.Refresh.Reveal(), renewed.Refresh.Reveal(), "the old refresh token is kept")
	require.NoError(t, wiretest.Error(c.Token(ctx)))
}

func smartAccount(t *testing.T, s *sandbox.Sandbox, c *smartaccount.Client) *smartaccount.Account {
	ctx := t.Context()
	created, err := c.CreateAccount(ctx, smartaccount.CreateAccountRequest{Name: "trading", Type: smartaccount.AccountBusiness})
	require.NoError(t, err)
	require.NoError(t, s.Ledger().FundWallet(created.Address, 5_000_000_000))
	require.NoError(t, c.UpdateAccount(ctx, created.ID, smartaccount.UpdateAccountRequest{Name: "bots"}))
	found, err := c.FindAccounts(ctx, "bots")
	require.NoError(t, err)
	require.Len(t, found, 1)
	accounts, err := c.ListAccounts(ctx)
	require.NoError(t, err)
	require.Equal(t, accounts.Total, len(accounts.Items))
	account, err := c.GetAccount(ctx, created.ID)
	require.NoError(t, err)
	require.Equal(t, "bots", account.Name)
	require.NotEmpty(t, account.Balance)
	require.False(t, account.CreatedAt.IsZero())
	return account
}

func sessionKey(t *testing.T, c *smartaccount.Client, account *smartaccount.Account) {
	ctx := t.Context()
	public, _, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	key := solana.PublicKeyFromBytes(public).String()
	session, err := c.CreateSession(ctx, account.ID, smartaccount.CreateSessionRequest{
		PublicKey: key, Name: "bot", ExpiresAt: time.Now().Add(time.Hour),
		Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer},
		Limits:      &smartaccount.SessionLimits{PerTransaction: new(walletfi.Amount(1000)), Daily: new(walletfi.Amount(5000))},
	})
	require.NoError(t, err)
	found, err := c.FindSessions(ctx, account.ID, key)
	require.NoError(t, err)
	require.Equal(t, session.ID, found[0].ID)
	sessions, err := c.ListSessions(ctx, account.ID)
	require.NoError(t, err)
	require.Equal(t, 1, sessions.Total)
	require.NoError(t, c.RevokeSession(ctx, account.ID, session.ID))
}

func spendingLimit(t *testing.T, s *sandbox.Sandbox, c *smartaccount.Client, account *smartaccount.Account) {
	ctx := t.Context()
	policy, err := c.CreatePolicy(ctx, account.ID, smartaccount.CreatePolicyRequest{
		Type: smartaccount.PolicySpendingLimit, Name: "daily",
		Params: smartaccount.SpendingLimit{Mint: s.Mint("SOL"), Amount: 1_000_000, Period: "daily"},
	})
	require.NoError(t, err)
	pay := func(lamports uint64) error {
		_, err := c.ExecuteTransaction(ctx, account.ID, smartaccount.ExecuteTransactionRequest{
			Instructions: []smartaccount.Instruction{transfer(t, account.Address, s.WalletAddress(), lamports)},
		})
		return err
	}
	require.NoError(t, pay(600_000))
	err = pay(600_000)
	refused := wiretest.As[*smartaccount.Error](t, err)
	require.Equal(t, smartaccount.CodePolicyViolation, refused.Code)
	require.NoError(t, c.UpdatePolicy(ctx, account.ID, policy.ID, smartaccount.UpdatePolicyRequest{
		Params: smartaccount.SpendingLimitChange{Amount: new(walletfi.Amount(2_000_000))},
	}))
	require.NoError(t, pay(600_000))
	found, err := c.FindPolicies(ctx, account.ID, smartaccount.PolicySpendingLimit, "daily")
	require.NoError(t, err)
	require.Len(t, found, 1)
	policies, err := c.ListPolicies(ctx, account.ID)
	require.NoError(t, err)
	require.Equal(t, 1, policies.Total)
	require.NoError(t, c.DeletePolicy(ctx, account.ID, policy.ID))

	seen := 0
	for tx, err := range c.AllTransactions(ctx, account.ID, smartaccount.TransactionsRequest{Limit: new(1)}) {
		require.NoError(t, err)
		whole, err := c.GetTransaction(ctx, account.ID, tx.ID)
		require.NoError(t, err)
		require.Equal(t, tx.Signature, whole.Signature)
		require.NotEmpty(t, whole.Instructions)
		seen++
	}
	require.GreaterOrEqual(t, seen, 2)
}

// transfer is a System transfer as an instruction of the service's.
func transfer(t *testing.T, from, to string, lamports uint64) smartaccount.Instruction {
	ins := system.NewTransferInstruction(lamports, solana.MustPublicKeyFromBase58(from), solana.MustPublicKeyFromBase58(to)).Build()
	data, err := ins.Data()
	require.NoError(t, err)
	return smartaccount.Instruction{ProgramID: solana.SystemProgramID.String(), Data: data, Accounts: []smartaccount.AccountMeta{
		{PublicKey: from, IsSigner: true, IsWritable: true}, {PublicKey: to, IsWritable: true},
	}}
}

func directDebit(t *testing.T, s *sandbox.Sandbox, c *smartaccount.Client, account *smartaccount.Account) {
	ctx := t.Context()
	debit, err := c.CreateDirectDebit(ctx, account.ID, smartaccount.CreateDirectDebitRequest{
		Merchant: s.WalletAddress(), MerchantName: "power", Mint: s.Mint("USDC"), MaxAmount: 10, Frequency: "monthly",
		ExpiresAt: time.Now().Add(90 * 24 * time.Hour),
	})
	require.NoError(t, err)
	found, err := c.FindDirectDebits(ctx, account.ID, smartaccount.FindDirectDebitsRequest{
		Merchant: s.WalletAddress(), Mint: s.Mint("USDC"),
	})
	require.NoError(t, err)
	require.Equal(t, debit.ID, found[0].ID)
	require.False(t, found[0].NextDebit.IsZero())
	debits, err := c.ListDirectDebits(ctx, account.ID)
	require.NoError(t, err)
	require.Equal(t, 1, debits.Total)
	require.NoError(t, c.CancelDirectDebit(ctx, account.ID, debit.ID))
}

func subscription(t *testing.T, s *sandbox.Sandbox, c *smartaccount.Client, account *smartaccount.Account) {
	ctx := t.Context()
	sub, err := c.CreateSubscription(ctx, account.ID, smartaccount.CreateSubscriptionRequest{
		Merchant: s.WalletAddress(), MerchantName: "news", Mint: s.Mint("USDC"), Amount: 7, Frequency: "monthly",
		StartDate: time.Now().Add(48 * time.Hour),
	})
	require.NoError(t, err)
	require.False(t, sub.NextPayment.IsZero())
	paused, err := c.PauseSubscription(ctx, account.ID, sub.ID)
	require.NoError(t, err)
	require.Equal(t, smartaccount.Status("paused"), paused.Status)
	resumed, err := c.ResumeSubscription(ctx, account.ID, sub.ID)
	require.NoError(t, err)
	require.False(t, resumed.NextPayment.IsZero())
	require.NoError(t, c.CancelSubscription(ctx, account.ID, sub.ID))
}
