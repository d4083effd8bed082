package main

import (
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/protocol"
)

// certificate writes one that signed itself, and its key.
func (p *place) certificate(t *testing.T, name string) (tls.Certificate, *x509.CertPool) {
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(nil, form, form, public, private)
	require.NoError(t, err)
	key, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})
	require.NoError(t, os.WriteFile(p.path(name+".pem"), cert, 0o600))
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	require.NoError(t, os.WriteFile(p.path(name+".key"), text, 0o600))
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(cert))
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: private}, pool
}

// TestServesOverTLS: a client with a certificate is served next to those on the socket, and without
// the files that this takes nothing is.
func TestServesOverTLS(t *testing.T) {
	p := sealed(t)
	_, server := p.certificate(t, "server")
	desk, _ := p.certificate(t, "desk")
	policy, err := os.ReadFile(p.path("policy.toml"))
	require.NoError(t, err)
	more := "\n[[client]]\nname = \"desk\"\ncertificate = \"desk\"\nowners = [\"bot\"]\nservices = [\"\"]\nshare = 10\nrate = 10\n"
	require.NoError(t, os.WriteFile(p.path("policy.toml"), append(policy, more...), 0o600))
	p.serve = append(p.serve, "--listen", "127.0.0.1:0")
	out, status := command(t, "", p.serve...)
	require.Equal(t, 1, status)
	assert.Contains(t, out, "no such file")

	p.serve = append(p.serve, "--tls-cert", p.path("server.pem"), "--tls-key", p.path("server.key"),
		"--tls-clients", p.path("desk.pem"))
	running := p.start(t)
	said, err := os.ReadFile(p.path("out"))
	require.NoError(t, err)
	at := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(string(said))
	cfg := &tls.Config{RootCAs: server, Certificates: []tls.Certificate{desk}}
	c, err := client.DialTLS(t.Context(), at, cfg, "bot")
	require.NoError(t, err, string(said))
	_, err = c.SignSet(t.Context(), p.pay(t, 1000))
	require.NoError(t, err)
	c.Close()
	_, err = client.DialTLS(t.Context(), at, &tls.Config{RootCAs: server}, "bot")
	require.ErrorContains(t, err, "certificate required")
	require.NoError(t, running.Process.Signal(syscall.SIGTERM))
	require.NoError(t, running.Wait())
}

// TestACertificateIsChangedByASignal: the files are read again at a SIGHUP, and stay as they were if one
// of them is spoilt.
func TestACertificateIsChangedByASignal(t *testing.T) {
	p := newAdministered(t)
	running, first := p.begin(t)
	defer first.Close()
	old, err := os.ReadFile(p.path("desk.pem"))
	require.NoError(t, err)
	desk, _ := p.certificate(t, "desk") // over the old one
	next, err := os.ReadFile(p.path("desk.pem"))
	require.NoError(t, err)
	said := func(what string) func() bool {
		return func() bool {
			out, err := os.ReadFile(p.path("out"))
			require.NoError(t, err)
			return strings.Contains(string(out), what)
		}
	}
	reads := func(text []byte, what string) {
		require.NoError(t, os.WriteFile(p.path("desk.pem"), text, 0o600))
		require.NoError(t, os.Truncate(p.path("out"), 0))
		require.NoError(t, running.Process.Signal(syscall.SIGHUP))
		require.Eventually(t, said(what), 20*time.Second, time.Millisecond)
	}
	reads(slices.Concat(old, next), "read the certificates of 2 names")
	p.tls.Certificates = []tls.Certificate{desk}
	second, err := client.DialTLS(t.Context(), p.address, p.tls, "bot")
	require.NoError(t, err)
	defer second.Close()
	for _, c := range []*client.Client{first, second} {
		_, err = c.SignSet(t.Context(), p.pay(t, 1000))
		require.NoError(t, err)
	}
	reads([]byte("nothing"), "stay as they were")
	require.NoError(t, first.Get(t.Context(), protocol.PathHealth, nil))
	reads(next, "read the certificates of 2 names")
	require.ErrorContains(t, first.Get(t.Context(), protocol.PathHealth, nil), "withdrawn")
	require.NoError(t, second.Get(t.Context(), protocol.PathHealth, nil))
	require.NoError(t, running.Process.Signal(syscall.SIGTERM))
	require.NoError(t, running.Wait())
}
