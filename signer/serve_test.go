package signer_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// served is a signer on a Unix socket whose client, or admin, is this process's user.
func served(t *testing.T, admin bool) (*rig, string) {
	r := newRig(t, 2, func(cfg *signer.Config) {
		uid, text := strconv.Itoa(os.Getuid()), policyText()
		if admin {
			text = strings.Replace(text, "admins = [0]", "admins = ["+uid+"]", 1)
		} else {
			text = forThisUser(text)
		}
		policy, err := signer.ParsePolicy([]byte(text))
		require.NoError(t, err)
		cfg.Policy = policy
	})
	socket := filepath.Join(t.TempDir(), "s")
	r.serve(t, socket)
	return r, socket
}

// forThisUser makes this process's user the client "trader".
func forThisUser(text string) string {
	text = strings.Replace(text, "admins = [0]", "admins = [77]", 1)
	return strings.Replace(text, "uid = 1000", "uid = "+strconv.Itoa(os.Getuid()), 1)
}

// serve serves on a socket until the test ends.
func (r *rig) serve(t *testing.T, socket string) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.ServeUnix(ctx, socket) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	require.Eventually(t, func() bool {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, 5e9, 1e6)
}

func TestClient(t *testing.T) {
	r, socket := served(t, false)
	c, err := client.Dial(t.Context(), socket, "")
	require.NoError(t, err)
	defer c.Close()
	assert.Equal(t, owner, c.PublicKey())
	_, err = c.Sign(t.Context(), []byte("x"))
	require.ErrorIs(t, err, client.ErrBytes)

	q := r.pay(payee, 1000)
	txs, _, err := signing.NewGuard(signing.Policy{}).SignSet(t.Context(), q.Unsigned, c)
	require.NoError(t, err)
	assert.True(t, txs[0].Signature().Verify(owner, txs[0].Message()))

	_, err = c.SignSet(t.Context(), r.pay(thief, 1000))
	require.ErrorIs(t, err, signing.ErrRefused)
	require.ErrorContains(t, err, signer.CodePayee)
	decision, err := c.Judge(t.Context(), r.pay(payee, 1000))
	require.NoError(t, err)
	assert.Contains(t, string(decision), `"amount":"6000"`)
	for range 2 {
		r.signed(r.pay(payee, 2e9-baseFee))
	}
	_, err = c.SignSet(t.Context(), r.pay(payee, 1e9))
	require.ErrorIs(t, err, signing.ErrWaits)

	var health signer.Health
	require.NoError(t, c.Get(t.Context(), protocol.PathHealth, &health))
	assert.Equal(t, signer.ModeOpen, health.Mode)
	assert.Equal(t, 3, health.Open)
	for _, path := range []string{protocol.PathLedger, protocol.PathLog} {
		require.ErrorContains(t, c.Get(t.Context(), path, nil), "may not ask "+path)
	}
	_, err = c.Freeze(t.Context(), "", "mine")
	require.ErrorContains(t, err, "may not ask")
	require.ErrorContains(t, c.Thaw(t.Context(), "mine"), "may not ask")
	_, err = client.Dial(t.Context(), socket, "nobody")
	require.ErrorContains(t, err, `no owner "nobody"`)
	require.ErrorContains(t, r.ServeUnix(t.Context(), socket), "another process serves")
}

func TestAdmin(t *testing.T) {
	r, socket := served(t, true)
	r.signed(r.pay(payee, 1000))
	c, err := client.Dial(t.Context(), socket, "bot")
	require.NoError(t, err)
	defer c.Close()
	_, err = c.SignSet(t.Context(), r.pay(payee, 1000))
	require.ErrorContains(t, err, "may not ask", "an admin is no client")
	live, err := c.Freeze(t.Context(), "", "drill")
	require.NoError(t, err)
	var open []signer.OpenMessage
	require.NoError(t, json.Unmarshal(live, &open))
	assert.Len(t, open, 1, "what can still land is told")
	r.refused("trader", r.pay(payee, 1000), signer.CodeFrozen)
	require.NoError(t, c.Thaw(t.Context(), "over"))
	_, err = c.Freeze(t.Context(), "open", "a trick")
	require.Error(t, err)
	r.signed(r.pay(payee, 1000))
	var used []signer.Used
	require.NoError(t, c.Get(t.Context(), protocol.PathLedger, &used))
	require.Len(t, used, 1)
	assert.Equal(t, int64(12_000), used[0].Open)
	for range 250 {
		require.NoError(t, c.Thaw(t.Context(), "fill two pages"))
	}
	seqs := []int64{}
	require.NoError(t, c.Log(t.Context(), func(text json.RawMessage) error {
		var e signer.Entry
		seqs = append(seqs, int64(len(seqs))+1)
		err := json.Unmarshal(text, &e)
		assert.Equal(t, seqs[len(seqs)-1], e.Seq)
		return err
	}))
	health, err := r.Health(t.Context())
	require.NoError(t, err)
	assert.Len(t, seqs, int(health.Entries))
	require.ErrorContains(t, c.Get(t.Context(), protocol.PathLog+"?after=x", nil), "not the number of an entry")
}

// TestTheProtocolIsStrict: other versions and bodies are refused in words.
func TestTheProtocolIsStrict(t *testing.T) {
	r, socket := served(t, false)
	web := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	defer web.CloseIdleConnections()
	set, err := json.Marshal(r.pay(payee, 1).Unsigned)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		method, path, version, body string
		status                      int
		text                        string
	}{
		"whole":             {"POST", protocol.PathSign, "1", `{"unsigned":` + string(set) + `,"first":0,"count":1}`, 200, "signatures"},
		"another version":   {"POST", protocol.PathSign, "2", "{}", 426, "speaks version 1"},
		"no version":        {"GET", protocol.PathHealth, "", "", 426, "speaks version 1"},
		"an unknown path":   {"GET", "/v2/sign", "1", "", 404, "there is no GET /v2/sign"},
		"another method":    {"GET", protocol.PathSign, "1", "", 404, "there is no GET /v1/sign"},
		"no JSON":           {"POST", protocol.PathSign, "1", "{", 400, "the body"},
		"an unknown member": {"POST", protocol.PathSign, "1", `{"unsigned":` + string(set) + `,"first":0,"count":1,"bytes":"x"}`, 400, "bytes"},
		"a member twice":    {"POST", protocol.PathSign, "1", `{"unsigned":` + string(set) + `,"first":0,"count":1,"count":1}`, 400, "count"},
		"no set":            {"POST", protocol.PathSign, "1", `{"first":0,"count":1}`, 400, "no unsigned"},
		"a large body":      {"POST", protocol.PathSign, "1", strings.Repeat(" ", protocol.MaxBody+1), 413, "more than"},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), c.method, "http://signer"+c.path, strings.NewReader(c.body))
			require.NoError(t, err)
			req.Header.Set(protocol.Header, c.version)
			answer, err := web.Do(req)
			require.NoError(t, err)
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			require.NoError(t, err)
			assert.Equal(t, c.status, answer.StatusCode, string(text))
			assert.Contains(t, string(text), c.text)
		})
	}
}

// TestConnectionsAreCounted: a user who opens many keeps the others' places free.
func TestConnectionsAreCounted(t *testing.T) {
	_, socket := served(t, false)
	var held []net.Conn
	for range signer.MaxConnections + 10 {
		conn, err := net.Dial("unix", socket)
		require.NoError(t, err)
		held = append(held, conn)
	}
	until := time.Now().Add(2 * time.Second) // sooner than a header has to come
	var closed atomic.Int32
	var reads sync.WaitGroup
	for _, conn := range held {
		require.NoError(t, conn.SetReadDeadline(until))
		reads.Go(func() {
			if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) { // an end, or a reset
				closed.Add(1)
			}
		})
	}
	reads.Wait()
	// The one that saw that the signer serves may have had a place still.
	assert.Contains(t, []int32{10, 11}, closed.Load())
	for _, conn := range held {
		require.NoError(t, conn.Close())
	}
	require.Eventually(t, func() bool {
		c, err := client.Dial(t.Context(), socket, "")
		if err == nil {
			c.Close()
		}
		return err == nil
	}, 5*time.Second, 10*time.Millisecond)
}
