package worldtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Answer is the answer of a service.
type Answer struct {
	Status int
	Header http.Header
	Raw    []byte
	JSON   any // numbers are json.Number
}

// At walks into the answer: at("error", "code"), at("events", 0, "type").
func (a Answer) At(path ...any) any {
	v := a.JSON
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				return nil
			}
			v = m[p]
		case int:
			l, ok := v.([]any)
			if !ok || p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

// Text is at as a string, numbers as they were written.
func (a Answer) Text(path ...any) string {
	switch v := a.At(path...).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// credential is the header that a service's requests carry.
func (s *World) credential(service play.Service) (name, value string) {
	key := s.APIKey(service)
	switch service {
	case play.SmartAccount, play.SocialSearch, play.Webhooks:
		return "Authorization", "Bearer " + key
	case play.OnchainData:
		return "X-Demo-Api-Key", key
	case play.AMM:
		return "", ""
	}
	return "X-Api-Key", key
}

// Do sends a request with the service's credential. The path is the one after
// URL(service); nil sends no body, a string is sent as it is. Headers are
// name, value, ...; an empty value takes the header away.
func (s *World) Do(t *testing.T, service play.Service, method, path string, body any, headers ...string) Answer {
	t.Helper()
	return s.DoAt(t, s.URL(service), service, method, path, body, headers...)
}

// DoAt is Do on another base URL.
func (s *World) DoAt(
	t *testing.T, base string, service play.Service, method, path string, body any, headers ...string,
) Answer {
	t.Helper()
	a, err := s.Try(t, base, service, method, path, body, headers...)
	require.NoError(t, err)
	return a
}

// Try is doAt for requests that may fail on the way.
func (s *World) Try(
	t *testing.T, base string, service play.Service, method, path string, body any, headers ...string,
) (Answer, error) {
	t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		require.NoError(t, err)
		reader = bytes.NewReader(raw)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, base+path, reader)
	require.NoError(t, err)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if name, value := s.credential(service); name != "" {
		r.Header.Set(name, value)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	response, err := s.Client.Do(r)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{Status: response.StatusCode}, err
	}
	a := Answer{Status: response.StatusCode, Header: response.Header, Raw: raw}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&a.JSON) != nil {
		a.JSON = nil
	}
	return a, nil
}

// FeedDial connects, and hangs up with the test.
func FeedDial(t *testing.T, url string, header http.Header) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.DefaultDialer.DialContext(t.Context(), url, header)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(10*time.Second)))
	return conn
}

// FeedRead returns the next message.
func FeedRead(t *testing.T, conn *websocket.Conn) string {
	t.Helper()
	_, m, err := conn.ReadMessage()
	require.NoError(t, err)
	return string(m)
}

// FeedSay sends a message and reads its echo, after which the server has the
// connection in its list.
func FeedSay(t *testing.T, conn *websocket.Conn, text string) string {
	t.Helper()
	require.NoError(t, conn.WriteMessage(websocket.TextMessage, []byte(text)))
	return FeedRead(t, conn)
}
