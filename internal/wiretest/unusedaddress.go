package wiretest

import (
	"math/rand/v2"
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// The systems give ports from 32768 on, or from 49152 on, to connections and to
// listeners that name none. A port of theirs that was let go may be a connection's
// before the test's server takes it; one below stays free.
const (
	firstPort = 20000
	endPort   = 32000
)

// UnusedAddress returns a host and port of loopback to which nobody listens, for tests
// of servers that are started again where they were, and of calls that nobody takes.
func UnusedAddress(t testing.TB) string {
	t.Helper()
	for range 100 {
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(firstPort+rand.IntN(endPort-firstPort)))
		if listener, err := net.Listen("tcp", address); err == nil {
			require.NoError(t, listener.Close())
			return address
		}
	}
	require.Fail(t, "no port is free")
	return ""
}
