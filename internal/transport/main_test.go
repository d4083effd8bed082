package transport

import (
	"net/http"
	"testing"

	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/internal/connections"
)

// tidyRun closes the connections that the process keeps for later use, which
// are no leak.
type tidyRun struct{ *testing.M }

func (r tidyRun) Run() int {
	code := r.M.Run()
	connections.Shared().CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	return code
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(tidyRun{m}) }
