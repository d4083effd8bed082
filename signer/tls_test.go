package signer_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// issuer signs certificates.
type issuer struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newIssuer(t *testing.T) *issuer {
	i := &issuer{t: t}
	made := i.make(&x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	i.cert, i.key = made.Leaf, made.PrivateKey.(*ecdsa.PrivateKey)
	return i
}

func (i *issuer) make(c *x509.Certificate) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(i.t, err)
	c.SerialNumber, c.NotBefore = big.NewInt(1), time.Now().Add(-time.Hour)
	if c.NotAfter.IsZero() {
		c.NotAfter = time.Now().Add(time.Hour)
	}
	by, with := c, key
	if i.cert != nil {
		by, with = i.cert, i.key
	}
	raw, err := x509.CreateCertificate(rand.Reader, c, by, &key.PublicKey, with)
	require.NoError(i.t, err)
	leaf, err := x509.ParseCertificate(raw)
	require.NoError(i.t, err)
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key, Leaf: leaf}
}

func (i *issuer) client(name string) tls.Certificate {
	return i.make(&x509.Certificate{
		Subject: pkix.Name{CommonName: name}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
}

func (i *issuer) server() tls.Certificate {
	return i.make(&x509.Certificate{
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
}

func (i *issuer) pool() *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(i.cert)
	return p
}

// overTLS is a signer on a TCP port whose client "trader" has the certificate "desk".
func overTLS(t *testing.T) (r *rig, i *issuer, address string) {
	i = newIssuer(t)
	r = newRig(t, 2, func(cfg *signer.Config) {
		text := strings.Replace(policyText(), "uid = 1000", `certificate = "desk"`, 1)
		text = strings.Replace(text, "uid = 1001", "uid = 0", 1) // which no certificate stands for
		policy, err := signer.ParsePolicy([]byte(strings.Replace(text, "admins = [0]", "admins = [7]", 1)))
		require.NoError(t, err)
		cfg.Policy = policy
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- r.ServeTLS(ctx, listener, &tls.Config{
			Certificates: []tls.Certificate{i.server()}, ClientCAs: i.pool(),
			ClientAuth: tls.NoClientCert, MinVersion: tls.VersionTLS12, // which it does not heed
			GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return nil, context.Canceled },
		})
	}()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	return r, i, listener.Addr().String()
}

func TestOverTLS(t *testing.T) {
	r, i, address := overTLS(t)
	as := func(with ...tls.Certificate) (*client.Client, error) {
		return client.DialTLS(t.Context(), address, &tls.Config{Certificates: with, RootCAs: i.pool()}, "")
	}
	c, err := as(i.client("desk"))
	require.NoError(t, err)
	defer c.Close()
	txs, _, err := signing.NewGuard(signing.Policy{}).SignSet(t.Context(), r.pay(payee, 1000).Unsigned, c)
	require.NoError(t, err)
	assert.True(t, txs[0].Signature().Verify(owner, txs[0].Message()))
	_, err = c.SignSet(t.Context(), r.pay(thief, 1000))
	require.ErrorContains(t, err, signer.CodePayee)
	_, err = c.Freeze(t.Context(), "", "mine")
	require.ErrorContains(t, err, `certificate "desk" may not ask`)

	late := &x509.Certificate{
		Subject: pkix.Name{CommonName: "desk"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		NotAfter: time.Now().Add(-time.Minute),
	}
	for name, with := range map[string][]tls.Certificate{
		"no certificate":            nil,
		"another issuer's":          {newIssuer(t).client("desk")},
		"one of a server":           {i.make(&x509.Certificate{Subject: pkix.Name{CommonName: "desk"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})},
		"one that has expired":      {i.make(late)},
		"one of nobody":             {i.client("somebody")},
		"one without a name":        {i.client("")},
		"one with a user's name":    {i.client("uid 0")},
		"one with the client's own": {i.client("trader")},
	} {
		_, err := as(with...)
		require.Error(t, err, name)
	}
	_, err = client.DialTLS(t.Context(), address, &tls.Config{Certificates: []tls.Certificate{i.client("desk")}}, "")
	require.ErrorIs(t, err, walletfi.ErrUnavailable, "the signer's certificate is checked")
	_, err = client.DialTLS(t.Context(), address, &tls.Config{
		Certificates: []tls.Certificate{i.client("desk")}, RootCAs: i.pool(), MaxVersion: tls.VersionTLS12,
	}, "")
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	require.Error(t, client.Connect(address).Get(t.Context(), protocol.PathHealth, nil))
}

// TestTCPNeedsCertificates: none is served without the issuer of the clients' certificates, for
// which the system's would stand in.
func TestTCPNeedsCertificates(t *testing.T) {
	r, i := newRig(t, 1), newIssuer(t)
	for _, cfg := range []*tls.Config{
		nil, {}, {ClientCAs: i.pool()}, {Certificates: []tls.Certificate{i.server()}},
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.ErrorContains(t, r.ServeTLS(t.Context(), listener, cfg), "certificate")
	}
}

// TestACertificateHasItsOwnPlaces: who shows one leaves the places of its host to others.
func TestACertificateHasItsOwnPlaces(t *testing.T) {
	_, i, address := overTLS(t)
	cfg := &tls.Config{Certificates: []tls.Certificate{i.client("somebody")}, RootCAs: i.pool()}
	desk := cfg.Clone()
	desk.Certificates = []tls.Certificate{i.client("desk")}
	var held []*client.Client
	for range signer.MaxConnections { // idle ones, that have asked once
		c, err := client.DialTLS(t.Context(), address, desk, "")
		require.NoError(t, err)
		held = append(held, c)
	}
	_, err := client.DialTLS(t.Context(), address, desk, "")
	require.ErrorContains(t, err, "has 64 connections")
	_, err = client.DialTLS(t.Context(), address, cfg, "")
	require.ErrorContains(t, err, `certificate "somebody" may not ask`, "it was let in to be told so")
	for _, c := range held {
		c.Close()
	}
	require.Eventually(t, func() bool {
		c, err := client.DialTLS(t.Context(), address, desk, "")
		if err == nil {
			c.Close()
		}
		return err == nil
	}, 10*time.Second, 10*time.Millisecond)
}
