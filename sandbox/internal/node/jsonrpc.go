package node

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// request is one call. Without an ID it is a notification, which nodes neither carry out
// nor answer.
type request struct {
	Version string
	ID      json.RawMessage
	Method  string
	Params  []json.RawMessage
	problem *callError // that it cannot be carried out
}

type answer struct {
	Version string          `json:"jsonrpc,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *callError      `json:"error,omitempty"`
	ID      json.RawMessage `json:"id"`
}

var null = json.RawMessage("null")

// replyTo carries the calls of a text out and returns the reply to all of them, nil if
// there is none. It reads as the library of agave does.
func replyTo(text []byte, carryOut func(q request, out *answer)) []byte {
	requests, batch, ok := readRPC(text)
	if !ok {
		return kit.MustJSON(answer{Version: "2.0", Error: fail(parse, "Parse error"), ID: null})
	}
	var answers []answer
	for _, q := range requests {
		if q.ID == nil {
			continue
		}
		out := answer{Version: q.Version, ID: q.ID, Error: q.problem}
		if q.problem == nil {
			carryOut(q, &out)
		}
		answers = append(answers, out)
	}
	switch {
	case len(answers) == 0:
		return nil
	case batch:
		return kit.MustJSON(answers)
	}
	return kit.MustJSON(answers[0])
}

// readRPC reads a call or a batch of calls. One that cannot be read at all spoils the batch.
func readRPC(text []byte) (requests []request, batch, ok bool) {
	var all []json.RawMessage
	if batch = bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")); !batch {
		all = []json.RawMessage{text}
	} else if json.Unmarshal(text, &all) != nil {
		return nil, batch, false
	}
	for _, one := range all {
		var members map[string]json.RawMessage
		if json.Unmarshal(one, &members) != nil || members == nil || !identifies(members["id"]) {
			return nil, batch, false
		}
		requests = append(requests, readCall(members))
	}
	return requests, batch, true
}

// identifies reports whether an ID is one: a string, an unsigned number or null.
func identifies(id json.RawMessage) bool {
	_, err := strconv.ParseUint(string(id), 10, 64)
	return id == nil || bytes.Equal(id, null) || id[0] == '"' || err == nil
}

func readCall(members map[string]json.RawMessage) request {
	q := request{ID: members["id"]}
	version, versioned := members["jsonrpc"]
	known := json.Unmarshal(members["method"], &q.Method) == nil && !bytes.Equal(members["method"], null)
	switch given := members["params"]; {
	case given == nil || bytes.Equal(given, null):
	case given[0] == '{':
		q.problem = fail(params, "`params` should be an array")
	default:
		known = known && json.Unmarshal(given, &q.Params) == nil
	}
	for name := range members {
		known = known && (name == "jsonrpc" || name == "method" || name == "params" || name == "id")
	}
	switch {
	case !known || versioned && !bytes.Equal(version, null) && string(version) != `"2.0"`:
		q.Version, q.problem = "2.0", fail(invalid, "Invalid request")
		if q.ID == nil {
			q.ID = null
		}
	case !versioned || bytes.Equal(version, null): // the answer has none either
		q.problem = fail(invalid, "Unsupported JSON-RPC protocol version")
	default:
		q.Version = "2.0"
	}
	return q
}
