package smartaccount_test

import (
	"strings"
	"testing"
	"time"

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

func TestWireAuthentication(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call:   wiretest.By(client, (*smartaccount.Client).SendEmailCode, "a+b@example.com"),
		Method: "POST", Target: "/api/v1/auth/email/otp", Header: public,
		Body: `{"email":"a+b@example.com"}`, File: "SendEmailCode.json",
		Want: &smartaccount.EmailCodeSent{Message: "code sent"},
	}, {
		Name:   "SendEmailCode, no message",
		Call:   wiretest.By(client, (*smartaccount.Client).SendEmailCode, "a@example.com"),
		Method: "POST", Target: "/api/v1/auth/email/otp", Header: public,
		Body: `{"email":"a@example.com"}`, Reply: `{"success":true}`,
		Want: &smartaccount.EmailCodeSent{},
	}, {
		Call: wiretest.By(client, (*smartaccount.Client).VerifyEmailCode, smartaccount.VerifyEmailCodeRequest{
			Email: "a@example.com", Code: walletfi.NewSecret("012345"),
		}),
		Method: "POST", Target: "/api/v1/auth/email/verify", Header: public,
		Body: `{"email":"a@example.com","otp":"012345"}`, File: "Tokens.json", Then: isSignIn,
	}, {
		Call: wiretest.By(client, (*smartaccount.Client).RegisterPasskey, smartaccount.RegisterPasskeyRequest{
			CredentialID: "c-1", PublicKey: []byte{0xfb, 0xff, 0}, Attestation: walletfi.Document(`{ "fmt": "none", "id": 12345678901234567890 }`),
		}),
		Method: "POST", Target: "/api/v1/auth/passkey/register", Header: bearer,
		Body: `{"credentialId":"c-1","publicKey":"+/8A","attestation":{"fmt":"none","id":12345678901234567890}}`, File: "RegisterPasskey.json",
		Want: &smartaccount.Passkey{ID: "pk_1"},
	}, {
		Call: wiretest.By(client, (*smartaccount.Client).AuthenticatePasskey, smartaccount.AuthenticatePasskeyRequest{
			CredentialID: "c-1", Assertion: walletfi.Document(`{"signature": "x"}`),
		}),
		Method: "POST", Target: "/api/v1/auth/passkey/authenticate", Header: public,
		Body: `{"credentialId":"c-1","assertion":{"signature":"x"}}`, File: "Tokens.json", Then: isSignIn,
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).RefreshToken, walletfi.Token{Access: access, Refresh: refresh}),
		Method: "POST", Target: "/api/v1/auth/refresh", Header: public,
		Body: `{"refreshToken":"rt-123456"}`, File: "RefreshToken.json",
		Then: func(t *testing.T, result any) {
			token := result.(walletfi.Token)
			require.Equal(t, "at-new-2", token.Access.Reveal())
			require.Equal(t, "rt-123456", token.Refresh.Reveal(), "none came: the old one is kept")
			require.WithinDuration(t, time.Now().Add(15*time.Minute), token.Expiry, time.Minute)
		},
	}, {
		Name:   "RefreshToken, rotated",
		Call:   wiretest.By(client, (*smartaccount.Client).RefreshToken, walletfi.Token{Refresh: refresh}),
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
		Call: wiretest.By(client, (*smartaccount.Client).CreateAccount,
			smartaccount.CreateAccountRequest{Name: "Savings", Type: smartaccount.AccountBusiness}),
		Method: "POST", Target: "/api/v1/accounts", Header: bearer,
		Body: `{"name":"Savings","type":"business"}`, File: "CreateAccount.json", Status: 201,
		Want: &smartaccount.Account{
			ID: "acc_1", Address: "Addr1111111111111111111111111111", Name: "Savings", Type: smartaccount.AccountBusiness,
			Status: smartaccount.StatusActive, CreatedAt: at(t, "2026-01-02T03:04:05.678Z"),
		},
	}, {
		Name:   "GetAccount, foreign id",
		Call:   wiretest.By(client, (*smartaccount.Client).GetAccount, "no/prefix ü"),
		Method: "GET", Target: "/api/v1/accounts/no%2Fprefix%20%C3%BC", Header: noBody, Reply: strings.Replace(wiretest.File(t, "GetAccount.json"), "acc_1", "no/prefix ü", 1),
		Want: &smartaccount.Account{
			ID: "no/prefix ü", Address: "Addr1111111111111111111111111111", Type: "family", Status: "frozen",
			Balance: map[string]walletfi.Decimal{
				"SOL": wiretest.Decimal(t, "1.500000000"), "USDC": wiretest.Decimal(t, "0"), "NEW": wiretest.Decimal(t, "18446744073709551616"),
			},
		},
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).ListAccounts),
		Method: "GET", Target: "/api/v1/accounts", Header: noBody, File: "ListAccounts.json",
		Want: &smartaccount.AccountPage{Total: 3, Items: []smartaccount.Account{
			{ID: "acc_1", Address: "Addr1111111111111111111111111111", Name: "Savings", Type: smartaccount.AccountPersonal, Status: smartaccount.StatusActive},
			{ID: "acc_2", Address: "Addr2111111111111111111111111111", Name: "Savings", Type: smartaccount.AccountBusiness, Status: "closed"},
			{ID: "acc_3", Address: "Addr3111111111111111111111111111", Type: smartaccount.AccountPersonal, Status: smartaccount.StatusActive},
		}},
	}, {
		Call: wiretest.By(client, (*smartaccount.Client).UpdateAccount,
			"acc_1", smartaccount.UpdateAccountRequest{Name: "<Rent & food>"}),
		Method: "PATCH", Target: "/api/v1/accounts/acc_1", Header: bearer,
		Body: `{"name":"<Rent & food>"}`, Reply: `{"success": true}`,
	}})
}

func TestWireSessions(t *testing.T) {
	// An hour ahead of UTC, with more digits than a millisecond has.
	expires := time.Date(2027, 1, 1, 0, 59, 59, 999_999_999, time.FixedZone("", 3600))
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*smartaccount.Client).CreateSession, "acc_1", smartaccount.CreateSessionRequest{
			PublicKey: "Key11111111111111111111111111111", Name: "bot", ExpiresAt: expires,
			Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer, "stake"},
			Limits: &smartaccount.SessionLimits{
				PerTransaction: new(walletfi.Amount(0)), Daily: new(maxAmount),
				AllowedMints: []string{"M1111111111111111111111111111111"}, AllowedDestinations: []string{},
			},
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/sessions", Header: bearer,
		Body: `{"publicKey":"Key11111111111111111111111111111","name":"bot","expiresAt":"2026-12-31T23:59:59.999Z","permissions":["transfer","stake"],
			"limits":{"perTransaction":"0","daily":"18446744073709551615","allowedMints":["M1111111111111111111111111111111"],"allowedDestinations":[]}}`,
		File: "CreateSession.json",
		Want: &smartaccount.Session{
			ID: "sess_1", PublicKey: "Key11111111111111111111111111111", Name: "bot", ExpiresAt: at(t, "2026-12-31T23:59:59Z"),
			Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer, "stake"},
			Status:      smartaccount.StatusActive, CreatedAt: at(t, "2026-01-02T03:04:05Z"),
		},
	}, {
		Name: "CreateSession, least",
		Call: wiretest.By(client, (*smartaccount.Client).CreateSession, "acc_1", smartaccount.CreateSessionRequest{
			PublicKey: "Key11111111111111111111111111111", ExpiresAt: time.Unix(1_900_000_000, 0), Permissions: []smartaccount.Permission{smartaccount.PermissionSwap},
			Limits: &smartaccount.SessionLimits{},
		}),
		Method: "POST", Target: "/api/v1/accounts/acc_1/sessions", Header: bearer,
		Body:  `{"publicKey":"Key11111111111111111111111111111","expiresAt":"2030-03-17T17:46:40Z","permissions":["swap"],"limits":{}}`,
		Reply: `{"id":"sess_1","publicKey":"Key11111111111111111111111111111","expiresAt":"2030-03-17T17:46:40Z","permissions":["swap"],"status":"active"}`,
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).ListSessions, "acc_1"),
		Method: "GET", Target: "/api/v1/accounts/acc_1/sessions", Header: noBody, File: "ListSessions.json",
		Want: &smartaccount.SessionPage{Total: 2, Items: []smartaccount.Session{
			{ID: "sess_1", PublicKey: "Key11111111111111111111111111111", Name: "bot", ExpiresAt: at(t, "2026-12-31T23:59:59Z"),
				Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer}, Status: smartaccount.StatusActive},
			{ID: "sess_2", PublicKey: "Key21111111111111111111111111111", ExpiresAt: at(t, "2026-06-30T00:00:00Z"), Permissions: []smartaccount.Permission{}, Status: "revoked"},
		}},
	}, {
		Call:   wiretest.By(client, (*smartaccount.Client).RevokeSession, "acc_1", "sess_1"),
		Method: "DELETE", Target: "/api/v1/accounts/acc_1/sessions/sess_1", Header: noBody, Reply: `{"success": true}`,
	}})
}
