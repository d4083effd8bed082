package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing"
)

// scraped has all that a signer tells on its socket of metrics after a payment, a refusal and a freeze.
func scraped(t *testing.T) string {
	p := newAdministered(t)
	p.serve = append(p.serve, "--metrics", p.path("m"))
	process, c := p.begin(t)
	defer c.Close()
	_, err := c.SignSet(t.Context(), p.pay(t, 600_000_000))
	require.NoError(t, err)
	_, err = c.SignSet(t.Context(), p.pay(t, 1_200_000_000))
	require.ErrorIs(t, err, signing.ErrRefused)
	out, status := p.admin(t, "freeze", "--reason", "a look")
	require.Zero(t, status, out)
	info, err := os.Stat(p.path("m"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	web := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", p.path("m"))
	}}}
	defer web.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://signer/metrics", nil)
	require.NoError(t, err)
	answer, err := web.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode, string(text))
	require.NoError(t, process.Process.Signal(os.Interrupt))
	require.NoError(t, process.Wait())
	return string(text)
}

func TestMetrics(t *testing.T) {
	text := scraped(t)
	for _, line := range []string{
		`walletfi_signer_decisions_total{verdict="signed"} 1`, `walletfi_signer_decisions_total{verdict="ceiling.transaction"} 1`,
		`walletfi_signer_frozen{mode="frozen"} 1`, `walletfi_signer_frozen{mode="exit"} 0`,
		`walletfi_signer_open_messages 1`, `walletfi_signer_backend_requests_total 1`, `walletfi_signer_backend_up 1`,
		`walletfi_signer_window_used_ratio{mint="SOL",owner="bot",payee="",window="1h"} 0.200`,
		`walletfi_signer_open_debits{mint="SOL"} 6.00005e+08`, `walletfi_signer_approvals_waiting 0`,
		`walletfi_signer_certificate_not_after_seconds{certificate="signer"} `,
		`walletfi_signer_certificate_not_after_seconds{certificate="client desk"} `,
		`walletfi_signer_disk_free_bytes{file="store"} `, `walletfi_signer_heartbeat_limit_seconds 0`,
	} {
		assert.Contains(t, text, "\n"+line)
	}
}
