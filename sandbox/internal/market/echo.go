package market

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Echoes are answers that clients must send back byte for byte.
type Echoes[T any] struct {
	Served map[string]T
	order  []string
}

// MostEchoes is how many answers are remembered.
const MostEchoes = 4096

// Keep remembers an answer and the value it was made from.
func (e *Echoes[T]) Keep(raw []byte, meaning T) {
	if e.Served == nil {
		e.Served = map[string]T{}
	}
	key := string(bytes.TrimSpace(raw))
	if _, known := e.Served[key]; !known {
		e.order = append(e.order, key)
	}
	e.Served[key] = meaning
	if len(e.order) > MostEchoes {
		delete(e.Served, e.order[0])
		e.order = slices.Clone(e.order[1:])
	}
}

// Find returns the value of an answer that a client sent back, and false if it
// was not served in exactly these bytes.
func (e *Echoes[T]) Find(raw []byte) (T, bool) {
	meaning, ok := e.Served[string(bytes.TrimSpace(raw))]
	return meaning, ok
}

// Disguises is how many forms an answer that must come back can have.
const Disguises = 2

// extras are undocumented members, written so that a client that decodes and
// encodes again, or compacts, would change them.
const extras = `"trace":{"note":"a<b>&c\/d \u00e9\u2028","ratio":1.50,"big":123456789012345678901234567890,"exp":1E+2,"tags":[ ],"none":null},`

// Disguise writes an object with unknown members in it and, in the second
// form, with white space wherever JSON allows it.
func Disguise(object any, form int) []byte {
	raw := kit.MustJSON(object)
	raw = slices.Concat(raw[:1], []byte(extras), raw[1:])
	if form == 0 {
		return raw
	}
	var spaced bytes.Buffer
	if err := json.Indent(&spaced, raw, "\t ", " \r"); err != nil {
		panic("sandbox: an answer is not JSON: " + err.Error())
	}
	return spaced.Bytes()
}
