package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

const theSecret = "whsec_never-print-this"

// delivery is a signed delivery as people capture it: headers and body.
func delivery(t *testing.T, body string) (headers string) {
	t.Helper()
	signer := webhooks.DeliverySigner{Secret: walletfi.NewSecret(theSecret)}
	return headersOf(signer.Request("https://example.com/hook", []byte(body)).Header)
}

func headersOf(header map[string][]string) string {
	var b strings.Builder
	b.WriteString("POST /hook HTTP/1.1\r\n")
	for name, values := range header {
		fmt.Fprintf(&b, "%s: %s\r\n", strings.ToLower(name), values[0])
	}
	return b.String() + "\r\n"
}

const (
	ledgerTx   = "2wUGzJWZkY8k9CA2nQ759oK7u8g9BWNnxrrwp5W3KA2uT5KPy8T9MDdEs1eAFJSsQsrw6ViJjNsQQvG1iWpHSVhV"
	ledgerBody = `{"webhookId":"w1","network":"SOLANA_MAINNET","timestamp":1767225600,"slot":7,"transactions":[{"signature":"` + ledgerTx + `","meta":{"fee":5000,"preBalances":[2],"postBalances":[1],"err":null},"transaction":{"message":{"accountKeys":["GvKfvMaJTdprEg9YCp5c1eGiPHA3uk5zraEvUbwi8wCy"],"instructions":[]},"signatures":["` + ledgerTx + `"]}}]}`
	evmBody    = `{"webhookId":"w2","network":"ETH_MAINNET","timestamp":1767225600,"blockNumber":9,"blockHash":"0x00000000000000000000000000000000000000000000000000000000000000ab","transactions":[{"hash":"0x00000000000000000000000000000000000000000000000000000000000000cd","from":"0x0000000000000000000000000000000000000001","to":"0x0000000000000000000000000000000000000002","value":"1","gas":"21000","gasPrice":"1","input":"0x","nonce":0,"logs":[]}]}`
)

func TestVerifyWebhook(t *testing.T) {
	for kind, row := range map[string]struct{ body, tx string }{"ledger": {ledgerBody, ledgerTx}, "evm": {evmBody, "0x00000000000000000000000000000000000000000000000000000000000000cd"}, "other": {`[{"x":"\u001b[2J"}]`, ""}} {
		t.Run(kind, func(t *testing.T) {
			headers, body, secret := file(t, delivery(t, row.body)), file(t, row.body), file(t, theSecret+"\n")
			got := call{}.run(t, "verify-webhook", body, "--headers", headers, "--secret-file", secret, "--json")
			require.Zero(t, got.status, got.err)
			require.Empty(t, got.err)
			var all verified
			require.NoError(t, json.Unmarshal([]byte(got.out), &all))
			require.True(t, all.Valid)
			require.Equal(t, kind, all.Kind)
			if row.tx != "" {
				require.Equal(t, []string{row.tx}, all.Transactions)
			}
			text := call{in: row.body, env: []string{secretVariable + "=" + theSecret}}.run(t, "verify-webhook", "--headers", headers)
			require.Zero(t, text.status, text.err)
			require.Contains(t, text.out, "The signature is valid")
			require.Contains(t, text.out, row.tx)
			require.NotContains(t, got.out+text.out, "never-print")
		})
	}
}

func TestVerifyWebhookText(t *testing.T) {
	signer := webhooks.DeliverySigner{Secret: walletfi.NewSecret(theSecret)}
	at := time.Unix(1767225600, 0)
	headers := file(t, headersOf(signer.RequestAt("https://example.com", []byte(ledgerBody), at).Header))
	got := call{in: ledgerBody}.run(t, "verify-webhook", "--headers", headers, "--secret-file", file(t, theSecret), "--at", "2026-01-01T01:00:00Z")
	require.Zero(t, got.status, got.err)
	golden(t, "verify-ledger.txt", got.out)
	old := call{in: ledgerBody}.run(t, "verify-webhook", "--headers", headers, "--secret-file", file(t, theSecret), "--at", "2026-01-01T04:00:00Z")
	old.fails(t, statusSignature, "--max-age")
	late := call{in: ledgerBody}.run(t, "verify-webhook", "--headers", headers, "--secret-file", file(t, theSecret), "--at", "2026-01-01T04:00:00Z", "--max-age", "5h")
	require.Zero(t, late.status, late.err)
}

func TestVerifyWebhookRefuses(t *testing.T) {
	headers := delivery(t, ledgerBody)
	for name, row := range map[string]struct {
		body, headers, secret string
		status                int
		says                  string
	}{
		"another body":      {ledgerBody + " ", headers, theSecret, statusSignature, "does not match"},
		"a prettier body":   {strings.ReplaceAll(ledgerBody, ",", ", "), headers, theSecret, statusSignature, "does not match"},
		"another secret":    {ledgerBody, headers, "other", statusSignature, "does not match"},
		"no headers":        {ledgerBody, "x: y\n", theSecret, statusMalformed, webhooks.HeaderNonce},
		"no header lines":   {ledgerBody, "hello\nworld\n", theSecret, statusMalformed, ":1: "},
		"two signatures":    {ledgerBody, headers + headers[strings.Index(headers, "\n")+1:], theSecret, statusMalformed, "each once"},
		"an empty body":     {"", headers, theSecret, statusMalformed, "empty"},
		"garbage signature": {ledgerBody, "X-Webhook-Signature: zz\nX-Webhook-Nonce: n\nX-Webhook-Timestamp: 1\n", theSecret, statusMalformed, "header"},
	} {
		t.Run(name, func(t *testing.T) {
			got := call{in: row.body}.run(t, "verify-webhook", "--headers", file(t, row.headers), "--secret-file", file(t, row.secret))
			got.fails(t, row.status, row.says)
			require.NotContains(t, got.err, "never-print")
		})
	}
	call{in: ledgerBody, env: []string{secretVariable + "=s"}}.run(t, "verify-webhook", "-H", "nonsense").fails(t, statusUsage, "--header")
}

func TestVerifyWebhookRotation(t *testing.T) {
	headers := file(t, delivery(t, evmBody))
	got := call{in: evmBody, env: []string{"OLD=" + theSecret}}.run(t, "verify-webhook", "--headers", headers, "--secret-file", file(t, "new"), "--secret-env", "OLD")
	require.Zero(t, got.status, got.err)
}

// TestSecrets: a secret that is missing, open to others, or not what it was meant to
// be is refused, and none is ever shown.
func TestSecrets(t *testing.T) {
	headers := file(t, delivery(t, ledgerBody))
	verify := func(t *testing.T, env []string, args ...string) result {
		t.Helper()
		return call{in: ledgerBody, env: env}.run(t, append([]string{"verify-webhook", "--headers", headers}, args...)...)
	}
	for name, row := range map[string]struct{ text, says string }{
		"empty": {"", "empty"}, "a line break alone": {"\n", "empty"}, "two lines": {theSecret + "\nother\n", "more than one line"},
		"a blank before": {" " + theSecret, "blank"}, "a blank after": {theSecret + " \n", "blank"}, "two breaks": {theSecret + "\n\n", "more than one line"},
		"bytes": {"\xff\xfe" + theSecret, "not text"}, "a zero byte": {theSecret + "\x00", "more than one line"}, "huge": {strings.Repeat(theSecret, 1000), "larger than 4096"},
	} {
		t.Run(name, func(t *testing.T) {
			got := verify(t, nil, "--secret-file", file(t, row.text))
			got.fails(t, statusSecret, row.says)
			require.NotContains(t, got.err, "never-print")
		})
	}
	for _, text := range []string{theSecret, theSecret + "\n", theSecret + "\r\n"} {
		require.Zero(t, verify(t, nil, "--secret-file", file(t, text)).status, "%q", text)
	}
	for _, mode := range []os.FileMode{0o640, 0o604, 0o644, 0o660, 0o666} {
		open := filepath.Join(t.TempDir(), "secret")
		require.NoError(t, os.WriteFile(open, []byte(theSecret), 0o600))
		require.NoError(t, os.Chmod(open, mode))
		verify(t, nil, "--secret-file", open).fails(t, statusSecret, "chmod 600")
	}
	verify(t, nil).fails(t, statusSecret, secretVariable, "is not set")
	verify(t, []string{secretVariable + "="}).fails(t, statusSecret, "empty")
	verify(t, nil, "--secret-file", "/nonexistent").fails(t, statusSecret, "/nonexistent")
	verify(t, nil, "--secret-env", "NOSUCH").fails(t, statusSecret, "NOSUCH")
	verify(t, nil, "--secret", theSecret).fails(t, statusUsage, "unknown flag")
}
