package world

import (
	"bytes"
	"slices"
)

// query is one call of a request.
type query struct {
	method string
	params []value
	id     []byte // JSON
	key    uint64 // a digest of method and parameters
	bad    bool
}

// request is the body of an HTTP request.
type request struct {
	calls []query
	batch bool
	bad   bool // not JSON-RPC
	key   uint64
}

// parseRequest reads a call or a batch. Keys leave out the ids, which depend
// on the order in which a client's goroutines run.
func parseRequest(body []byte) *request {
	v, err := parseJSON(body)
	q := &request{batch: v.kind == jsonArray}
	switch {
	case err != nil || v.kind != jsonArray && v.kind != jsonObject || q.batch && len(v.item) == 0:
		q.bad = true
		q.key = digest(body)
	case q.batch:
		q.calls = make([]query, 0, len(v.item))
		for i := range v.item {
			q.calls = append(q.calls, parseQuery(&v.item[i]))
			q.key = mix(q.key ^ q.calls[i].key)
		}
	default:
		q.calls = []query{parseQuery(&v)}
		q.key = q.calls[0].key
	}
	return q
}

func parseQuery(v *value) query {
	method, params, id := v.get("method"), v.get("params"), v.get("id")
	q := query{method: string(method.text), params: params.item, id: []byte("null")}
	q.key = mix(digest(method.text)) ^ paramsKey(params)
	q.bad = method.kind != jsonString || params.kind != absent && params.kind != jsonArray
	switch id.kind {
	case jsonNumber:
		q.id = id.text
	case jsonString:
		q.id = append(append([]byte{'"'}, id.text...), '"')
	}
	return q
}

// paramsKey is a digest of a call's parameters, in which a list that comes
// first has no order: clients gather signatures in maps.
func paramsKey(params *value) uint64 {
	if len(params.item) == 0 || params.item[0].kind != jsonArray {
		return digest(params.text)
	}
	var key uint64
	for i := range params.item[0].item {
		key += mix(digest(params.item[0].item[i].text))
	}
	for i := range params.item[1:] {
		key = mix(key ^ digest(params.item[1+i].text))
	}
	return key
}

// reply is what an endpoint sends back.
type reply struct {
	status     int
	body       []byte
	plain      bool // not JSON
	retryAfter bool
	broken     bool // the connection breaks instead
}

// What the front of an endpoint answers by itself.
const (
	unreadable = `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}`
	refusal    = `{"jsonrpc":"2.0","error":{"code":-32600,"message":"`
)

func refused(status int, message string) reply {
	return reply{status: status, body: []byte(refusal + message + `"},"id":null}`)}
}

// writes reports whether a request changes anything.
func (q *request) writes() bool {
	return slices.ContainsFunc(q.calls, func(one query) bool { return one.method == "sendTransaction" })
}

// serve answers a request that has arrived at a time.
func (e *Endpoint) serve(l *Line, q *request, at int64) reply {
	w := e.w
	w.enter()
	defer w.mu.Unlock()
	if e.overspent(len(q.calls), at) {
		w.traceFront(l, e, q, "status 429")
		r := refused(429, "Too many requests for a specific RPC call")
		r.retryAfter = e.cfg.Profile.RetryAfter
		return r
	}
	if q.bad {
		return reply{status: 200, body: []byte(unreadable)}
	}
	p := &e.cfg.Profile
	if q.batch && (p.Batch < 0 || p.Batch > 0 && len(q.calls) > p.Batch) {
		w.traceFront(l, e, q, "batch refused")
		return refused(400, "Batch requests of this size are not supported")
	}
	if !q.batch {
		right := e.answer(l, &q.calls[0], e.route(&q.calls[0], at), at, nil)
		given := e.mixUp(&q.calls[0], at, right)
		if !bytes.Equal(given, right) {
			w.traceFront(l, e, q, "mixed up: "+string(given[:min(len(given), 200)]))
		}
		return reply{status: 200, body: given}
	}
	node := e.route(&q.calls[0], at)
	parts := make([][]byte, 0, len(q.calls))
	for i := range q.calls {
		if p.SplitBatch {
			node = e.route(&q.calls[i], at+int64(i))
		}
		parts = append(parts, e.answer(l, &q.calls[i], node, at, nil))
	}
	body := bytes.Join(e.mixUpBatch(q, at, parts), []byte{','})
	return reply{status: 200, body: append(append([]byte{'['}, body...), ']')}
}

// overspent counts calls against the budget of the second. What it refuses
// depends on the order of requests at the same instant.
func (e *Endpoint) overspent(calls int, at int64) bool {
	limit := e.cfg.Profile.Rate
	if limit == 0 {
		return false
	}
	if second := at / 1e9; second != e.window {
		e.window, e.used = second, 0
	}
	e.used += max(calls, 1)
	return e.used > limit
}

// answer appends a node's response to one call.
func (e *Endpoint) answer(l *Line, q *query, n *Node, at int64, out []byte) []byte {
	if q.bad {
		out = append(out, refusal+`Invalid request"},"id":`...)
		return append(append(out, q.id...), '}')
	}
	c := call{w: e.w, node: n, method: q.method, params: q.params, key: q.key, profile: &e.cfg.Profile}
	c.at = e.asOf(n, q, at)
	c.view = n.view(c.at)
	if n.cfg.Liar != Honest {
		c.deceive()
	}
	if out == nil {
		out = make([]byte, 0, 512)
	}
	out = c.answer(out, q.id)
	e.w.traceCall(l, e, &c, at)
	return out
}

// asOf returns the moment whose answer is given: the present, or an earlier
// one if the answer comes from a cache.
func (e *Endpoint) asOf(n *Node, q *query, at int64) int64 {
	if q.method == "sendTransaction" || q.method == "simulateTransaction" {
		return at
	}
	for _, age := range [...]int64{int64(n.cfg.Stale), int64(e.cfg.Profile.Cache)} {
		if age > 0 {
			phase := int64(draw(e.seed, forStale, q.key) % uint64(age))
			at -= ((at+phase)%age + age) % age
		}
	}
	return at
}
