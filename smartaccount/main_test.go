package smartaccount_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/smartaccount"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	access  = walletfi.NewSecret("at-123456")
	refresh = walletfi.NewSecret("rt-123456")
)

// complete says what every call of the service wants to hear.
const complete = `{"id": "acc_1", "passkeyId": "pk_1", "accessToken": "at-7", "refreshToken": "rt-7", "expiresIn": 3600,
	"success": true, "status": "active", "balance": {}, "address": "A1111111111111111111111111111111", "publicKey": "K1111111111111111111111111111111", "merchant": "m1111111111111111111111111111111", "mint": "m1111111111111111111111111111111",
	"amount": "1", "frequency": "f", "expiresAt": "2036-01-02T03:04:05Z", "nextPayment": "2036-01-02T03:04:05Z",
	"signature": "S111111111111111111111111111111111111111111111111111111111111111", "slot": 5, "fee": "5000", "instructions": [], "total": 0,
	"accounts": [], "sessions": [], "policies": [], "transactions": [], "directDebits": []}`

// completeFor is complete for a request: it repeats what was asked for, a pause wants
// to hear that it paused, and an execution that it is confirmed.
func completeFor(path, body string) string {
	said := map[string]json.RawMessage{}
	for _, members := range []string{complete, body} {
		if members == "" {
			continue
		}
		if err := json.Unmarshal([]byte(members), &said); err != nil {
			panic(err)
		}
	}
	switch {
	case strings.HasSuffix(path, "/pause"):
		said["status"] = json.RawMessage(`"paused"`)
	case strings.HasSuffix(path, "/transactions"):
		said["status"] = json.RawMessage(`"confirmed"`)
	}
	all, err := json.Marshal(said)
	if err != nil {
		panic(err)
	}
	return string(all)
}

// client is a client of base that is signed in and repeats nothing.
func client(t testing.TB, base string) *smartaccount.Client {
	t.Helper()
	return configured(t, smartaccount.Config{
		BaseURL: base + "/api/v1", Token: walletfi.Token{Access: access, Refresh: refresh},
		Options: walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
	})
}

func configured(t testing.TB, cfg smartaccount.Config) *smartaccount.Client {
	t.Helper()
	cfg.OwnRoutes = !strings.HasSuffix(cfg.BaseURL, "/api/v1")
	c, err := smartaccount.New(cfg)
	require.NoError(t, err)
	return c
}
