package sandbox

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// onchainShape is how an answer is written. What is not documented comes in
// each of them in turn, and so do the ways in which live answers stray from
// what is.
type onchainShape int

const (
	onchainPlain   onchainShape = iota // prices are strings, counts numbers
	onchainRetyped                     // prices are numbers, counts strings
	onchainSparse                      // what has no value is left out, an empty list is null
)

const onchainShapes = 3

// onchainExact writes all the digits of a number, of which a small one has 70 and
// more: what is read from it is the very same number.
func onchainExact(x float64) string {
	text := strconv.FormatFloat(x, 'f', 120, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// onchainDollars writes millionths of a dollar.
func onchainDollars(micros int64) string {
	return strconv.FormatInt(micros/1e6, 10) + "." + strconv.FormatInt(1e6+micros%1e6, 10)[1:]
}

// text writes what is documented as a string.
func (s onchainShape) text(number string) any {
	if s == onchainRetyped {
		return json.Number(number)
	}
	return number
}

func (s onchainShape) price(x float64) any { return s.text(onchainExact(x)) }

// dollars writes an amount that is rounded to four places.
func (s onchainShape) dollars(x float64) any {
	return s.text(strconv.FormatFloat(x, 'f', 4, 64))
}

// percent is a null where there is nothing to compare with.
func (s onchainShape) percent(x float64, known bool) any {
	if !known {
		return nil
	}
	if math.Abs(x) < 0.0005 {
		x = 0 // or else it is written as minus nothing
	}
	return s.text(strconv.FormatFloat(x, 'f', 3, 64))
}

// count writes what is documented as a number.
func (s onchainShape) count(n int64) any {
	if s == onchainRetyped {
		return strconv.FormatInt(n, 10)
	}
	return n
}

// words writes a text that may not be known.
func (s onchainShape) words(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// attributes leaves out what has no value where the shape says so, one level
// down too.
func (s onchainShape) attributes(all map[string]any) map[string]any {
	if s != onchainSparse {
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

// list is null where there is nothing in it and the shape says so.
func (s onchainShape) list(items []any) any {
	if len(items) == 0 {
		if s == onchainSparse {
			return nil
		}
		return []any{}
	}
	return items
}

func onchainTime(second int64) string { return time.Unix(second, 0).UTC().Format(time.RFC3339) }
