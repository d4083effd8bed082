package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

func TestDemo(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out))
	require.Equal(t, 3, strings.Count(out.String(), "ETH_MAINNET block 21000001: "), out.String())
	require.Contains(t, out.String(), "aa sent 1500000000000000000 wei to 0x00000000000000000000000000000000000000bb, 0 logs")
	require.Contains(t, out.String(), "sent 20 wei to "+treasury+", 1 logs")
	require.Contains(t, out.String(), "deleted; 0 webhooks left")
}

// TestProcess: the receiver by its flags, and the files that it leaves.
func TestProcess(t *testing.T) {
	t.Setenv("WEBHOOK_SECRET", "whsec_env")
	path := filepath.Join(t.TempDir(), "seen.jsonl")
	for _, secret := range []string{"", "whsec_flag"} {
		ctx, stop := context.WithCancel(t.Context())
		reader, writer := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			err := run(ctx, []string{"-listen", "127.0.0.1:0", "-store", path, "-secret", secret}, writer)
			writer.CloseWithError(io.EOF)
			ended <- err
		}()
		lines := bufio.NewScanner(reader)
		require.True(t, lines.Scan())
		address, ok := strings.CutPrefix(lines.Text(), "listening on ")
		require.True(t, ok)
		signer := webhooks.DeliverySigner{Secret: walletfi.NewSecret(map[bool]string{true: "whsec_env", false: secret}[secret == ""])}
		const signature = "2wUGzJWZkY8k9CA2nQ759oK7u8g9BWNnxrrwp5W3KA2uT5KPy8T9MDdEs1eAFJSsQsrw6ViJjNsQQvG1iWpHSVhV"
		body := `{"webhookId":"wh_1","network":"SOLANA_MAINNET","slot":5,"timestamp":1,"transactions":[{"signature":"` + signature +
			`","meta":{"fee":7,"preBalances":[7],"postBalances":[0],"err":{}},"transaction":{"message":{"accountKeys":[],"instructions":[]},"signatures":[]}}]}`
		statuses := make(chan int, 1)
		go func() {
			defer close(statuses)
			resp, err := http.DefaultClient.Do(signer.Request("http://"+address, []byte(body)))
			if err == nil {
				resp.Body.Close()
				statuses <- resp.StatusCode
			}
		}()
		if secret == "" { // the second process knows it already
			require.True(t, lines.Scan())
			require.Equal(t, "wh_1: SOLANA_MAINNET slot 5: "+signature+", fee 7 lamports, failed true", lines.Text())
		}
		require.Equal(t, 200, <-statuses)
		stop()
		require.False(t, lines.Scan())
		require.NoError(t, <-ended)
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, bytes.Count(text, []byte("\n")))
}

func TestProcessRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.jsonl")
	t.Setenv("WEBHOOK_SECRET", "")
	require.ErrorContains(t, run(t.Context(), []string{"-listen", "127.0.0.1:0", "-store", path}, io.Discard), "secret")
	require.Error(t, run(t.Context(), []string{"-listen", "nowhere", "-store", path, "-secret", "s"}, io.Discard))
	require.Error(t, run(t.Context(), []string{"-listen", "127.0.0.1:0", "-store", filepath.Join(path, "x", "y"), "-secret", "s"}, io.Discard))
}

func TestDeadLetters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dead.jsonl")
	bury := deadLetters(path)
	for range 2 {
		require.NoError(t, bury(t.Context(), webhooks.ParseDelivery([]byte(`[1]`)), errors.New("the reason")))
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	line := `{"body":"[1]","cause":"the reason","key":"//` + "080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22" + `"}` + "\n"
	require.Equal(t, line+line, string(text))
	require.Error(t, deadLetters(t.TempDir())(t.Context(), webhooks.ParseDelivery(nil), errors.New("x")))
}

func TestPrinterTellsOfFailure(t *testing.T) {
	closed, err := os.Open(os.DevNull)
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	require.ErrorIs(t, printer(closed)(t.Context(), webhooks.ParseDelivery([]byte(`{}`))), os.ErrClosed)
}
