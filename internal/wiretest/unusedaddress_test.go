package wiretest

import (
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnusedAddress: no connection and no listener without a port of its own gets it.
func TestUnusedAddress(t *testing.T) {
	seen := map[string]bool{}
	for range 20 {
		address := UnusedAddress(t)
		_, port, err := net.SplitHostPort(address)
		require.NoError(t, err)
		n, err := strconv.Atoi(port)
		require.NoError(t, err)
		require.Less(t, n, 32768)
		require.Greater(t, n, 1024)
		_, err = net.Dial("tcp", address)
		require.ErrorContains(t, err, "refused")
		seen[address] = true
	}
	require.Greater(t, len(seen), 10, "tests that run beside one another take different ports")
}
