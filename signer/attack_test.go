package signer_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/protocol"
)

// raw sends bytes on a connection of their own and reads the answer, nil if there is none.
func raw(t *testing.T, socket, text string, half bool) (*http.Response, string) {
	conn, err := net.Dial("unix", socket)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
	_, err = io.WriteString(conn, text)
	require.NoError(t, err)
	if half {
		require.NoError(t, conn.(*net.UnixConn).CloseWrite())
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, ""
	}
	body, _ := io.ReadAll(answer.Body)
	return answer, string(body)
}

// TestHostileBytes: whatever a client writes to the socket, nothing is signed or counted that is
// not one whole request, and others are served all the while.
func TestHostileBytes(t *testing.T) {
	r, socket := served(t, false)
	set, err := json.Marshal(r.pay(payee, 1).Unsigned)
	require.NoError(t, err)
	whole := `{"unsigned":` + string(set) + `,"first":0,"count":1}`
	with := func(old, new string) string {
		text := strings.Replace(whole, old, new, 1)
		require.NotEqual(t, whole, text, old)
		return text
	}
	post := func(body string, headers ...string) string {
		return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: signer\r\n%s: %s\r\n%s\r\n%s", protocol.PathSign, protocol.Header,
			protocol.Version, strings.Join(append(headers, fmt.Sprintf("Content-Length: %d\r\n", len(body))), "\r\n"), body)
	}
	for name, text := range map[string]string{
		"an owner twice":              post(with(`"owner":`, `"owner":"x","owner":`)),
		"an owner in another case":    post(with(`"owner":`, `"Owner":"x","owner":`)),
		"an intent twice":             post(with(`"intent":`, `"intent":{},"intent":`)),
		"an unknown member within":    post(with(`"owner":`, `"owners":[],"owner":`)),
		"a count that is no number":   post(with(`"count":1`, `"count":"1"`)),
		"a count beyond 64 bits":      post(with(`"count":1`, `"count":99999999999999999999`)),
		"more than a body":            post(whole + `{}`),
		"deep":                        post(strings.Repeat(`[`, 100_000)),
		"no set":                      post(`null`),
		"a list":                      post(`[` + whole + `]`),
		"a byte that is no text":      post(with(`"first"`, "\"fir\xffst\"")),
		"two versions":                post(whole, protocol.Header+": 2"),
		"two lengths":                 post(whole, "Content-Length: 3"),
		"a length and chunks":         post(whole, "Transfer-Encoding: chunked"),
		"headers without an end":      "POST " + protocol.PathSign + " HTTP/1.1\r\n" + strings.Repeat("X: y\r\n", 10_000),
		"a path that climbs":          "GET /v1/../v1/log HTTP/1.1\r\nHost: s\r\n" + protocol.Header + ": 1\r\n\r\n",
		"a host and a scheme":         "GET http://other/v1/log HTTP/1.1\r\nHost: s\r\n" + protocol.Header + ": 1\r\n\r\n",
		"no HTTP":                     "\x16\x03\x01\x00\x00",
		"HTTP/2 with prior knowledge": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			half := strings.Contains(text, "chunked") || !strings.Contains(text, "\r\n\r\n")
			if answer, body := raw(t, socket, text, half); answer != nil {
				assert.GreaterOrEqual(t, answer.StatusCode, 300, body)
				assert.NotContains(t, body, "signatures")
			}
		})
	}
	for _, part := range []int{0, 1, len(whole) / 2, len(whole) - 1} {
		text := post(whole)
		answer, body := raw(t, socket, text[:len(text)-len(whole)+part], true)
		require.NotNil(t, answer, part)
		assert.Equal(t, http.StatusRequestEntityTooLarge, answer.StatusCode, body)
	}
	assert.Equal(t, int64(5*sol), r.left(), "nothing was counted")
	answer, body := raw(t, socket, post(whole), false)
	require.Equal(t, http.StatusOK, answer.StatusCode, body)
}

// TestSlowBodies: who sends a byte now and then keeps nobody waiting.
func TestSlowBodies(t *testing.T) {
	r, socket := served(t, false)
	for range 20 {
		conn, err := net.Dial("unix", socket)
		require.NoError(t, err)
		defer conn.Close()
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: s\r\n%s: 1\r\nContent-Length: 1000\r\n\r\n{",
			protocol.PathSign, protocol.Header)
		require.NoError(t, err)
	}
	c, err := client.Dial(t.Context(), socket, "")
	require.NoError(t, err)
	defer c.Close()
	_, err = c.SignSet(t.Context(), r.pay(payee, 1000))
	require.NoError(t, err)
}
