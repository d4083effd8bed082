package rpcnode

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/connections"
	"github.com/walletfi/walletfi-go/internal/peer"
	decoding "github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// wire carries solana-go's calls in place of its own carrier, whose errors name
// the node's URL, report an HTTP status only if the body is not JSON, and accept
// an answer without a result.
type wire struct {
	url    walletfi.Secret
	header map[string]walletfi.Secret
	http   *http.Client
	mask   *peer.Mask
	limit  ratelimit.Limiter // nil limits nothing
	held   hold
	reads  meter // all requests but sends, by their costs
	costs  map[string]int
	clock  walletfi.Clock // nil is real time
	lastID atomic.Uint64

	observer observe.Observer
}

var _ rpc.JSONRPCClient = (*wire)(nil)

// maxAnswer bounds what is read of an answer.
const maxAnswer = 64 << 20

func newWire(cfg Config) *wire {
	client := http.Client{Timeout: defaultTimeout}
	if cfg.HTTPClient != nil {
		client = *cfg.HTTPClient
	}
	client.Transport = stayPut{client.Transport}
	w := &wire{
		url: cfg.URL, header: maps.Clone(cfg.Header), http: &client, mask: newMask(cfg), limit: cfg.Limiter,
		costs: maps.Clone(cfg.Costs), clock: cfg.Clock, observer: cfg.Observer,
	}
	w.lastID.Store(rand.Uint64N(1 << 40)) // a proxy may confuse clients, too
	return w
}

// stayPut keeps net/http from following redirects.
type stayPut struct{ next http.RoundTripper }

func (s stayPut) RoundTrip(r *http.Request) (*http.Response, error) {
	next := s.next
	if next == nil {
		next = connections.Replacement()
	}
	if next == nil {
		next = connections.Shared()
	}
	response, err := next.RoundTrip(r)
	if err == nil {
		peer.StayPut(response)
	}
	return response, err
}

type rpcAnswer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *rpcRefusal     `json:"error"`
}

// to reports whether a is the answer to the request with an id. An error may have none: what
// answers in front of the node may refuse a request that it has not read.
func (a *rpcAnswer) to(id any) bool {
	if a.Error != nil && (a.ID == nil || string(a.ID) == "null") {
		return true
	}
	return a.Version == "2.0" && string(a.ID) == fmt.Sprint(id)
}

type rpcRefusal struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// CallForInto calls one method and reads its result into out.
func (w *wire) CallForInto(ctx context.Context, out any, method string, params []any) error {
	return w.watch(ctx, method, func(ctx context.Context) error {
		err := w.callForInto(ctx, out, method, params)
		w.held.heed(w.clock, err)
		return err
	})
}

func (w *wire) callForInto(ctx context.Context, out any, method string, params []any) error {
	request := w.request(method, params)
	body, err := json.Marshal(request)
	if err != nil {
		return &walletfi.ValidationError{Field: method, Problem: "has parameters that cannot be written as JSON"}
	}
	resp, err := w.post(ctx, method, body)
	if err != nil {
		return err
	}
	var answer rpcAnswer
	err = json.Unmarshal(resp.body, &answer)
	if err != nil || decoding.OnceInAnyCase(resp.body) != nil || !answer.to(request.ID) {
		return w.unreadable(method, resp)
	}
	switch {
	case answer.Error != nil:
		return w.refused(method, answer.Error, resp)
	case resp.status >= 300 || answer.Result == nil:
		return w.unreadable(method, resp)
	}
	if err := json.Unmarshal(answer.Result, out); err != nil {
		return w.unreadable(method, resp)
	}
	return nil
}

// CallBatch calls several methods in one request. A method that the node
// refused is an error in its own answer.
func (w *wire) CallBatch(ctx context.Context, requests jsonrpc.RPCRequests) (answers jsonrpc.RPCResponses, err error) {
	err = w.watch(ctx, "batch", func(ctx context.Context) (err error) {
		answers, err = w.callBatch(ctx, requests)
		return err
	})
	return answers, err
}

func (w *wire) callBatch(ctx context.Context, requests jsonrpc.RPCRequests) (jsonrpc.RPCResponses, error) {
	batch := make([]jsonrpc.RPCRequest, len(requests))
	last := w.lastID.Add(uint64(len(requests)))
	first := last - uint64(len(requests)) + 1
	for i, r := range requests {
		batch[i] = jsonrpc.RPCRequest{Method: r.Method, Params: r.Params, ID: first + uint64(i), JSONRPC: "2.0"}
	}
	body, err := json.Marshal(batch)
	if err != nil || len(batch) == 0 {
		return nil, &walletfi.ValidationError{Field: "batch", Problem: "is empty or cannot be written as JSON"}
	}
	resp, err := w.post(ctx, "batch", body)
	if err != nil {
		return nil, err
	}
	var answers jsonrpc.RPCResponses
	err = json.Unmarshal(resp.body, &answers)
	if err != nil || decoding.OnceInAnyCase(resp.body) != nil || !number(answers, len(batch), first) {
		return nil, w.unreadable("batch", resp)
	}
	for _, answer := range answers {
		w.maskIn(answer.Error)
	}
	return answers, nil
}

// number has each answer name its request by its place, as solana-go's own carrier does. It
// reports whether there is one answer to each of n requests, whose ids begin with first.
func number(answers jsonrpc.RPCResponses, n int, first uint64) bool {
	var places []int
	for _, a := range answers {
		if a == nil || a.JSONRPC != "2.0" {
			return false
		}
		id, ok := a.ID.(float64)
		place := int(id - float64(first))
		if !ok || id != float64(first)+float64(place) || place < 0 || place >= n || slices.Contains(places, place) {
			return false
		}
		a.ID, places = place, append(places, place)
	}
	return len(places) == n
}

// maskIn masks the words of a method's error in a batch.
func (w *wire) maskIn(e *jsonrpc.RPCError) {
	if e == nil {
		return
	}
	e.Message = w.words(e.Message)
	raw, err := json.Marshal(e.Data)
	if err != nil || json.Unmarshal(w.data(raw), &e.Data) != nil {
		e.Data = nil
	}
}

// CallWithCallback calls one method and leaves the answer to callback, which
// need not close it.
func (w *wire) CallWithCallback(
	ctx context.Context, method string, params []any, callback func(*http.Request, *http.Response) error,
) error {
	return w.watch(
		ctx, method, func(ctx context.Context) error { return w.callWithCallback(ctx, method, params, callback) },
	)
}

func (w *wire) callWithCallback(
	ctx context.Context, method string, params []any, callback func(*http.Request, *http.Response) error,
) error {
	body, err := json.Marshal(w.request(method, params))
	if err != nil {
		return &walletfi.ValidationError{Field: method, Problem: "has parameters that cannot be written as JSON"}
	}
	var a attempt
	resp, err := w.send(ctx, method, body, &a)
	if err != nil {
		return err
	}
	defer a.end(nil)
	defer resp.Body.Close()
	return callback(resp.Request, resp)
}

func (w *wire) request(method string, params []any) jsonrpc.RPCRequest {
	r := jsonrpc.RPCRequest{Method: method, ID: w.lastID.Add(1), JSONRPC: "2.0"}
	if len(params) > 0 {
		r.Params = params
	}
	return r
}

// response is an HTTP answer that was read.
type response struct {
	status int
	header http.Header
	body   []byte
	at     time.Time
	err    error // why not all of the body came
}

func (w *wire) post(ctx context.Context, method string, body []byte) (*response, error) {
	var a attempt
	resp, err := w.send(ctx, method, body, &a)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil && (ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded)) {
		return nil, a.end(w.broken(ctx, method, err, &a.trace))
	}
	if err != nil {
		a.end(w.mask.Error(err))
	} else {
		a.end(nil)
	}
	if len(text) > maxAnswer || err != nil && resp.StatusCode < 300 {
		text = nil // unreadable, whatever it is
	}
	return &response{resp.StatusCode, resp.Header, text, clock.Now(w.clock), err}, nil
}

// send returns the node's answer, its body unread. A redirect is an error. Without an
// error, the caller ends a.
func (w *wire) send(ctx context.Context, method string, body []byte, a *attempt) (*http.Response, error) {
	done, queued, err := w.admit(ctx, method)
	if err != nil {
		return nil, err
	}
	patient := a.begin(ctx, w.observer, method, queued)
	req, err := http.NewRequestWithContext(a.trace.Watch(patient), http.MethodPost, w.url.Reveal(), bytes.NewReader(body))
	if err != nil {
		_ = done(ctx, false)
		return nil, a.end(w.broken(ctx, method, err, &a.trace))
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	for name, value := range w.header {
		req.Header.Set(name, value.Reveal())
	}
	resp, err := w.exchange(ctx, req, a, done)
	if err != nil {
		return nil, a.end(w.broken(ctx, method, err, &a.trace))
	}
	a.status = resp.StatusCode
	if resp.StatusCode/100 == 3 {
		resp.Body.Close()
		a.end(nil)
		return nil, w.unreadable(method, &response{status: resp.StatusCode})
	}
	return resp, nil
}
