package smartaccount_test

import (
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
const complete = `{"id": "acc_1", "passkeyId": "pk_1", "accessToken": "at-7", "success": true, "status": "active", "balance": {},
	"accounts": [], "sessions": [], "policies": [], "transactions": [], "directDebits": []}`

// completeFor is complete for a route: a pause wants to hear that it paused.
func completeFor(path string) string {
	if strings.HasSuffix(path, "/pause") {
		return strings.Replace(complete, `"active"`, `"paused"`, 1)
	}
	return complete
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
