package smartaccount_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
	"gopkg.in/h2non/gock.v1"
)

// The life of a session key on the sandbox: it is made with a limit, pays, is
// held to the limit, runs out, and is revoked.
func Example_sessionKey() {
	if err := sessionKeyLife(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// session is active
	// paid 400000 lamports: confirmed
	// too much: POLICY_VIOLATION
	// an hour later: SESSION_EXPIRED
	// revoked
}

func sessionKeyLife(ctx context.Context) error {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	if err != nil {
		return err
	}
	defer s.Close()
	client, account, err := enrolled(ctx, s)
	if err != nil {
		return err
	}
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	session, err := client.CreateSession(ctx, account.ID, smartaccount.CreateSessionRequest{
		PublicKey: solana.PublicKeyFromBytes(public).String(), Name: "bot", ExpiresAt: s.Now().Add(time.Hour),
		Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer},
		Limits: &smartaccount.SessionLimits{
			PerTransaction: new(walletfi.Amount(500_000)), AllowedDestinations: []string{s.WalletAddress()},
		},
	})
	if err != nil {
		return err
	}
	fmt.Println("session is", session.Status)

	pay := func(lamports uint64) (*smartaccount.Transaction, error) {
		return payAs(ctx, client, account, private, s.WalletAddress(), lamports)
	}
	paid, err := pay(400_000)
	if err != nil {
		return err
	}
	fmt.Println("paid 400000 lamports:", paid.Status)
	_, err = pay(600_000)
	fmt.Println("too much:", codeOf(err))
	s.Advance(time.Hour + time.Second)
	_, err = pay(400_000)
	fmt.Println("an hour later:", codeOf(err))
	if err := client.RevokeSession(ctx, account.ID, session.ID); err != nil {
		return err
	}
	fmt.Println("revoked")
	return nil
}

func enrolled(ctx context.Context, s *sandbox.Sandbox) (*smartaccount.Client, *smartaccount.Account, error) {
	client, err := smartaccount.New(smartaccount.Config{BaseURL: s.URL(sandbox.SmartAccount)})
	if err != nil {
		return nil, nil, err
	}
	const email = "ann@example.com"
	if _, err := client.SendEmailCode(ctx, email); err != nil {
		return nil, nil, err
	}
	code := walletfi.NewSecret(s.SmartAccount().OneTimeCode(email))
	if _, err := client.VerifyEmailCode(ctx, smartaccount.VerifyEmailCodeRequest{Email: email, Code: code}); err != nil {
		return nil, nil, err
	}
	account, err := client.CreateAccount(ctx, smartaccount.CreateAccountRequest{Name: "bot", Type: smartaccount.AccountPersonal})
	if err != nil {
		return nil, nil, err
	}
	return client, account, s.Ledger().FundWallet(account.Address, 1_000_000_000)
}

// payAs has a session key sign a payment out of the account.
func payAs(ctx context.Context, c *smartaccount.Client, a *smartaccount.Account, key ed25519.PrivateKey, to string, lamports uint64) (*smartaccount.Transaction, error) {
	from := solana.MustPublicKeyFromBase58(a.Address)
	data, err := system.NewTransferInstruction(lamports, from, solana.MustPublicKeyFromBase58(to)).Build().Data()
	if err != nil {
		return nil, err
	}
	instructions := []smartaccount.Instruction{{
		ProgramID: solana.SystemProgramID.String(), Data: data,
		Accounts: []smartaccount.AccountMeta{
			{PublicKey: a.Address, IsSigner: true, IsWritable: true}, {PublicKey: to, IsWritable: true},
		},
	}}
	text, err := json.Marshal(instructions)
	if err != nil {
		return nil, err
	}
	message, err := sandbox.SessionKeyMessage(text) // what is signed is the service's affair
	if err != nil {
		return nil, err
	}
	return c.ExecuteTransaction(ctx, a.ID, smartaccount.ExecuteTransactionRequest{
		Instructions: instructions, SessionKeySignature: ed25519.Sign(key, message),
	})
}

func codeOf(err error) smartaccount.Code {
	var refused *smartaccount.Error
	if errors.As(err, &refused) {
		return refused.Code
	}
	return smartaccount.Code(fmt.Sprint(err))
}

func TestUnderGock(t *testing.T) {
	defer gock.Off()
	gock.New("https://accounts.example.com").Get("/api/v1/accounts/acc_1").
		MatchHeader("Authorization", "^Bearer at-123456$").
		Reply(401).JSON(map[string]any{"error": map[string]string{"code": "UNAUTHORIZED", "message": "expired"}})
	gock.New("https://accounts.example.com").Post("/api/v1/auth/refresh").
		JSON(map[string]string{"refreshToken": "rt-123456"}).
		Reply(200).JSON(map[string]any{"accessToken": "at-2", "expiresIn": 3600})
	gock.New("https://accounts.example.com").Get("/api/v1/accounts/acc_1").
		MatchHeader("Authorization", "^Bearer at-2$").
		Reply(200).JSON(map[string]any{"id": "acc_1", "address": "A1111111111111111111111111111111", "status": "active", "balance": map[string]string{"SOL": "0.000000001"}})

	c := configured(t, smartaccount.Config{BaseURL: "https://accounts.example.com/api/v1", Token: signedIn})
	account, err := c.GetAccount(t.Context(), "acc_1")
	require.NoError(t, err)
	require.Equal(t, map[string]walletfi.Decimal{"SOL": wiretest.Decimal(t, "0.000000001")}, account.Balance)
	require.True(t, gock.IsDone())
	require.False(t, gock.HasUnmatchedRequest())
}
