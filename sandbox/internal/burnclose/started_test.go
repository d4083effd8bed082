package burnclose_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

// answer is the answer of a service.
type answer = worldtest.Answer

// start opens a sandbox for a test.
func start(t *testing.T, c play.Config) *started {
	t.Helper()
	return &started{worldtest.Start(t, c)}
}
