package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
)

// swapSlippage is basis points, or nil where the service is to choose.
type swapSlippage struct{ bps *uint64 }

// UnmarshalText reads a query parameter.
func (s *swapSlippage) UnmarshalText(text []byte) error {
	if string(text) == "auto" {
		return nil
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil || n > 10_000 {
		return errors.New("is neither auto nor 0 to 10000")
	}
	s.bps = &n
	return nil
}

// swapPriority is one of the six forms of a priority fee.
type swapPriority struct {
	form       swapPriorityForm
	level      string
	lamports   uint64 // exact, most, or the tip
	multiplier float64
}

type swapPriorityForm int

const (
	swapAuto swapPriorityForm = iota
	swapDisabled
	swapLevel
	swapExact
	swapMultiplied
	swapTip
)

var errSwapPriority = errors.New("is none of the six forms of a priority fee")

// UnmarshalText reads a query parameter: a word, a number, or an object as
// JSON.
func (p *swapPriority) UnmarshalText(text []byte) error {
	if len(text) > 0 && text[0] == '{' {
		return p.readObject(text)
	}
	if p.readWord(string(text)) {
		return nil
	}
	return p.readNumber(text)
}

// UnmarshalJSON reads a body's field: a string, a number or an object.
func (p *swapPriority) UnmarshalJSON(raw []byte) error {
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

func (p *swapPriority) readWord(word string) bool {
	switch word {
	case "auto":
		p.form = swapAuto
	case "disabled":
		p.form = swapDisabled
	default:
		return false
	}
	return true
}

func (p *swapPriority) readNumber(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return errSwapPriority
	}
	p.form, p.lamports = swapExact, n
	return nil
}

// readObject reads one of the three objects; members of two forms are none.
func (p *swapPriority) readObject(raw []byte) error {
	names, values, err := members(raw)
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
		return ok && !bytes.Equal(value, []byte("null")) && json.Unmarshal(value, into) == nil
	}
	switch {
	case len(seen) == 1 && read("priorityLevel", &p.level) && swapLevels[p.level] > 0:
		p.form = swapLevel
	case len(seen) == 1 && read("bundleTipLamports", &p.lamports):
		p.form = swapTip
	case len(seen) == 2 && read("autoMultiplier", &p.multiplier) && read("maxLamports", &p.lamports) && p.multiplier > 0:
		p.form = swapMultiplied
	default:
		return errSwapPriority
	}
	return nil
}
