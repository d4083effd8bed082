package amm

import (
	"encoding/json"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// names are the envelope's member names.
type names struct{ id, success, msg, data string }

var neutralNames = names{"id", "success", "msg", "data"}

// liveNames are the names before translation: the envelope is taken off the
// bytes as they came, so that what it holds can be echoed.
func liveNames(v walletfi.Vocabulary) names {
	live := func(name string) string {
		if word := v.Keys[name]; word != "" {
			return word
		}
		return name
	}
	n := neutralNames
	return names{live(n.id), live(n.success), live(n.msg), live(n.data)}
}

// wrapped is an answer taken apart.
type wrapped struct {
	id, msg string
	success *bool // nil where it is not said
	data    json.RawMessage
}

// open takes an answer apart; false where it is no JSON object.
func (n names) open(body []byte) (wrapped, bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || members == nil {
		return wrapped{}, false
	}
	w := wrapped{id: text(members[n.id]), msg: text(members[n.msg]), data: members[n.data]}
	switch strings.ToLower(text(members[n.success])) {
	case "true", "1":
		w.success = new(true)
	case "false", "0":
		w.success = new(false)
	}
	if string(w.data) == "null" {
		w.data = nil
	}
	return w, true
}

// refused: said so, or a message stands where the data is due.
func (w wrapped) refused() bool {
	if w.success != nil {
		return !*w.success
	}
	return w.data == nil && w.msg != ""
}

// accept is transport.Config.Accept. What is no envelope is passed on whole, so
// that whoever decodes it says what is wrong.
func (n names) accept(body []byte) ([]byte, bool) {
	w, ok := n.open(body)
	switch {
	case !ok:
		return body, true
	case w.refused():
		return nil, false
	case w.data == nil && w.success == nil:
		return body, true
	}
	return w.data, true
}

// text is a JSON scalar as text, empty for null, an object or an array.
func text(raw json.RawMessage) string {
	var s string
	switch {
	case len(raw) == 0 || raw[0] == '{' || raw[0] == '[' || raw[0] == 'n':
		return ""
	case raw[0] != '"':
		return string(raw)
	case json.Unmarshal(raw, &s) != nil:
		return ""
	}
	return s
}
