package signer_test

import (
	"context"
	"crypto/tls"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/protocol"
)

// TestACertificateExpiresOnItsConnection: a connection that is kept busy does not outlast the certificate
// that opened it, or short ones would bound nothing.
func TestACertificateExpiresOnItsConnection(t *testing.T) {
	i, policy := newIssuer(t), strings.Replace(policyText(), "uid = 1000", `certificate = "desk"`, 1)
	r := newRig(t, 1, under(t, policy))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var later atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- r.ServeTLS(ctx, listener, &tls.Config{
			Certificates: []tls.Certificate{i.server()}, ClientCAs: i.pool(), Time: now,
		})
	}()
	defer func() {
		cancel()
		require.NoError(t, <-ended)
	}()
	c, err := client.DialTLS(t.Context(), listener.Addr().String(), &tls.Config{
		Certificates: []tls.Certificate{i.client("desk")}, RootCAs: i.pool(),
	}, "")
	require.NoError(t, err)
	defer c.Close()
	var h signer.Health
	require.NoError(t, c.Get(t.Context(), protocol.PathHealth, &h))
	later.Store(int64(2 * time.Hour)) // the certificate is good for one
	require.Error(t, c.Get(t.Context(), protocol.PathHealth, &h))
}
