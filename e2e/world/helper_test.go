package world

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// inBubble runs a test with a world in virtual time.
func inBubble(t *testing.T, cfg Config, f func(t *testing.T, w *World)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := New(cfg)
		defer w.Close()
		f(t, w)
	})
}

// client calls an endpoint.
type client struct {
	t    testing.TB
	url  string
	http *http.Client
}

func newClient(t testing.TB, w *World, name string) *client {
	e := w.Endpoint(name)
	return &client{t, e.URL(), &http.Client{Transport: e.Direct(w.NewLine("test"))}}
}

// failure is an error of JSON-RPC.
type failure struct {
	Code    int
	Message string
	Data    json.RawMessage
}

func (f *failure) Error() string { return fmt.Sprintf("%d %s %s", f.Code, f.Message, f.Data) }

func (c *client) post(body string) (int, string) {
	c.t.Helper()
	resp, err := c.http.Post(c.url, "application/json", bytes.NewReader([]byte(body)))
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// try calls a method and decodes its result into out.
func (c *client) try(out any, method string, params ...any) error {
	c.t.Helper()
	if params == nil {
		params = []any{}
	}
	p, err := json.Marshal(params)
	if err != nil {
		c.t.Fatal(err)
	}
	_, body := c.post(`{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":` + string(p) + `}`)
	var answer struct {
		ID     int
		Result json.RawMessage
		Error  *failure
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		c.t.Fatalf("%s: %v in %s", method, err, body)
	}
	if answer.ID != 7 {
		c.t.Fatalf("%s: id %d in %s", method, answer.ID, body)
	}
	if answer.Error != nil {
		return answer.Error
	}
	if err := json.Unmarshal(answer.Result, out); err != nil {
		c.t.Fatalf("%s: %v in %s", method, err, body)
	}
	return nil
}

// call is try that fails the test on errors.
func (c *client) call(out any, method string, params ...any) {
	c.t.Helper()
	if err := c.try(out, method, params...); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// code returns the code of the error that a call fails with, or 0.
func (c *client) code(method string, params ...any) int {
	c.t.Helper()
	var f *failure
	err := c.try(new(json.RawMessage), method, params...)
	if err == nil {
		return 0
	}
	f = err.(*failure)
	return f.Code
}

type object = map[string]any

type latest struct {
	Context struct{ Slot uint64 }
	Value   struct {
		Blockhash            string
		LastValidBlockHeight uint64
	}
}

// blockhash reads the latest blockhash.
func (c *client) blockhash(level string) (Hash, latest) {
	c.t.Helper()
	var l latest
	c.call(&l, "getLatestBlockhash", object{"commitment": level})
	h, err := ParseHash(l.Value.Blockhash)
	if err != nil {
		c.t.Fatal(err)
	}
	return h, l
}

// send sends a transaction without a preflight.
func (c *client) send(raw []byte) Signature {
	c.t.Helper()
	var text string
	c.call(&text, "sendTransaction", base64.StdEncoding.EncodeToString(raw),
		object{"encoding": "base64", "skipPreflight": true, "maxRetries": 0})
	s, err := ParseSignature(text)
	if err != nil || s != signatureIn(raw) {
		c.t.Fatalf("sendTransaction answered %s", text)
	}
	return s
}

type status struct {
	Slot               uint64
	Confirmations      *uint64
	Err                any
	ConfirmationStatus string
}

type statuses struct {
	Context struct{ Slot uint64 }
	Value   []*status
}

// statuses asks for signatures, with history.
func (c *client) statuses(list ...Signature) statuses {
	c.t.Helper()
	var s statuses
	c.call(&s, "getSignatureStatuses", texts(list), object{"searchTransactionHistory": true})
	return s
}

func texts(list []Signature) []string {
	out := make([]string, 0, len(list))
	for _, s := range list {
		out = append(out, s.String())
	}
	return out
}

// sleepTo sleeps until a slot has begun.
func sleepTo(w *World, slot uint64) { time.Sleep(time.Until(w.SlotTime(slot)) + time.Millisecond) }

// sleepToHeight sleeps until the block of a height is complete and visible to
// a node without lag.
func sleepToHeight(w *World, height uint64) {
	w.enter()
	slot := w.chain.atHeight(height).slot
	w.mu.Unlock()
	sleepTo(w, slot+1)
}

const sol = 1_000_000_000
