package visitors_test

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/visitors"
)

// TestOneVisitorDoesNotKeepOthersOut: strangers get four places, and a connection that has shown who
// it is counts for that one.
func TestOneVisitorDoesNotKeepOthersOut(t *testing.T) {
	inner, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	require.NoError(t, err)
	var asked []int
	l := visitors.Listen(inner, func(uid int) (string, bool) {
		asked = append(asked, uid)
		return "me", false
	})
	defer l.Close()
	accepted := make(chan net.Conn, 16)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- c
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("unix", inner.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	var first *visitors.Conn
	for range 4 {
		dial()
		c := (<-accepted).(*visitors.Conn)
		assert.Empty(t, c.Who())
		first = c
	}
	_, err = dial().Read(make([]byte, 1))
	require.Error(t, err, "a fifth stranger is not let in")
	require.True(t, first.Is("a certificate"))
	assert.Equal(t, "a certificate", first.Who())
	dial()
	c := <-accepted
	require.NoError(t, c.Close())
	require.Error(t, c.Close(), "which counts out once")
	dial()
	<-accepted
	_, err = dial().Read(make([]byte, 1))
	require.Error(t, err)
	require.NoError(t, l.Close())
	for range accepted {
	}
	assert.NotEmpty(t, asked)
	for _, uid := range asked {
		assert.Equal(t, os.Getuid(), uid)
	}
}
