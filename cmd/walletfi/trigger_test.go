package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

var withSecret = call{env: []string{secretVariable + "=" + theSecret}}

// TestTrigger: each event is one that a Receiver takes and understands; what it must not take it refuses.
func TestTrigger(t *testing.T) {
	var kinds []string
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{walletfi.NewSecret(theSecret)}},
		Handler: func(_ context.Context, d *webhooks.Delivery) error {
			v := verifiedOf(d, "")
			kinds = append(kinds, v.Kind+" "+v.Network+v.Problem)
			return nil
		},
	})
	require.NoError(t, err)
	server := httptest.NewServer(receiver)
	defer server.Close()
	for _, event := range []string{"ledger", "evm"} {
		got := withSecret.run(t, "trigger", event, server.URL)
		require.Zero(t, got.status, got.err)
		require.Contains(t, got.out, "answered 200 in ")
		for _, bad := range []string{"--stale", "--tampered"} {
			got = withSecret.run(t, "trigger", event, server.URL, bad, "--json")
			require.Zero(t, got.status, got.err)
			require.Regexp(t, `"status": 4\d\d`, got.out)
		}
	}
	require.Zero(t, withSecret.run(t, "trigger", "evm", server.URL, "--network", "ETH_SEPOLIA").status)
	require.Zero(t, call{env: withSecret.env, in: `[1]`}.run(t, "trigger", "evm", server.URL, "--body", "-").status)
	require.Equal(t, []string{"ledger SOLANA_MAINNET", "evm ETH_MAINNET", "evm ETH_SEPOLIA", "other "}, kinds[:4])
	require.Len(t, kinds, 4)
}

// TestTriggerHostile: a receiver that takes all, one that redirects, one that never ends, and odd arguments.
func TestTriggerHostile(t *testing.T) {
	asked := 0
	var mode string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch mode {
		case "redirect":
			http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
		case "long":
			for range 1000 {
				if _, err := w.Write(bytes.Repeat([]byte("\x1b[2J"), 1000)); err != nil {
					return
				}
			}
		}
	}))
	defer server.Close()
	got := withSecret.run(t, "trigger", "evm", server.URL, "--tampered")
	require.Equal(t, statusDiffers, got.status)
	mode = "redirect"
	got = withSecret.run(t, "trigger", "evm", server.URL)
	require.Equal(t, statusDiffers, got.status)
	require.Contains(t, got.err, "307")
	mode = "long"
	got = withSecret.run(t, "trigger", "evm", server.URL)
	require.Zero(t, got.status)
	require.NotContains(t, got.out, "\x1b")
	require.Less(t, len(got.out), 20_000)
	require.Equal(t, 3, asked, "no redirect was followed")
	server.Close()
	withSecret.run(t, "trigger", "evm", server.URL).fails(t, statusNetwork, "refused")
	withSecret.run(t, "trigger", "ledgr", server.URL).fails(t, statusUsage, "do you mean ledger?")
	withSecret.run(t, "trigger", "evm").fails(t, statusUsage, "URL")
	withSecret.run(t, "trigger", "evm", "file:///etc/passwd").fails(t, statusUsage, "http")
	withSecret.run(t, "trigger", "evm", "http://u:hunter2@127.0.0.1/").fails(t, statusUsage, "others could see")
	command(t, "trigger", "evm", server.URL).fails(t, statusSecret, "--secret-file")
	withSecret.run(t, "trigger", "evm", server.URL, "--body", "/dev/zero").fails(t, statusMalformed, "larger than")
}

// TestListen forwards what is genuine, headers and bytes as they came, and nothing else.
func TestListen(t *testing.T) {
	type came struct {
		header http.Header
		body   string
	}
	passed := make(chan came, 10)
	program := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		passed <- came{r.Header.Clone(), string(body)}
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer program.Close()
	url, lines := listening(t, "--forward", program.URL, "--json")

	signer := webhooks.DeliverySigner{Secret: walletfi.NewSecret(theSecret)}
	odd := strings.Replace(ledgerBody, `"slot":7`, "\"slot\" :\t7", 1) // the bytes matter, not the JSON
	genuine := signer.Request(url, []byte(odd))
	genuine.Header.Set("X-Extra", "kept")
	answer, err := http.DefaultClient.Do(genuine)
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	require.Equal(t, "7", answer.Header.Get("Retry-After"))
	got := <-passed
	require.Equal(t, odd, got.body)
	for _, name := range []string{webhooks.HeaderSignature, webhooks.HeaderNonce, webhooks.HeaderTimestamp, "X-Extra"} {
		require.Equal(t, genuine.Header[name], got.header[name], name)
	}
	var said received
	require.NoError(t, json.Unmarshal([]byte(<-lines), &said))
	require.True(t, said.Valid)
	require.Equal(t, http.StatusServiceUnavailable, said.Forwarded)
	require.Equal(t, []string{ledgerTx}, said.Transactions)

	unsigned, err := http.NewRequest(http.MethodPost, url, strings.NewReader(ledgerBody))
	require.NoError(t, err)
	for name, bad := range map[string]*http.Request{
		"tampered": signer.Tampered(url, []byte(odd)), "stale": signer.Stale(url, []byte(odd)), "unsigned": unsigned,
		"huge": signer.Request(url, make([]byte, webhooks.DefaultMaxBody+1)),
	} {
		answer, err := http.DefaultClient.Do(bad)
		if err == nil { // of the huge one the connection may break while it is written
			answer.Body.Close()
			require.Equal(t, http.StatusUnauthorized, answer.StatusCode, name)
		} else {
			require.Equal(t, "huge", name)
		}
		var said received
		require.NoError(t, json.Unmarshal([]byte(<-lines), &said))
		require.False(t, said.Valid, name)
		require.NotEmpty(t, said.Refused, name)
	}
	answer, err = http.Get(url)
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, http.StatusMethodNotAllowed, answer.StatusCode)
	require.Empty(t, passed, "nothing else was forwarded")

	program.Close()
	answer, err = http.DefaultClient.Do(signer.Request(url, []byte(evmBody)))
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, http.StatusBadGateway, answer.StatusCode)
}

// listening starts listen. The lines after the address come on the channel.
func listening(t *testing.T, args ...string) (url string, lines chan string) {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"listen"}, args...)...)
	cmd.Env = withSecret.env
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	text := bufio.NewReader(out)
	first, err := text.ReadString('\n')
	require.NoError(t, err)
	var at struct{ URL string }
	require.NoError(t, json.Unmarshal([]byte(first), &at))
	lines = make(chan string, 20)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			line, err := text.ReadString('\n')
			if err != nil {
				return
			}
			lines <- line
		}
	}()
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		<-done
		require.NoError(t, cmd.Wait(), "an interrupt ends it with status 0")
	})
	return at.URL, lines
}

func TestListenMisuse(t *testing.T) {
	for _, args := range [][]string{
		{"--listen", "0.0.0.0:0"}, {"--listen", "8080"}, {"--forward", "http://192.0.2.1/"},
		{"--forward", "http://u:p@127.0.0.1/"}, {"--forward", "x"},
	} {
		withSecret.run(t, append([]string{"listen"}, args...)...).fails(t, statusUsage, args[0])
	}
	command(t, "listen").fails(t, statusSecret, "--secret-file")
	taken := httptest.NewServer(nil)
	defer taken.Close()
	withSecret.run(t, "listen", "--listen", taken.Listener.Addr().String()).fails(t, statusNetwork, "--listen takes another port")
}
