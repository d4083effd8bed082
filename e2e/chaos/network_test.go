package chaos

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/sandbox"
)

// network is all that lies between the clients and the sandbox: gateways that lose,
// delay, repeat, reorder and garble, services that lie about heights, and a pool
// of nodes behind one address, some of which lag or answer the slot for the
// height.
type network struct {
	under http.RoundTripper
	nodes []*url.URL

	mu     sync.Mutex
	rng    *rand.Rand
	calm   bool
	faults int
	kinds  map[string]int // faults by what they are
	late   map[string]bool
}

func newNetwork(s *sandbox.Sandbox, nodes int, seed uint64) *network {
	a := &network{under: s.Transport(), rng: rand.New(rand.NewPCG(seed, 11)), kinds: map[string]int{}, late: map[string]bool{}}
	for i := range nodes {
		node, err := url.Parse(s.Ledger().NodeURL(i))
		if err != nil {
			panic(err)
		}
		a.nodes = append(a.nodes, node)
	}
	return a
}

// strikes reports, with a chance, a fault that it counts. The lock is held.
func (a *network) strikes(kind string, chance float64) bool {
	if a.calm || a.rng.Float64() >= chance {
		return false
	}
	a.faults++
	a.kinds[kind]++
	return true
}

// struck takes the lock for one question.
func (a *network) struck(kind string, chance float64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.strikes(kind, chance)
}

func (a *network) upTo(d time.Duration) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return time.Duration(a.rng.Int64N(int64(d)))
}

// heldRequest is a request that can be delivered any number of times.
type heldRequest struct {
	*http.Request
	body   []byte
	method string // of JSON-RPC
	moves  bool   // money
}

func unpack(r *http.Request) (*heldRequest, error) {
	p := &heldRequest{Request: r}
	if r.Body != nil {
		var err error
		if p.body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body.Close()
	}
	var call struct{ Method string }
	if json.Unmarshal(p.body, &call) == nil {
		p.method = call.Method
	}
	p.moves = p.method == "sendTransaction"
	for _, path := range []string{"/transactions/send", "/api/v1/bundle", "/api/v1/bundle/submit", "/api/v1/swap/bundle", "/submit-intent"} {
		p.moves = p.moves || strings.HasSuffix(r.URL.Path, path)
	}
	return p, nil
}

var errLostOnTheWay = errors.New("connection reset by peer")

// deliver passes p to its service, or to one of the pool's nodes.
func (a *network) deliver(p *heldRequest) (*http.Response, error) {
	r := p.Clone(p.Context())
	r.Body = io.NopCloser(bytes.NewReader(p.body))
	if p.method != "" && r.URL.Host == a.nodes[0].Host && !p.moves {
		a.mu.Lock()
		if a.strikes("another node", .25) {
			r.URL.Host = a.nodes[a.rng.IntN(len(a.nodes))].Host
		}
		a.mu.Unlock()
	}
	return a.under.RoundTrip(r)
}

// later delivers a copy of p, which nobody waits for.
func (a *network) later(p *heldRequest, after time.Duration) {
	orphan := *p
	orphan.Request = p.Clone(withoutEnd{p.Context()})
	time.AfterFunc(after, func() {
		if answer, err := a.deliver(&orphan); err == nil {
			answer.Body.Close()
		}
	})
}

// withoutEnd is a context whose caller is gone.
type withoutEnd struct{ contextValues }

type contextValues interface{ Value(any) any }

func (withoutEnd) Deadline() (t time.Time, ok bool) { return t, false }
func (withoutEnd) Done() <-chan struct{}            { return nil }
func (withoutEnd) Err() error                       { return nil }

// RoundTrip implements http.RoundTripper.
func (a *network) RoundTrip(r *http.Request) (*http.Response, error) {
	p, err := unpack(r)
	if err != nil {
		return nil, err
	}
	switch {
	case a.struck("lost on the way", .05):
		return nil, errLostOnTheWay
	case a.struck("refused before", .03):
		return a.says(p, http.StatusServiceUnavailable, `{"error":"busy"}`), nil
	case a.struck("delayed", .05):
		if err := pause.For(r.Context(), a.upTo(5*time.Second)); err != nil {
			return nil, err
		}
	}
	if p.moves {
		if done, answer, err := a.moveMoney(p); done {
			return answer, err
		}
	}
	answer, err := a.deliver(p)
	if err != nil {
		return nil, err
	}
	return a.back(p, answer)
}

// moveMoney disturbs only requests that send: they are held back until
// the transaction has nearly or fully expired, and repeated.
func (a *network) moveMoney(p *heldRequest) (done bool, answer *http.Response, err error) {
	name := p.URL.Path + string(p.body) + p.URL.RawQuery
	a.mu.Lock()
	if a.strikes("only the first counts, and is late", .15) {
		a.late[name] = true
		a.later(p, 40*time.Second+time.Duration(a.rng.Int64N(int64(25*time.Second))))
	}
	held := a.late[name] && !a.calm
	a.mu.Unlock()
	if held {
		return true, nil, errLostOnTheWay
	}
	switch {
	case a.struck("held back", .1):
		a.later(p, a.upTo(90*time.Second))
		return true, nil, errLostOnTheWay
	case a.struck("repeated by a gateway", .1):
		first, err := a.deliver(p)
		if err == nil {
			first.Body.Close()
		}
	case a.struck("repeated later", .1):
		a.later(p, a.upTo(90*time.Second))
	case a.struck("never answered", .05):
		a.later(p, 0)
		<-p.Context().Done()
		return true, nil, p.Context().Err()
	case a.struck("refused although sent", .05):
		a.later(p, a.upTo(20*time.Second))
		if p.method != "" { // a node's own refusal is believed, see package rpcnode
			return true, a.says(p, http.StatusGatewayTimeout, ""), nil
		}
		return true, a.says(p, http.StatusBadRequest, `{"error":"already been processed","message":"already been processed"}`), nil
	}
	return false, nil, nil
}

var lastHeight = regexp.MustCompile(`("lastValidBlockHeight":\s*"?)(\d+)`)

// back is the way of an answer.
func (a *network) back(p *heldRequest, answer *http.Response) (*http.Response, error) {
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil {
		return nil, err
	}
	if p.method == "" && lastHeight.Match(body) && a.struck("an early end is named", .3) {
		early := uint64(a.upTo(150))
		body = lastHeight.ReplaceAllFunc(body, func(found []byte) []byte {
			parts := lastHeight.FindSubmatch(found)
			height, _ := strconv.ParseUint(string(parts[2]), 10, 64)
			return fmt.Appendf(nil, "%s%d", parts[1], height-min(height, early))
		})
	}
	switch {
	case a.struck("answer lost", .06):
		return nil, errLostOnTheWay
	case a.struck("answer cut", .04):
		body = body[:a.upTo(time.Duration(len(body)+1))]
	case a.struck("garbage", .03):
		body = []byte("\x00<html>{\"result\":")
	case p.method != "" && a.struck("an answer that says nothing", .03):
		body = []byte([]string{
			`{"jsonrpc":"2.0","id":1,"result":null}`, `{"jsonrpc":"2.0","id":1}`, `{"jsonrpc":"2.0","id":1,"result":{"value":[]}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"value":[null]}}`, `{"jsonrpc":"2.0","id":1,"result":{"context":{},"value":[{}]}}`,
		}[a.upTo(5)])
	}
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	answer.Header.Del("Content-Length")
	return answer, nil
}

func (a *network) says(p *heldRequest, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Status: strconv.Itoa(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Request: p.Request,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}
