package webhooks_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/webhooks"
)

func TestStatuses(t *testing.T) {
	large := []byte(`{"a":"` + strings.Repeat("x", 2000) + `"}`)
	for name, row := range map[string]struct {
		request func() *http.Request
		want    int
		runs    int
	}{
		"valid":           {func() *http.Request { return signer.Request(destination, evmBody) }, 200, 1},
		"stale":           {func() *http.Request { return signer.Stale(destination, evmBody) }, 401, 0},
		"ahead":           {func() *http.Request { return signer.RequestAt(destination, evmBody, today.Add(time.Hour)) }, 401, 0},
		"tampered":        {func() *http.Request { return signer.Tampered(destination, evmBody) }, 401, 0},
		"tampered, empty": {func() *http.Request { return signer.Tampered(destination, nil) }, 401, 0},
		"unsigned": {func() *http.Request {
			req := signer.Request(destination, evmBody)
			req.Header.Del(webhooks.HeaderSignature)
			return req
		}, 401, 0},
		"another's secret": {func() *http.Request {
			return webhooks.DeliverySigner{Secret: walletfi.NewSecret("x"), Now: fixed}.Request(destination, evmBody)
		}, 401, 0},
		"not JSON, signed": {func() *http.Request { return signer.Request(destination, []byte(`"text"`)) }, 200, 1},
		"empty, signed":    {func() *http.Request { return signer.Request(destination, nil) }, 200, 1},
		"too large":        {func() *http.Request { return signer.Request(destination, large) }, 413, 0},
		"too large, of no known length": {func() *http.Request {
			req := signer.Request(destination, large)
			req.ContentLength = -1
			return req
		}, 413, 0},
		"GET": {func() *http.Request {
			req := signer.Request(destination, evmBody)
			req.Method = http.MethodGet
			return req
		}, 405, 0},
		"an array":           {func() *http.Request { return signer.Request(destination, []byte(`[1]`)) }, 200, 1},
		"unknown envelope":   {func() *http.Request { return signer.Request(destination, []byte(`{"b":1}`)) }, 200, 1},
		"not understood":     {func() *http.Request { return signer.Request(destination, []byte(`{"slot":{}}`)) }, 200, 1},
		"zipped":             {func() *http.Request { return zipped(evmBody, "gzip") }, 200, 1},
		"zipped, in capital": {func() *http.Request { return zipped(evmBody, "GZIP") }, 200, 1},
		"zipped, too large":  {func() *http.Request { return zipped(large, "gzip") }, 413, 0},
		"zipped, broken": {func() *http.Request {
			req := signer.Request(destination, evmBody)
			req.Header.Set("Content-Encoding", "gzip")
			return req
		}, 400, 0},
		"zipped, cut": {func() *http.Request {
			req := zipped(evmBody, "gzip")
			whole, _ := io.ReadAll(req.Body)
			req.Body = io.NopCloser(bytes.NewReader(whole[:len(whole)-9]))
			return req
		}, 400, 0},
		"zipped, nothing": {func() *http.Request {
			req := zipped(evmBody, "gzip")
			req.Body = http.NoBody
			return req
		}, 400, 0},
		"zipped, unsigned": {func() *http.Request {
			req := zipped(evmBody, "gzip")
			req.Header.Del(webhooks.HeaderNonce)
			req.Body = io.NopCloser(&endless{t: t})
			return req
		}, 401, 0},
		"identity":            {func() *http.Request { return encoded(evmBody, "identity") }, 200, 1},
		"an unknown encoding": {func() *http.Request { return encoded(evmBody, "br") }, 400, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Verifier.MaxBody = 1000 })
			require.Equal(t, row.want, r.gets(row.request()))
			require.Equal(t, row.runs, r.ran())
			require.Equal(t, row.runs, r.seen.committed())
		})
	}
}

func encoded(body []byte, encoding string) *http.Request {
	req := signer.Request(destination, body)
	req.Header.Set("Content-Encoding", encoding)
	return req
}

// zipped is signed over the text and sent compressed.
func zipped(body []byte, encoding string) *http.Request {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(body)
	w.Close()
	req := encoded(body, encoding)
	req.Body, req.ContentLength = io.NopCloser(&b), int64(b.Len())
	return req
}

// TestBomb: little on the wire, much in memory.
func TestBomb(t *testing.T) {
	r := newRig(t, nil)
	body := append([]byte(`{"a":"`), bytes.Repeat([]byte{'0'}, webhooks.DefaultMaxBody)...)
	req := zipped(body, "gzip")
	require.Less(t, req.ContentLength, int64(100_000))
	require.Equal(t, 413, r.gets(req))
	require.Zero(t, r.ran())
}

// TestWhatDoesNotCompress: a body within the bound may be larger on the wire.
func TestWhatDoesNotCompress(t *testing.T) {
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Verifier.MaxBody = int64(len(evmBody)) })
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	require.NoError(t, err)
	w.Write(evmBody)
	w.Close()
	req := encoded(evmBody, "gzip")
	req.Body, req.ContentLength = io.NopCloser(&b), int64(b.Len())
	require.Greater(t, req.ContentLength, int64(len(evmBody)))
	require.Equal(t, 200, r.gets(req))
}

func TestOverTheNetwork(t *testing.T) {
	r := newRig(t, nil)
	server := httptest.NewServer(r)
	defer server.Close()
	req := signer.Request(server.URL, evmBody)
	for range 2 {
		resp, err := server.Client().Do(signer.Replayed(req))
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, 200, resp.StatusCode)
		require.Empty(t, body)
	}
	require.Equal(t, 1, r.ran(), "a replay is answered and not handled")
	d := r.runs[0]
	require.Equal(t, "0x"+strings.Repeat("0", 62)+"b1", d.EVM.BlockHash)
	require.Equal(t, string(evmBody), d.Raw.String())
	resp, err := server.Client().Get(server.URL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 405, resp.StatusCode)
	require.Equal(t, "POST", resp.Header.Get("Allow"))
}

// TestSignedAnew: a retry with another nonce and time is the same delivery.
func TestSignedAnew(t *testing.T) {
	r := newRig(t, nil)
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 200, r.gets(signer.RequestAt(destination, evmBody, today.Add(time.Minute))))
	require.Equal(t, 1, r.ran())
	other := bytes.Replace(evmBody, []byte(`b1"`), []byte(`b2"`), 1)
	require.Equal(t, 200, r.gets(signer.Request(destination, other)))
	require.Equal(t, 2, r.ran())
}

func TestDeployment(t *testing.T) {
	words := wiretest.Words{
		Headers: map[string]string{webhooks.HeaderSignature: "X-Acme-Signature", "x-webhook-nonce": "x-acme-nonce"},
		Keys:    map[string]string{"webhookId": "hookId", "slot": "slotNumber", "fee": "cost", "err": "failure"},
	}
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Deployment = words.Of("webhooks") })
	live := signer
	live.Deployment = words.Of("webhooks")
	body := []byte(strings.Replace(head, "webhookId", "hookId", 1) + `"slotNumber":5,"transactions":[` +
		ledgerTx(`"fee":1`, `"cost":7`, `"err":null`, `"failure":{"cost":1}`) + `]}`)
	req := live.Request(destination, body)
	require.NotEmpty(t, req.Header.Get("X-Acme-Signature"))
	require.NotEmpty(t, req.Header.Get("X-Acme-Nonce"))
	require.NotEmpty(t, req.Header.Get(webhooks.HeaderTimestamp))
	require.Equal(t, 200, r.gets(req))
	d := r.runs[0]
	require.Equal(t, "wh_1", d.WebhookID)
	require.Equal(t, webhooks.Number(5), d.Ledger.Slot)
	require.Equal(t, walletfi.Amount(7), d.Ledger.Transactions[0].Meta.Fee)
	require.Equal(t, `{"cost":1}`, d.Ledger.Transactions[0].Meta.Err.String(), "the ledger's own form")
	require.Equal(t, string(body), d.Raw.String())

	require.Equal(t, 401, r.gets(signer.Request(destination, body)), "under the neutral names")
	both := live.Tampered(destination, body)
	good := signer.Request(destination, body)
	both.Header.Set(webhooks.HeaderSignature, good.Header.Get(webhooks.HeaderSignature))
	both.Header.Set(webhooks.HeaderNonce, good.Header.Get(webhooks.HeaderNonce))
	require.Equal(t, 401, r.gets(both), "only the live names count")
}

func TestReceiverRefused(t *testing.T) {
	good := webhooks.ReceiverConfig{Verifier: *verifier(), Handler: (&rig{}).handle}
	for _, row := range map[string]struct {
		change func(*webhooks.ReceiverConfig)
		want   string
	}{
		"no handler":                 {func(c *webhooks.ReceiverConfig) { c.Handler = nil }, "handler"},
		"queue":                      {func(c *webhooks.ReceiverConfig) { c.Queue = -1 }, "queue"},
		"workers":                    {func(c *webhooks.ReceiverConfig) { c.Workers = -1 }, "workers"},
		"failures":                   {func(c *webhooks.ReceiverConfig) { c.MaxFailures = -1 }, "maxFailures"},
		"timeout":                    {func(c *webhooks.ReceiverConfig) { c.HandlerTimeout = -1 }, "handlerTimeout"},
		"remember":                   {func(c *webhooks.ReceiverConfig) { c.Remember = -1 }, "remember"},
		"wait":                       {func(c *webhooks.ReceiverConfig) { c.RetryWait = -1 }, "retryWait"},
		"a queue and no dead letter": {func(c *webhooks.ReceiverConfig) { c.Queue = 1 }, "deadLetter"},
		"an inbox and a queue": {func(c *webhooks.ReceiverConfig) {
			c.Inbox, c.Queue = &webhooks.MemoryInbox{}, 1
		}, "inbox"},
		"an inbox and a dead letter": {func(c *webhooks.ReceiverConfig) {
			c.Inbox, c.DeadLetter = &webhooks.MemoryInbox{}, (&rig{}).deadLetter
		}, "inbox"},
		"deployment": {func(c *webhooks.ReceiverConfig) {
			c.Deployment = wiretest.Words{Keys: map[string]string{"slot": "c", "network": "c"}}.Of("webhooks")
		}, "deployment.services.webhooks.keys.slot"},
		"a name that nobody documents": {func(c *webhooks.ReceiverConfig) {
			c.Deployment = &deployment.Deployment{Services: map[string]deployment.Service{"webhooks": {Headers: map[string]string{"X-Nowhere": "X-Acme"}}}}
		}, "deployment.services.webhooks.headers.X-Nowhere"},
		"a name that is none": {func(c *webhooks.ReceiverConfig) {
			c.Deployment = &deployment.Deployment{Services: map[string]deployment.Service{"webhooks": {Headers: map[string]string{webhooks.HeaderNonce: "a b"}}}}
		}, "deployment.services.webhooks.headers.X-Webhook-Nonce"},
		"another service's name": {func(c *webhooks.ReceiverConfig) {
			c.Deployment = &deployment.Deployment{Services: map[string]deployment.Service{"webhook": {}}}
		}, "deployment.services"},
	} {
		cfg := good
		row.change(&cfg)
		_, err := webhooks.NewReceiver(cfg)
		wiretest.Refused(t, err, row.want)
	}
}

// TestConfigIsCopied: a rotation by the caller's hand changes nothing.
func TestConfigIsCopied(t *testing.T) {
	secrets := []walletfi.Secret{secret}
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Verifier.Secrets = secrets })
	secrets[0] = walletfi.NewSecret("other")
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
}

// TestLog: a line a refusal or failure, and nothing of header or body in it.
func TestLog(t *testing.T) {
	var log bytes.Buffer
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Empty(t, log.String())
	tampered := signer.Tampered(destination, []byte(`{"secret":"canary"}`))
	require.Equal(t, 401, r.gets(tampered))
	require.Equal(t, 200, r.gets(signer.Request(destination, []byte(`{"slot":{},"webhookId":"wh_9","canary":1}`))))
	r.handler = func(context.Context, *webhooks.Delivery) error { return errDown }
	require.Equal(t, 500, r.gets(signer.Request(destination, []byte(`{"webhookId":"wh_8","canary":2}`))))
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 3)
	for _, line := range lines {
		require.Contains(t, line, "level=WARN ")
	}
	for i, want := range []string{"delivery refused", "delivery not understood", "delivery not handled"} {
		require.Contains(t, lines[i], want)
	}
	require.Contains(t, lines[1], "wh_9/")
	require.Contains(t, lines[2], "the database is down")
	for _, hidden := range []string{"canary", secret.Reveal(), tampered.Header.Get(webhooks.HeaderSignature), tampered.Header.Get(webhooks.HeaderNonce)} {
		require.NotContains(t, log.String(), hidden)
	}
}

// TestKey: the caller says what a duplicate is; an empty key leaves it to the body.
func TestKey(t *testing.T) {
	again := []byte(strings.Replace(string(evmBody), `"transactions":[]`, `"transactions":[],"attempt":2`, 1))
	for name, row := range map[string]struct {
		key  func(*webhooks.Delivery) string
		runs int
	}{
		"none": {nil, 2},
		"block": {func(d *webhooks.Delivery) string {
			return d.WebhookID + "/" + strconv.FormatUint(uint64(d.EVM.BlockNumber), 10)
		}, 1},
		"empty": {func(*webhooks.Delivery) string { return "" }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(_ *rig, cfg *webhooks.ReceiverConfig) { cfg.Key = row.key })
			for _, body := range [][]byte{evmBody, again, evmBody} {
				w := httptest.NewRecorder()
				r.ServeHTTP(w, signer.Request(destination, body))
				require.Equal(t, http.StatusOK, w.Code)
			}
			require.Len(t, r.runs, row.runs)
			if name == "block" {
				require.Equal(t, "wh_1/7", r.runs[0].Key())
			}
		})
	}
}

// TestBoundOnTheWire: a compressed body may be larger than the plain one is allowed to
// be, by a thousandth and a KiB, and no more, whatever it decompresses to.
func TestBoundOnTheWire(t *testing.T) {
	const most = 4096
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Verifier.MaxBody = most })
	for size, want := range map[int]int{most + 4 + 1024: 200, most + 4 + 1025: 413} {
		for _, announced := range []bool{true, false} {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Extra = make([]byte, size-int(zipped(evmBody, "gzip").ContentLength)-2) // after two bytes of its length
			w.Write(evmBody)
			w.Close()
			require.Equal(t, size, b.Len())
			req := encoded(evmBody, "gzip")
			req.Body, req.ContentLength = io.NopCloser(&b), -1
			if announced {
				req.ContentLength = int64(size)
			}
			require.Equal(t, want, r.gets(req), "%d, announced: %v", size, announced)
		}
	}
}

// TestBoundOfEverything: the largest bound is one.
func TestBoundOfEverything(t *testing.T) {
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Verifier.MaxBody = math.MaxInt64 })
	require.Equal(t, 200, r.gets(zipped(evmBody, "gzip")))
	require.Equal(t, 200, r.gets(signer.Request(destination, []byte(`{}`))))
}
