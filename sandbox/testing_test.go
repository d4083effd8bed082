package sandbox

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct {
	*Sandbox
	client http.Client
}

// start opens a sandbox for a test. The test fails if it ends with violations
// that it did not take.
func start(t *testing.T, c Config) *started {
	t.Helper()
	s, err := Start(c)
	require.NoError(t, err)
	st := &started{Sandbox: s, client: http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}} // net/http repeats a GET on a reused connection that died
	t.Cleanup(func() {
		st.client.CloseIdleConnections()
		s.Close()
		require.Empty(t, s.Violations())
	})
	return st
}

// takeViolations returns the problems of the violations so far and forgets
// them.
func (s *started) takeViolations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var problems []string
	for _, v := range s.violations {
		problems = append(problems, v.Problem)
	}
	s.violations = nil
	return problems
}

// answer is what a service said.
type answer struct {
	Status int
	Header http.Header
	Raw    []byte
	JSON   any // numbers are json.Number
}

// at walks into the answer: at("error", "code"), at("events", 0, "type").
func (a answer) at(path ...any) any {
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

// text is at as a string, numbers as they were written.
func (a answer) text(path ...any) string {
	switch v := a.at(path...).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// credential is the header that a service's requests carry.
func (s *started) credential(service Service) (name, value string) {
	key := s.APIKey(service)
	switch service {
	case SmartAccount, SocialSearch, Webhooks:
		return "Authorization", "Bearer " + key
	case OnchainData:
		return "X-Demo-Api-Key", key
	case AMM:
		return "", ""
	}
	return "X-Api-Key", key
}

// do sends a request with the service's credential. The path is the one behind
// URL(service); a nil body is none, a string is sent as it is. Headers are
// name, value, ...; an empty value takes the header away.
func (s *started) do(t *testing.T, service Service, method, path string, body any, headers ...string) answer {
	t.Helper()
	return s.doAt(t, s.URL(service), service, method, path, body, headers...)
}

func (s *started) doAt(t *testing.T, base string, service Service, method, path string, body any, headers ...string) answer {
	t.Helper()
	a, err := s.try(t, base, service, method, path, body, headers...)
	require.NoError(t, err)
	return a
}

// try is doAt for requests that may fail on the way.
func (s *started) try(t *testing.T, base string, service Service, method, path string, body any, headers ...string) (answer, error) {
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
	response, err := s.client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{Status: response.StatusCode}, err
	}
	a := answer{Status: response.StatusCode, Header: response.Header, Raw: raw}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&a.JSON) != nil {
		a.JSON = nil
	}
	return a, nil
}

// sign fills the slot of a key in an encoded transaction and returns its bytes.
func sign(t *testing.T, encoded string, key ed25519.PrivateKey) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		raw, err = base58.Decode(encoded)
	}
	require.NoError(t, err)
	tx, err := solana.TransactionFromBytes(raw)
	require.NoError(t, err)
	_, err = tx.PartialSign(func(k solana.PublicKey) *solana.PrivateKey {
		if k == publicKey(key) {
			return new(solana.PrivateKey(key))
		}
		return nil
	})
	require.NoError(t, err)
	signed, err := tx.MarshalBinary()
	require.NoError(t, err)
	return signed
}

// signAndSubmit signs a built transaction with the funded wallet and executes
// it, past any relay.
func (s *started) signAndSubmit(t *testing.T, encoded string) *ledger.Receipt {
	t.Helper()
	return s.signAndSubmitAs(t, encoded, s.Wallet())
}

func (s *started) signAndSubmitAs(t *testing.T, encoded string, key ed25519.PrivateKey) *ledger.Receipt {
	t.Helper()
	raw := sign(t, encoded, key)
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.submit(raw)
	require.NoError(t, err)
	return r
}
