package sandbox

import (
	"bytes"
	"encoding/json"
	"slices"
)

// poolEchoes are answers that must come back as they were served, to the byte.
type poolEchoes[T any] struct {
	served map[string]T
	order  []string
}

// poolMostEchoes is how many answers are remembered.
const poolMostEchoes = 4096

// keep remembers an answer and what it stands for.
func (e *poolEchoes[T]) keep(raw []byte, meaning T) {
	if e.served == nil {
		e.served = map[string]T{}
	}
	key := string(bytes.TrimSpace(raw))
	if _, known := e.served[key]; !known {
		e.order = append(e.order, key)
	}
	e.served[key] = meaning
	if len(e.order) > poolMostEchoes {
		delete(e.served, e.order[0])
		e.order = slices.Clone(e.order[1:])
	}
}

// find returns what an answer that came back stands for, false where it is none
// that was served.
func (e *poolEchoes[T]) find(raw []byte) (T, bool) {
	meaning, ok := e.served[string(bytes.TrimSpace(raw))]
	return meaning, ok
}

// poolDisguises is how many forms an answer that must come back can have.
const poolDisguises = 2

// poolExtras are members that no document mentions, written in ways that a
// client which decodes and encodes again, or compacts, would change.
const poolExtras = `"trace":{"note":"a<b>&c\/d \u00e9\u2028","ratio":1.50,"big":123456789012345678901234567890,"exp":1E+2,"tags":[ ],"none":null},`

// poolDisguise writes an object with unknown members in it and, in the second
// form, with white space wherever JSON allows it.
func poolDisguise(object any, form int) []byte {
	raw := mustJSON(object)
	raw = slices.Concat(raw[:1], []byte(poolExtras), raw[1:])
	if form == 0 {
		return raw
	}
	var spaced bytes.Buffer
	if err := json.Indent(&spaced, raw, "\t ", " \r"); err != nil {
		panic("sandbox: an answer that is no JSON: " + err.Error())
	}
	return spaced.Bytes()
}
