// Package node is a Solana node: its JSON-RPC over the ledger.
package node

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Handler is the sandbox's Solana node: the part of its JSON-RPC that is
// needed to submit, confirm, simulate and look at accounts and blocks.
type Handler struct {
	*build.Chain
	node    play.Node
	second  int64 // of the last request
	counted int   // requests in that second
}

// New makes a node that behaves as n says.
func New(c *build.Chain, n play.Node) *Handler { return &Handler{Chain: c, node: n} }

// call is one call of a method.
type call struct {
	*build.Chain
	node   play.Node
	params []json.RawMessage
}

// callError is the error object of the protocol.
type callError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// The codes that nodes use.
const (
	parse         = -32700
	invalid       = -32600
	noMethod      = -32601
	params        = -32602
	cleanedUp     = -32001
	preflight     = -32002
	signature     = -32003
	notAvailable  = -32004
	slotSkipped   = -32007
	noHistory     = -32011
	newerVersion  = -32015
	unhealthySlot = -32016
)

// methods are what the node answers.
var methods = map[string]func(c *call) any{
	"getAccountInfo":                    (*call).getAccountInfo,
	"getBalance":                        (*call).getBalance,
	"getBlock":                          (*call).getBlock,
	"getBlockHeight":                    (*call).getBlockHeight,
	"getBlockTime":                      (*call).getBlockTime,
	"getBlocks":                         (*call).getBlocks,
	"getBlocksWithLimit":                (*call).getBlocksWithLimit,
	"getEpochInfo":                      (*call).getEpochInfo,
	"getFirstAvailableBlock":            (*call).getFirstAvailableBlock,
	"getGenesisHash":                    (*call).getGenesisHash,
	"getHealth":                         (*call).getHealth,
	"getLatestBlockhash":                (*call).getLatestBlockhash,
	"getMinimumBalanceForRentExemption": (*call).getMinimumBalanceForRentExemption,
	"getMultipleAccounts":               (*call).getMultipleAccounts,
	"getRecentPrioritizationFees":       (*call).getRecentPrioritizationFees,
	"getSignatureStatuses":              (*call).getSignatureStatuses,
	"getSignaturesForAddress":           (*call).getSignaturesForAddress,
	"getSlot":                           (*call).getSlot,
	"getTokenAccountBalance":            (*call).getTokenAccountBalance,
	"getTokenAccountsByOwner":           (*call).getTokenAccountsByOwner,
	"getTransaction":                    (*call).getTransaction,
	"getVersion":                        (*call).getVersion,
	"isBlockhashValid":                  (*call).isBlockhashValid,
	"minimumLedgerSlot":                 (*call).minimumLedgerSlot,
	"sendTransaction":                   (*call).sendTransaction,
	"simulateBundle":                    (*call).simulateBundle,
	"simulateTransaction":               (*call).simulateTransaction,
}

type request struct {
	Version string            `json:"jsonrpc"`
	ID      json.RawMessage   `json:"id"`
	Method  string            `json:"method"`
	Params  []json.RawMessage `json:"params"`
	client  string            // as it names itself
}

type answer struct {
	Version string          `json:"jsonrpc"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *callError      `json:"error,omitempty"`
	ID      json.RawMessage `json:"id"`
}

// ServeHTTP answers one call or a batch of them. A fault hits the HTTP request
// of the first call that it matches.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, kit.MaxBody))
	if err != nil || r.Method != http.MethodPost {
		http.Error(w, "Used HTTP Method is not allowed. POST is required", http.StatusMethodNotAllowed)
		return
	}
	requests, batch, problem := readRPC(body)
	for i := range requests {
		requests[i].client = r.UserAgent()
	}
	h.Lock()
	var f play.Fault
	for i, hit := 0, false; i < len(requests) && !hit; i++ {
		f, hit = h.FaultFor(play.Route{Service: play.RPC, Method: http.MethodPost, Pattern: requests[i].Method})
	}
	h.Unlock()
	if !h.Delay(r, f.Delay) {
		kit.Abort(w)
		return
	}
	if h.tooMany() {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "too many requests", http.StatusTooManyRequests)
		return
	}
	status, answer := http.StatusOK, []byte(nil)
	if !kit.Prevents(f) {
		answer = h.answerAll(requests, batch, problem)
	}
	if h.node.Silent {
		h.Lock()
		back := h.WaitAside()
		h.Unlock()
		<-r.Context().Done()
		h.Lock()
		back()
		h.Unlock()
		kit.Abort(w)
		return
	}
	if f.Status != 0 || f.Body != nil {
		answer = f.Body
		if f.Status != 0 {
			status = f.Status
		}
	}
	w.Header().Set("Content-Type", "application/json")
	for name, values := range f.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	kit.Send(w, status, answer, f)
}

func readRPC(body []byte) (requests []request, batch bool, problem *callError) {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		if json.Unmarshal(body, &requests) != nil {
			return nil, true, fail(parse, "Parse error")
		}
		return requests, true, nil
	}
	var one request
	if json.Unmarshal(body, &one) != nil {
		return nil, false, fail(parse, "Parse error")
	}
	return []request{one}, false, nil
}

func (h *Handler) answerAll(requests []request, batch bool, problem *callError) []byte {
	if problem != nil {
		return kit.MustJSON(answer{Version: "2.0", Error: problem, ID: json.RawMessage("null")})
	}
	answers := kit.List(requests, h.answerOne)
	if batch {
		return kit.MustJSON(answers)
	}
	return kit.MustJSON(answers[0])
}

func (h *Handler) answerOne(q request) answer {
	answer := answer{Version: "2.0", ID: q.ID}
	if answer.ID == nil {
		answer.ID = json.RawMessage("null")
	}
	h.Lock()
	defer h.Unlock()
	method, ok := methods[q.Method]
	switch {
	case q.Version != "2.0":
		answer.Error = fail(invalid, "Invalid request")
		return answer
	case !ok:
		h.Report(play.Violation{Service: play.RPC, Route: q.Method, Problem: "no such method"}, q.client)
		answer.Error = fail(noMethod, "Method not found")
		return answer
	}
	h.Count(play.Route{Service: play.RPC, Method: http.MethodPost, Pattern: q.Method})
	answer.fill(func() any { return method(&call{h.Chain, h.node, q.Params}) })
	return answer
}

// fill sets the result of a call, or the error that it panicked with.
func (a *answer) fill(run func() any) {
	a.Error = kit.Caught[callError](func() { a.Result = kit.MustJSON(run()) })
}

// fail is the error of a call: a method panics with it.
func fail(code int, format string, args ...any) *callError {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	return &callError{Code: code, Message: format}
}

// failIf fails the call if a condition holds.
func failIf(is bool, code int, format string, args ...any) {
	if is {
		panic(fail(code, format, args...))
	}
}

// bad is the error of parameters that cannot be read or do not fit.
func bad(format string, args ...any) *callError {
	return fail(params, "Invalid params: "+format, args...)
}

// badIf fails the call as bad does if a condition holds.
func badIf(is bool, format string, args ...any) {
	failIf(is, params, "Invalid params: "+format, args...)
}

// tooMany counts a request and reports one beyond the node's limit.
func (h *Handler) tooMany() bool {
	if h.node.PerSecond == 0 {
		return false
	}
	h.Lock()
	defer h.Unlock()
	if now := h.Now().Unix(); now != h.second {
		h.second, h.counted = now, 0
	}
	h.counted++
	return h.counted > h.node.PerSecond
}
