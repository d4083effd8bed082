package node

import (
	"io"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// maxBody is how long the body of a request may be.
const maxBody = 50 << 10

// ServeHTTP answers one call or a batch of them, and says on /health how the node is.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	health := r.URL.Path == "/health"
	if !health {
		openToPages(w.Header(), r)
	}
	switch {
	case err != nil:
		kit.Abort(w)
	case health && h.node.Silent:
		h.silence(w, r)
	case health:
		say(w, http.StatusOK, h.health())
	case r.Method == http.MethodOptions:
		say(w, http.StatusOK, "")
	case r.Method != http.MethodPost:
		say(w, http.StatusMethodNotAllowed, "Used HTTP Method is not allowed. POST or OPTIONS is required\n")
	case !isJSON(r):
		say(w, http.StatusUnsupportedMediaType,
			"Supplied content type is not allowed. Content-Type: application/json is required\n")
	case len(body) > maxBody:
		say(w, http.StatusRequestEntityTooLarge, "request body size exceeds allowed maximum")
	default:
		h.post(w, r, body)
	}
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	kit.Send(w, status, []byte(text), play.Fault{})
}

func isJSON(r *http.Request) bool {
	kind := strings.ToLower(r.Header.Get("Content-Type"))
	return kind == "application/json" || kind == "application/json; charset=utf-8" ||
		kind == "application/json;charset=utf-8"
}

// openToPages lets pages of any origin call the node.
func openToPages(header http.Header, r *http.Request) {
	if r.Method == http.MethodOptions {
		header.Set("Allow", "OPTIONS, POST")
		header.Set("Accept", "application/json")
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return
	}
	header.Set("Vary", "origin")
	header.Set("Access-Control-Allow-Methods", "OPTIONS, POST")
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Max-Age", "86400")
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
		header.Set("Access-Control-Allow-Headers", asked)
	}
}

// post answers what was posted. A fault hits the HTTP request of the first call that it
// matches.
func (h *Handler) post(w http.ResponseWriter, r *http.Request, body []byte) {
	f := h.fault(body, kit.TenantOf(r))
	if !kit.Delay(r, h.era, f.Delay) {
		kit.Abort(w)
		return
	}
	if h.tooMany() {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "too many requests", http.StatusTooManyRequests)
		return
	}
	status, reply := http.StatusOK, []byte(nil)
	if !kit.Prevents(f) {
		reply = replyTo(body, func(q request, out *answer) { h.answer(q, r, out) })
	}
	if h.era.Err() != nil {
		kit.Abort(w)
		return
	}
	if reply != nil {
		reply = append(reply, '\n')
	}
	if h.node.Silent {
		h.silence(w, r)
		return
	}
	if f.Status != 0 || f.Body != nil {
		reply = f.Body
		if f.Status != 0 {
			status = f.Status
		}
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	for name, values := range f.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	kit.Send(w, status, reply, f)
}

func (h *Handler) fault(body []byte, tenant string) (f play.Fault) {
	requests, _, _ := readRPC(body)
	if !h.Enter(h.era) {
		return f
	}
	defer h.Unlock()
	for i, hit := 0, false; i < len(requests) && !hit; i++ {
		f, hit = h.FaultFor(play.Route{Service: play.RPC, Method: http.MethodPost, Pattern: requests[i].Method}, tenant)
	}
	return f
}

// silence waits until the client gives up.
func (h *Handler) silence(w http.ResponseWriter, r *http.Request) {
	h.Lock()
	back := h.WaitAside()
	h.Unlock()
	<-r.Context().Done()
	h.Lock()
	back()
	h.Unlock()
	kit.Abort(w)
}

// answer carries a call out, unless the state has begun again since.
func (h *Handler) answer(q request, from *http.Request, out *answer) {
	if !h.Enter(h.era) {
		return
	}
	defer h.Unlock()
	method, ok := methods[q.Method]
	if !ok {
		h.Report(play.Violation{
			Service: play.RPC, Route: q.Method, Problem: "no such method", Tenant: kit.TenantOf(from),
		}, from.UserAgent())
		out.Error = fail(noMethod, "Method not found")
		return
	}
	h.Count(play.Route{Service: play.RPC, Method: http.MethodPost, Pattern: q.Method})
	c := &call{Chain: h.Chain, node: h.node, params: q.Params}
	out.fill(func() any {
		c.readings(shapeOf(q.Method), method.least, method.most)
		return method.run(c)
	})
	if odd := c.odd(); odd != "" {
		h.Report(play.Violation{
			Service: play.RPC, Route: q.Method, Problem: odd, Tenant: kit.TenantOf(from),
		}, from.UserAgent())
	}
}
