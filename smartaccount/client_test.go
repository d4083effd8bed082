package smartaccount_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
	"gopkg.in/h2non/gock.v1"
)

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
		Reply(200).JSON(map[string]any{"id": "acc_1", "balance": map[string]string{"SOL": "0.000000001"}})

	c := configured(t, smartaccount.Config{BaseURL: "https://accounts.example.com/api/v1", Token: signedIn})
	account, err := c.GetAccount(t.Context(), "acc_1")
	require.NoError(t, err)
	require.Equal(t, map[string]walletfi.Decimal{"SOL": wiretest.Decimal(t, "0.000000001")}, account.Balance)
	require.True(t, gock.IsDone())
	require.False(t, gock.HasUnmatchedRequest())
}
