package world_test

import (
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestMain collects garbage less often: the mutations make little that lasts.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	goleak.VerifyTestMain(m)
}

// started is a sandbox under test.
type started struct{ *worldtest.World }

// start opens a sandbox for a test.
func start(t *testing.T, c play.Config) *started {
	t.Helper()
	return &started{worldtest.Start(t, c)}
}
