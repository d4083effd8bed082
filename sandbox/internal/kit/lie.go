package kit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// failure is the text that LieFailure writes first into an answer.
const failure = `"success":false,"error":{"code":"LIE","message":"it failed"}`

// Lied is a body in which a fault's member is wrong.
func Lied(body []byte, f play.Fault) []byte {
	if f.Lie == play.LieFailure {
		inside, ok := bytes.CutPrefix(bytes.TrimSpace(body), []byte("{"))
		if !ok {
			return body
		}
		if string(inside) == "}" {
			return []byte("{" + failure + "}")
		}
		return slices.Concat([]byte("{"+failure+","), inside)
	}
	return lieAt(body, strings.Split(f.Member, "."), f.Lie)
}

// lieAt makes wrong what a path leads to. A step of it is a member's name, or * for each
// member of an object and each element of a list.
func lieAt(value json.RawMessage, path []string, lie play.Lie) json.RawMessage {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch {
	case path[0] == "*" && json.Unmarshal(value, &list) == nil:
		for i := range list {
			if len(path) > 1 {
				list[i] = lieAt(list[i], path[1:], lie)
			} else {
				list[i] = wrong(list[i], lie)
			}
		}
		return written(list)
	case json.Unmarshal(value, &object) != nil || object == nil:
		return value
	}
	doubled := ""
	for name, inner := range object {
		switch {
		case path[0] != "*" && path[0] != name:
		case len(path) > 1:
			object[name] = lieAt(inner, path[1:], lie)
		case lie == play.LieMissing:
			delete(object, name)
		case lie == play.LieRepeated:
			doubled += string(written(name)) + ":" + string(wrong(inner, play.LieOther)) + ","
		default:
			object[name] = wrong(inner, lie)
		}
	}
	text := written(object)
	return slices.Concat([]byte("{"+doubled), text[1:])
}

// wrong is a lie in the place of a value.
func wrong(value json.RawMessage, lie play.Lie) json.RawMessage {
	scalar := !strings.ContainsAny(string(value[:1]), "{[")
	isText := value[0] == '"'
	says := func(scalar string) json.RawMessage {
		if isText {
			return json.RawMessage(`"` + scalar + `"`)
		}
		return json.RawMessage(scalar)
	}
	switch {
	case lie == play.LieNull:
		return json.RawMessage("null")
	case lie == play.LieKind && scalar:
		return json.RawMessage(`{"lie":[1]}`)
	case lie == play.LieKind || lie == play.LieGarbage:
		return json.RawMessage(`"!!!"`)
	case lie == play.LieRange:
		return says("-1e9999")
	case lie == play.LieLong:
		return says(strings.Repeat("9", 2000))
	case lie == play.LieZero:
		return says("0")
	}
	return other(value)
}

// other is another value of the same kind: of a number and of a digit at the end of a text
// the one before, so that an amount is less.
func other(value json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch text := string(value); {
	case text == "true":
		return json.RawMessage("false")
	case text == "false":
		return json.RawMessage("true")
	case json.Unmarshal(value, &list) == nil:
		for i := range list {
			list[i] = other(list[i])
		}
		return written(list)
	case json.Unmarshal(value, &object) == nil:
		for name := range object {
			object[name] = other(object[name])
		}
		return written(object)
	}
	at := bytes.LastIndexAny(value, "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if at < 0 {
		return json.RawMessage(`"1"`)
	}
	changed := bytes.Clone(value)
	switch c := changed[at]; c {
	case '1', 'a', 'A':
		changed[at] = c + 1
	default:
		changed[at] = c - 1
	}
	if !json.Valid(changed) { // it was the letter of an escape
		return json.RawMessage(`"other"`)
	}
	return changed
}

func written(v any) json.RawMessage {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // it was read from JSON
	}
	return bytes.TrimSpace(text.Bytes())
}
