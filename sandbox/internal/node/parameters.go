package node

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// counted refuses too few parameters and too many, in the words of the library that agave has for
// its methods. They differ with what a method takes: nothing, only what it must have, or more.
func (c *call) counted(least, most int) {
	n := len(c.params)
	switch {
	case n >= least && n <= most:
	case most == 0:
		panic(detailed("No parameters were expected", "Array("+debugged(c.params)+")"))
	case least == most && c.params == nil:
		panic(bad("invalid type: null, expected a tuple of size %d", least))
	case least == most && n < least:
		panic(bad("invalid length %d, expected a tuple of size %d", n, least))
	case least == most:
		panic(bad("invalid length %d, expected fewer elements in array", n))
	case n < least:
		panic(fail(params, "`params` should have at least %d argument(s)", least))
	default:
		what := fmt.Sprintf("Expected from %d to %d parameters.", least, most)
		panic(detailed(what, fmt.Sprintf(`"Got: %d"`, n)))
	}
}

func detailed(what, details string) *callError {
	return &callError{Code: params, Message: "Invalid parameters: " + what, Data: details}
}

// debugged writes values as Rust does for those who look for a mistake.
func debugged(values []json.RawMessage) string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = debug(v)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func debug(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	var values []json.RawMessage
	switch c := raw[0]; {
	case c == 'n':
		return "Null"
	case c == 't' || c == 'f':
		return "Bool(" + string(raw) + ")"
	case c == '"':
		return "String(" + string(raw) + ")"
	case c == '[' && json.Unmarshal(raw, &values) == nil:
		return "Array " + debugged(values)
	case c == '{':
		return "Object {" + members(raw) + "}"
	}
	return "Number(" + string(raw) + ")"
}

// members writes those of an object, by name.
func members(raw json.RawMessage) string {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return ""
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		all = append(all, fmt.Sprintf("%q: %s", name, debug(object[name])))
	}
	return strings.Join(all, ", ")
}
