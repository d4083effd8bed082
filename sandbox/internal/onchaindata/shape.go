package onchaindata

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// kind is how an answer is written. What is not documented comes in each of them
// in turn.
type kind int

const (
	plain   kind = iota
	retyped      // with undocumented members; with drift, prices are numbers and counts strings
	sparse       // what has no value is left out; with drift, an empty list is null
)

// shape is a kind with or without the known deviations of live answers from the
// documented types: see Config.Drift.
type shape struct {
	kind  kind
	drift bool
}

const Shapes = 3

// exact writes all digits of a number, 70 and more for a small number, so that
// it is read back exactly.
func exact(x float64) string {
	text := strconv.FormatFloat(x, 'f', 120, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// dollars writes millionths of a dollar.
func dollars(micros int64) string {
	return strconv.FormatInt(micros/1e6, 10) + "." + strconv.FormatInt(1e6+micros%1e6, 10)[1:]
}

// text writes what is documented as a string.
func (s shape) text(number string) any {
	if s.kind == retyped && s.drift {
		return json.Number(number)
	}
	return number
}

func (s shape) price(x float64) any { return s.text(exact(x)) }

// dollars writes an amount that is rounded to four places.
func (s shape) dollars(x float64) any { return s.text(strconv.FormatFloat(x, 'f', 4, 64)) }

// percent is a null if there is nothing to compare with.
func (s shape) percent(x float64, known bool) any {
	if !known {
		return nil
	}
	if math.Abs(x) < 0.0005 {
		x = 0 // otherwise it is written as -0
	}
	return s.text(strconv.FormatFloat(x, 'f', 3, 64))
}

// count writes what is documented as a number.
func (s shape) count(n int64) any {
	if s.kind == retyped && s.drift {
		return strconv.FormatInt(n, 10)
	}
	return n
}

// words writes a text, or null if it is unknown.
func (s shape) words(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// attributes drops members without a value if the shape says so, also one level
// down.
func (s shape) attributes(all map[string]any) map[string]any {
	if s.kind != sparse {
		return all
	}
	for name, value := range all {
		switch v := value.(type) {
		case nil:
			delete(all, name)
		case map[string]any:
			s.attributes(v)
		}
	}
	return all
}

// list is null if there is nothing in it and the shape says so.
func (s shape) list(items []any) any {
	if len(items) == 0 {
		if s.kind == sparse && s.drift {
			return nil
		}
		return []any{}
	}
	return items
}

func stamp(second int64) string { return time.Unix(second, 0).UTC().Format(time.RFC3339) }
