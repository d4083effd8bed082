package swap

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// slippage is basis points, or nil if the service is to choose.
type slippage struct{ bps *uint64 }

// UnmarshalText reads a query parameter.
func (s *slippage) UnmarshalText(text []byte) error {
	if string(text) == "auto" {
		return nil
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || n > 10_000 || !kit.IsInteger(string(text)) {
		return errors.New("is neither auto nor 0 to 10000")
	}
	s.bps = &n
	return nil
}

// priority is one of the six forms of a priority fee.
type priority struct {
	form       priorityForm
	level      string
	lamports   uint64 // exact, most, or the tip
	multiplier float64
}

type priorityForm int

const (
	auto priorityForm = iota
	disabled
	level
	exact
	multiplied
	tip
)

var errSwapPriority = errors.New("is none of the six forms of a priority fee")

// UnmarshalText reads a query parameter: a word, a number, or an object as
// JSON.
func (p *priority) UnmarshalText(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		return p.readObject(text)
	}
	if p.readWord(string(text)) {
		return nil
	}
	return p.readNumber(text)
}

// UnmarshalJSON reads a body's field: a string, a number or an object.
func (p *priority) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) > 0 && raw[0] == '{':
		return p.readObject(raw)
	case len(raw) > 0 && raw[0] == '"':
		var word string
		if json.Unmarshal(raw, &word) != nil || !p.readWord(word) {
			return errSwapPriority
		}
		return nil
	}
	return p.readNumber(raw)
}

func (p *priority) readWord(word string) bool {
	form, ok := map[string]priorityForm{"auto": auto, "disabled": disabled}[word]
	p.form = form
	return ok
}

func (p *priority) readNumber(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || !kit.IsInteger(string(text)) {
		return errSwapPriority
	}
	p.form, p.lamports = exact, n
	return nil
}

// readObject reads one of the three objects. Members of two forms together are
// an error.
func (p *priority) readObject(raw []byte) error {
	names, values, err := kit.Members(raw)
	if err != nil {
		return errSwapPriority
	}
	seen := map[string]json.RawMessage{}
	for i, name := range names {
		if _, twice := seen[name]; twice {
			return errSwapPriority
		}
		seen[name] = values[i]
	}
	read := func(name string, into any) bool {
		value, ok := seen[name]
		if _, whole := into.(*uint64); whole && !kit.IsInteger(string(value)) {
			return false
		}
		return ok && !bytes.Equal(value, []byte("null")) && json.Unmarshal(value, into) == nil
	}
	switch {
	case len(seen) == 1 && read("priorityLevel", &p.level) && levels[p.level] > 0:
		p.form = level
	case len(seen) == 1 && read("bundleTipLamports", &p.lamports):
		p.form = tip
	case len(seen) == 2 && read("autoMultiplier", &p.multiplier) && read("maxLamports", &p.lamports) && p.multiplier > 0:
		p.form = multiplied
	default:
		return errSwapPriority
	}
	return nil
}
