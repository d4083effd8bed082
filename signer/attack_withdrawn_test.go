package signer_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/protocol"
)

// TestACertificateIsChangedWithoutAPause: two of one client are good side by side, and the old one no
// more once it is withdrawn, not even on the connection that it opened.
func TestACertificateIsChangedWithoutAPause(t *testing.T) {
	i := newIssuer(t)
	r := newRig(t, 1, under(t, strings.Replace(policyText(), "uid = 1000", `certificate = "desk"`, 1)))
	own := func() tls.Certificate { // that signs itself
		return (&issuer{t: t}).make(&x509.Certificate{
			Subject: pkix.Name{CommonName: "desk"}, IsCA: true, BasicConstraintsValid: true,
		})
	}
	old, next := own(), own()
	var current atomic.Pointer[tls.Config]
	accept := func(all ...tls.Certificate) {
		pool := x509.NewCertPool()
		for _, c := range all {
			pool.AddCert(c.Leaf)
		}
		current.Store(&tls.Config{Certificates: []tls.Certificate{i.server()}, ClientCAs: pool})
	}
	accept(old)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.ServeTLSFunc(ctx, listener, current.Load) }()
	defer func() {
		cancel()
		require.NoError(t, <-ended)
	}()
	as := func(c tls.Certificate) (*client.Client, error) {
		return client.DialTLS(t.Context(), listener.Addr().String(),
			&tls.Config{Certificates: []tls.Certificate{c}, RootCAs: i.pool()}, "")
	}
	first, err := as(old)
	require.NoError(t, err)
	defer first.Close()
	_, err = as(next)
	require.Error(t, err, "it is not listed yet")
	accept(old, next)
	second, err := as(next)
	require.NoError(t, err)
	defer second.Close()
	for _, c := range []*client.Client{first, second} {
		_, err = c.SignSet(t.Context(), r.pay(payee, 1000))
		require.NoError(t, err)
	}
	accept(next)
	var h signer.Health
	require.ErrorContains(t, first.Get(t.Context(), protocol.PathHealth, &h), "was withdrawn")
	require.NoError(t, second.Get(t.Context(), protocol.PathHealth, &h))
	_, err = as(old)
	require.Error(t, err)
	current.Store(nil) // what is no configuration lets in nobody
	require.Error(t, second.Get(t.Context(), protocol.PathHealth, &h))
}
