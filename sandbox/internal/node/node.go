// Package node is a Solana node: its JSON-RPC over the ledger.
package node

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// Handler is the sandbox's Solana node: the part of its JSON-RPC that is
// needed to submit, confirm, simulate and look at accounts.
type Handler struct {
	*build.Chain
	node    kit.Node
	second  int64 // of the last request
	counted int   // requests in that second
}

// New makes a node that behaves as n says.
func New(c *build.Chain, n kit.Node) *Handler { return &Handler{Chain: c, node: n} }

// call is one call of a method.
type call struct {
	*build.Chain
	node   kit.Node
	params []json.RawMessage
}

// callError is the error object of the protocol.
type callError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Error is the message.
func (e *callError) Error() string { return e.Message }

// The codes that nodes use.
const (
	parse         = -32700
	invalid       = -32600
	noMethod      = -32601
	params        = -32602
	preflight     = -32002
	signature     = -32003
	unhealthySlot = -32016
)

// methods are what the node answers.
var methods = map[string]func(c *call) (any, error){
	"getAccountInfo":                    (*call).getAccountInfo,
	"getBalance":                        (*call).getBalance,
	"getBlockHeight":                    (*call).getBlockHeight,
	"getEpochInfo":                      (*call).getEpochInfo,
	"getHealth":                         (*call).getHealth,
	"getLatestBlockhash":                (*call).getLatestBlockhash,
	"getMinimumBalanceForRentExemption": (*call).getMinimumBalanceForRentExemption,
	"getMultipleAccounts":               (*call).getMultipleAccounts,
	"getSignatureStatuses":              (*call).getSignatureStatuses,
	"getSignaturesForAddress":           (*call).getSignaturesForAddress,
	"getSlot":                           (*call).getSlot,
	"getTokenAccountBalance":            (*call).getTokenAccountBalance,
	"getTokenAccountsByOwner":           (*call).getTokenAccountsByOwner,
	"getTransaction":                    (*call).getTransaction,
	"getVersion":                        (*call).getVersion,
	"isBlockhashValid":                  (*call).isBlockhashValid,
	"sendTransaction":                   (*call).sendTransaction,
	"simulateTransaction":               (*call).simulateTransaction,
}

type request struct {
	Version string            `json:"jsonrpc"`
	ID      json.RawMessage   `json:"id"`
	Method  string            `json:"method"`
	Params  []json.RawMessage `json:"params"`
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
	h.Lock()
	var f kit.Fault
	for i, hit := 0, false; i < len(requests) && !hit; i++ {
		f, hit = h.FaultFor(kit.RouteKey{Service: kit.RPC, Method: http.MethodPost, Pattern: requests[i].Method})
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
	if !f.Prevents() {
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
			return nil, true, &callError{Code: parse, Message: "Parse error"}
		}
		return requests, true, nil
	}
	var one request
	if json.Unmarshal(body, &one) != nil {
		return nil, false, &callError{Code: parse, Message: "Parse error"}
	}
	return []request{one}, false, nil
}

func (h *Handler) answerAll(requests []request, batch bool, problem *callError) []byte {
	if problem != nil {
		return kit.MustJSON(answer{Version: "2.0", Error: problem, ID: json.RawMessage("null")})
	}
	answers := make([]answer, 0, len(requests))
	for _, q := range requests {
		answers = append(answers, h.answerOne(q))
	}
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
		answer.Error = &callError{Code: invalid, Message: "Invalid request"}
		return answer
	case !ok:
		h.Report(kit.Violation{Service: kit.RPC, Route: q.Method, Problem: "no such method"})
		answer.Error = &callError{Code: noMethod, Message: "Method not found"}
		return answer
	}
	h.Count(kit.RouteKey{Service: kit.RPC, Method: http.MethodPost, Pattern: q.Method})
	result, err := method(&call{h.Chain, h.node, q.Params})
	if err != nil {
		answer.Error = asRPC(err)
		return answer
	}
	answer.Result = kit.MustJSON(result)
	return answer
}

func asRPC(err error) *callError {
	if e, ok := err.(*callError); ok {
		return e
	}
	return &callError{Code: params, Message: "Invalid params: " + err.Error()}
}

// param reads the i-th parameter. An optional parameter that is absent or null
// leaves v unchanged.
func (c *call) param(i int, required bool, v any) error {
	if i >= len(c.params) || bytes.Equal(c.params[i], []byte("null")) {
		if required {
			return fmt.Errorf("parameter %d is missing", i)
		}
		return nil
	}
	if err := json.Unmarshal(c.params[i], v); err != nil {
		return fmt.Errorf("parameter %d: %w", i, err)
	}
	return nil
}

// address reads the i-th parameter as an address.
func (c *call) address(i int) (key solana.PublicKey, err error) {
	var text string
	if err := c.param(i, true, &text); err != nil {
		return key, err
	}
	if key, err = solana.PublicKeyFromBase58(text); err != nil {
		return key, fmt.Errorf("invalid address %q", text)
	}
	return key, nil
}

// config is the object that most methods take last.
type config struct {
	Commitment     string  `json:"commitment"`
	MinContextSlot *uint64 `json:"minContextSlot"`
	Encoding       string  `json:"encoding"`
	DataSlice      *struct {
		Offset int `json:"offset"`
		Length int `json:"length"`
	} `json:"dataSlice"`
}

// config reads the i-th parameter, and refuses a slot that has not come yet.
func (c *call) configAt(i int) (config, error) {
	var config config
	if err := c.param(i, false, &config); err != nil {
		return config, err
	}
	if config.MinContextSlot != nil && *config.MinContextSlot > c.slotAt(config.Commitment) {
		return config, &callError{
			Code: unhealthySlot, Message: "Minimum context slot has not been reached",
			Data: map[string]uint64{"contextSlot": c.slotAt(config.Commitment)},
		}
	}
	return config, nil
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

// slot is the newest slot that the node knows.
func (c *call) slot() uint64 { return c.CurrentSlot() - c.node.Lag }

// slotAt is the newest slot of a commitment; finalized if none is named.
func (c *call) slotAt(commitment string) uint64 { return c.slot() - c.Lag(commitment) }

// heightAt is the block height of that slot.
func (c *call) heightAt(commitment string) uint64 {
	if c.node.SlotForHeight {
		return c.slotAt(commitment)
	}
	return c.Height(c.slotAt(commitment))
}

// status is what the node knows of a transaction.
func (c *call) status(signature solana.Signature) (string, *ledger.Receipt) {
	r := c.Receipt(signature)
	if r == nil || r.Slot > c.slot() {
		return "", nil
	}
	for _, commitment := range []string{"finalized", "confirmed"} {
		if r.Slot <= c.slotAt(commitment) {
			return commitment, r
		}
	}
	return "processed", r
}

// inContext wraps a value with the slot that it holds for.
func (c *call) inContext(commitment string, value any) any {
	return map[string]any{
		"context": map[string]any{"apiVersion": nodeVersion, "slot": c.slotAt(commitment)},
		"value":   value,
	}
}

// nodeVersion is the one that the node claims.
const nodeVersion = "3.0.6"
