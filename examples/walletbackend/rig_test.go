package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/sandbox"
)

// rig is a backend on a sandbox, both in this process.
type rig struct {
	box      *sandbox.Sandbox
	settings *settings.Settings
	backend  *backend
	signer   *testSigner
	data     string
	url      string
	password string
	log      *syncBuffer
	document *document
}

// syncBuffer is a log that several goroutines write.
type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *syncBuffer) contains(text string) bool { return strings.Contains(b.String(), text) }

// newRig starts a backend whose sandbox has no rate limits.
func newRig(t *testing.T, c sandbox.Config) *rig {
	t.Helper()
	return newRigWith(t, c, options{})
}

// newRigWith is newRig with some options, and changes of the signer's policy: see startSigner.
func newRigWith(t *testing.T, c sandbox.Config, o options, change ...string) *rig {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	c.NoLimits = true
	box, s, err := demo.Start(c, listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(box.Close)
	password, err := s.Secret(settings.DemoPassword)
	require.NoError(t, err)
	r := &rig{box: box, settings: s, data: t.TempDir(), url: "http://" + listener.Addr().String(), password: password.Reveal(), log: &syncBuffer{}}
	r.signer = startSigner(t, box, s, change...)
	o.data, o.demo, o.signer, o.template = r.data, true, r.signer.socket, demo.Template
	ctx, cancel := context.WithCancel(context.Background())
	r.backend, err = newBackend(ctx, o, s, slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	require.NoError(t, err)
	done := make(chan error)
	go func() { done <- serve(ctx, &http.Server{Handler: r.backend.handler}, listener) }()
	r.document = newDocument(t, r.url)
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
		r.backend.close()
	})
	return r
}

// user returns a user's record.
func (r *rig) user(t *testing.T, name string) store.User {
	t.Helper()
	u, err := r.backend.db.UserByName(t.Context(), name)
	require.NoError(t, err)
	return u
}

// caller is someone who uses the API.
type caller struct {
	*rig
	client *http.Client
	csrf   string
}

// signIn signs a user in.
func (r *rig) signIn(t *testing.T, name string) *caller {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	c := &caller{rig: r, client: &http.Client{Jar: jar, Timeout: 30 * time.Second, Transport: r.document}}
	var answer struct{ CSRF string }
	require.Equal(t, http.StatusOK, c.call(t, "POST", "/api/login", map[string]string{"name": name, "password": r.password}, &answer))
	require.NotEmpty(t, answer.CSRF)
	c.csrf = answer.CSRF
	return c
}

// call calls the API and returns the status. into may be nil.
func (c *caller) call(t *testing.T, method, path string, body, into any) int {
	t.Helper()
	status, text := c.raw(t, method, path, body)
	if into != nil {
		require.NoError(t, json.Unmarshal([]byte(text), into), text)
	}
	return status
}

// raw is call with the answer as text.
func (c *caller) raw(t *testing.T, method, path string, body any) (status int, answer string) {
	t.Helper()
	var reader io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		reader = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, c.url+path, reader)
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-CSRF-Token", c.csrf)
	response, err := c.client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

// payment is a payment as the API tells it.
type payment struct {
	ID, Title, State, Problem, Digest, ReplacedBy, Grant, Error string

	Report struct {
		Refusal *struct{ Rule string }
	}
	Result struct {
		Steps []struct{ Signature, State string }
	}
	Changes []struct{ Mint, Gained, Lost, Text string }
}

// prepare asks for a payment and expects it to be ready for review.
func (c *caller) prepare(t *testing.T, asked map[string]string) payment {
	t.Helper()
	var p payment
	status := c.call(t, "POST", "/api/payments", asked, &p)
	require.Equal(t, http.StatusCreated, status, p.Error)
	return p
}

func (c *caller) approve(t *testing.T, p payment) payment {
	t.Helper()
	var after payment
	status := c.call(t, "POST", "/api/payments/"+p.ID+"/approval", map[string]string{"digest": p.Digest}, &after)
	require.Equal(t, http.StatusAccepted, status, after.Error)
	return after
}

// await waits until a payment is in a state.
func (c *caller) await(t *testing.T, id, state string) (p payment) {
	t.Helper()
	require.Eventually(t, func() bool {
		p = payment{}
		return c.call(t, "GET", "/api/payments/"+id, nil, &p) == http.StatusOK && p.State == state
	}, 30*time.Second, 50*time.Millisecond, "the payment should be %s", state)
	return p
}

// swapOf is a swap of USDC for SOL.
func (r *rig) swapOf(amount string) map[string]string {
	return map[string]string{"kind": "swap", "service": "swap", "mint": r.box.Mint("USDC"), "to": walletfi.NativeMint, "amount": amount, "slippageBps": "50"}
}

// usdc is a user's balance, in smallest units.
func (r *rig) usdc(t *testing.T, name string) uint64 {
	t.Helper()
	return r.box.Ledger().TokenBalance(r.user(t, name).Address, r.box.Mint("USDC"))
}

// page returns a page's text.
func (c *caller) page(t *testing.T, path string) string {
	t.Helper()
	status, text := c.raw(t, "GET", path, nil)
	require.Equal(t, http.StatusOK, status)
	require.True(t, strings.HasPrefix(text, "<!doctype html>"), text)
	return text
}

// streams opens the stream of events and expects it to begin.
func (c *caller) streams(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "GET", c.url+"/api/events", nil)
	require.NoError(t, err)
	response, err := c.client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, "text/event-stream", response.Header.Get("Content-Type"))
	line, err := bufio.NewReader(response.Body).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "retry: 500\n", line)
}

const (
	waitMost  = 30 * time.Second
	waitEvery = 50 * time.Millisecond
)

func walletSecret(text string) walletfi.Secret { return walletfi.NewSecret(text) }

func mustURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	require.NoError(t, err)
	return u
}

// readAll reads the files of a folder whose names match.
func readAll(t *testing.T, folder, pattern string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, pattern))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var all strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}
