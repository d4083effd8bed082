package main

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestServesThePage: over TLS to anybody, and without it on loopback alone.
func TestServesThePage(t *testing.T) {
	p := newApprovingPlaceWith(t, "page = \"https://127-0-0-1.example\"\n")
	_, pool := p.certificate(t, "page")
	p.stop(t)
	whole := p.serve
	for problem, flags := range map[string][]string{
		"is no loopback address": {"--page", "0.0.0.0:0"},
		"no such file":           {"--page", "0.0.0.0:0", "--page-cert", p.path("none"), "--page-key", p.path("none")},
		"missing port":           {"--page", "127.0.0.1"},
	} {
		out, status := command(t, "", append(whole, flags...)...)
		assert.Equal(t, 1, status)
		assert.Contains(t, out, problem)
	}
	p.serve = append(whole, "--page", "127.0.0.1:0", "--page-cert", p.path("page.pem"), "--page-key", p.path("page.key"))
	p.process = p.start(t)
	said, err := os.ReadFile(p.path("out"))
	require.NoError(t, err)
	address := regexp.MustCompile(`serving the page https://127-0-0-1.example at (\S+)`).FindSubmatch(said)
	require.NotNil(t, address, "%s", said)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "127.0.0.1"},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, string(address[1]))
		},
	}}
	defer client.CloseIdleConnections()
	get := func(url string) (int, string) {
		resp, err := client.Get(url)
		require.NoError(t, err)
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
		return resp.StatusCode, string(body)
	}
	status, body := get("https://127-0-0-1.example/")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, body, "Nobody has asked for a grant.")
	status, _ = get("https://evil.example/")
	assert.Equal(t, http.StatusMisdirectedRequest, status)
}

// TestNoPageWithoutAnOrigin: the policy says from where approvers sign.
func TestNoPageWithoutAnOrigin(t *testing.T) {
	out, status := command(t, "", append(sealed(t).serve, "--page", "127.0.0.1:0")...)
	assert.Equal(t, 1, status)
	assert.Contains(t, out, "the policy has no page")
}
