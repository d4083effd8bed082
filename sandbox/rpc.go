package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/gagliardetto/solana-go"
)

// rpcHandler is the sandbox's Solana node: the part of its JSON-RPC that is
// needed to submit, confirm, simulate and look at accounts.
type rpcHandler struct{ *Sandbox }

// rpcCall is one call of a method.
type rpcCall struct {
	*Sandbox
	params []json.RawMessage
}

// rpcError is the error object of the protocol.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Error is the message.
func (e *rpcError) Error() string { return e.Message }

// The codes that nodes use.
const (
	rpcParse         = -32700
	rpcInvalid       = -32600
	rpcNoMethod      = -32601
	rpcParams        = -32602
	rpcPreflight     = -32002
	rpcSignature     = -32003
	rpcUnhealthySlot = -32016
)

// rpcMethods are what the node answers.
var rpcMethods = map[string]func(c *rpcCall) (any, error){
	"getAccountInfo":                    (*rpcCall).getAccountInfo,
	"getBalance":                        (*rpcCall).getBalance,
	"getBlockHeight":                    (*rpcCall).getBlockHeight,
	"getHealth":                         (*rpcCall).getHealth,
	"getLatestBlockhash":                (*rpcCall).getLatestBlockhash,
	"getMinimumBalanceForRentExemption": (*rpcCall).getMinimumBalanceForRentExemption,
	"getMultipleAccounts":               (*rpcCall).getMultipleAccounts,
	"getSignatureStatuses":              (*rpcCall).getSignatureStatuses,
	"getSlot":                           (*rpcCall).getSlot,
	"getTokenAccountBalance":            (*rpcCall).getTokenAccountBalance,
	"getTokenAccountsByOwner":           (*rpcCall).getTokenAccountsByOwner,
	"getTransaction":                    (*rpcCall).getTransaction,
	"getVersion":                        (*rpcCall).getVersion,
	"isBlockhashValid":                  (*rpcCall).isBlockhashValid,
	"sendTransaction":                   (*rpcCall).sendTransaction,
	"simulateTransaction":               (*rpcCall).simulateTransaction,
}

type rpcRequest struct {
	Version string            `json:"jsonrpc"`
	ID      json.RawMessage   `json:"id"`
	Method  string            `json:"method"`
	Params  []json.RawMessage `json:"params"`
}

type rpcAnswer struct {
	Version string          `json:"jsonrpc"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
	ID      json.RawMessage `json:"id"`
}

// ServeHTTP answers one call or a batch of them. A fault hits the HTTP request
// of the first call that it matches.
func (h *rpcHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil || r.Method != http.MethodPost {
		http.Error(w, "Used HTTP Method is not allowed. POST is required", http.StatusMethodNotAllowed)
		return
	}
	requests, batch, problem := readRPC(body)
	h.mu.Lock()
	var f Fault
	for i, hit := 0, false; i < len(requests) && !hit; i++ {
		f, hit = h.faultFor(Route{RPC, http.MethodPost, requests[i].Method})
	}
	h.mu.Unlock()
	if !h.delay(r, f.Delay) {
		abort(w)
		return
	}
	status, answer := http.StatusOK, []byte(nil)
	if !f.prevents() {
		answer = h.answerAll(requests, batch, problem)
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
	send(w, status, answer, f)
}

func readRPC(body []byte) (requests []rpcRequest, batch bool, problem *rpcError) {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		if json.Unmarshal(body, &requests) != nil {
			return nil, true, &rpcError{Code: rpcParse, Message: "Parse error"}
		}
		return requests, true, nil
	}
	var one rpcRequest
	if json.Unmarshal(body, &one) != nil {
		return nil, false, &rpcError{Code: rpcParse, Message: "Parse error"}
	}
	return []rpcRequest{one}, false, nil
}

func (h *rpcHandler) answerAll(requests []rpcRequest, batch bool, problem *rpcError) []byte {
	if problem != nil {
		return mustJSON(rpcAnswer{Version: "2.0", Error: problem, ID: json.RawMessage("null")})
	}
	answers := make([]rpcAnswer, 0, len(requests))
	for _, q := range requests {
		answers = append(answers, h.answerOne(q))
	}
	if batch {
		return mustJSON(answers)
	}
	return mustJSON(answers[0])
}

func (h *rpcHandler) answerOne(q rpcRequest) rpcAnswer {
	answer := rpcAnswer{Version: "2.0", ID: q.ID}
	if answer.ID == nil {
		answer.ID = json.RawMessage("null")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	method, ok := rpcMethods[q.Method]
	switch {
	case q.Version != "2.0":
		answer.Error = &rpcError{Code: rpcInvalid, Message: "Invalid request"}
		return answer
	case !ok:
		h.violations = append(h.violations, Violation{RPC, q.Method, "no such method"})
		answer.Error = &rpcError{Code: rpcNoMethod, Message: "Method not found"}
		return answer
	}
	h.hits[Route{RPC, http.MethodPost, q.Method}]++
	result, err := method(&rpcCall{h.Sandbox, q.Params})
	if err != nil {
		answer.Error = asRPC(err)
		return answer
	}
	answer.Result = mustJSON(result)
	return answer
}

func asRPC(err error) *rpcError {
	if e, ok := err.(*rpcError); ok {
		return e
	}
	return &rpcError{Code: rpcParams, Message: "Invalid params: " + err.Error()}
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("sandbox: an answer that cannot be written: " + err.Error())
	}
	return b
}

// param reads the i-th parameter. One that is optional and absent, or null,
// leaves v as it is.
func (c *rpcCall) param(i int, required bool, v any) error {
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
func (c *rpcCall) address(i int) (key solana.PublicKey, err error) {
	var text string
	if err := c.param(i, true, &text); err != nil {
		return key, err
	}
	if key, err = solana.PublicKeyFromBase58(text); err != nil {
		return key, fmt.Errorf("invalid address %q", text)
	}
	return key, nil
}

// rpcConfig is the object that most methods take last.
type rpcConfig struct {
	Commitment     string  `json:"commitment"`
	MinContextSlot *uint64 `json:"minContextSlot"`
	Encoding       string  `json:"encoding"`
	DataSlice      *struct {
		Offset int `json:"offset"`
		Length int `json:"length"`
	} `json:"dataSlice"`
}

// config reads the i-th parameter, and refuses a slot that has not come yet.
func (c *rpcCall) configAt(i int) (rpcConfig, error) {
	var config rpcConfig
	if err := c.param(i, false, &config); err != nil {
		return config, err
	}
	if config.MinContextSlot != nil && *config.MinContextSlot > c.slotAt(config.Commitment) {
		return config, &rpcError{
			Code: rpcUnhealthySlot, Message: "Minimum context slot has not been reached",
			Data: map[string]uint64{"contextSlot": c.slotAt(config.Commitment)},
		}
	}
	return config, nil
}

// slotAt is the newest slot of a commitment; finalized where none is named.
func (c *rpcCall) slotAt(commitment string) uint64 { return c.slot() - c.lag(commitment) }

// inContext wraps a value with the slot that it holds for.
func (c *rpcCall) inContext(commitment string, value any) any {
	return map[string]any{
		"context": map[string]any{"apiVersion": nodeVersion, "slot": c.slotAt(commitment)},
		"value":   value,
	}
}

// nodeVersion is the one that the node claims.
const nodeVersion = "3.0.6"
