package hostile

import (
	"bufio"
	_ "embed"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed testdata/oracle.txt
var documented string

// rule is a line of the oracle.
type rule struct {
	op, path  string
	kind      string
	low, high *big.Rat // nil for no bound
	decides   bool
	echo      bool // repeats the request, if its value is there
	filter    bool // the request asked that records have this value
	outcome   bool // says whether the call did what it was asked to
	null      bool // may be null, which says that it is not known, or that a list is empty
	hidden    bool // of an answer that is not shown
	unnamed   bool // the documentation does not say what it is called, so that it promises no form
	fits      int  // how many members it was the first to fit
}

// oracle is testdata/oracle.txt, in order.
type oracle struct {
	rules   []*rule
	hidden  []string    // the operations whose answers are not shown
	unnamed [][2]string // operations and the paths of members whose names are not shown
}

func newOracle(t *testing.T, text string) oracle {
	t.Helper()
	var all oracle
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if f[0] == "!shown" {
			if len(f) == 3 {
				all.unnamed = append(all.unnamed, [2]string{f[1], f[2]})
			} else {
				all.hidden = append(all.hidden, f[1])
			}
			continue
		}
		require.GreaterOrEqual(t, len(f), 5, line)
		r := &rule{op: f[0], path: f[1], kind: f[2], decides: f[4] == "decides"}
		require.Contains(t, kinds, r.kind, line)
		require.True(t, r.decides || f[4] == "free", line)
		if low, high, ok := strings.Cut(f[3], ".."); ok {
			r.low, r.high = bound(t, low), bound(t, high)
		}
		for _, mark := range f[5:] {
			r.echo = r.echo || mark == "echo"
			r.filter = r.filter || mark == "filter"
			r.outcome = r.outcome || mark == "outcome"
			r.null = r.null || mark == "null"
		}
		require.False(t, len(f) > 5 && !r.echo && !r.filter && !r.outcome && !r.null, line)
		all.rules = append(all.rules, r)
	}
	return all
}

func bound(t *testing.T, text string) *big.Rat {
	t.Helper()
	if text == "" {
		return nil
	}
	n, ok := new(big.Rat).SetString(text)
	require.True(t, ok, text)
	return n
}

// kinds are the kinds of members, with the values that none of them has. What is a number
// in the range of its member is no lie, and is left out there.
var kinds = map[string][]string{
	"int": append([]string{
		`-1`, `0`, `6.5`, `9007199254740993`, `9223372036854775808`, `18446744073709551616`, `1e400`, `1e3`, `"1e3"`,
	}, garbage...),
	"price": append([]string{`-1`, `1.5`, `101`, `1e400`, `1e-999999999999`, `1e999999999999`}, garbage...),
	"time":  append([]string{`-1`, `0`, `6.5`, `9007199254740993`, `9223372036854775808`, `1e400`}, garbage...),
	"iso":   {`-1`, `0`, `6.5`, `9007199254740993`, `"soon"`, `"2026-13-45T00:00:00Z"`, `"-1"`, `"NaN"`},
	"key":   {`"!!!"`, `"six"`, `"0OIl"`}, "sig": {`"!!!"`, `"six"`, `"0OIl"`},
	"opaque": {`"!!!"`}, // the documentation gives addresses and signatures there no form
	"tx64":   {`"!!!"`, `"six"`}, "tx58": {`"!!!"`, `"0OIl"`}, "b64": {`"!!!"`},
	"list": nil, "object": nil, "failure": nil, "id": nil, "word": nil, "text": nil, "flag": {`"perhaps"`, `7`},
}

var garbage = []string{`"+5"`, `".5"`, `" 5"`, `"NaN"`, `"Infinity"`, `"50%"`, `"soon"`, `"six"`, `"1,000"`}

// others are values of another kind in JSON than a member has.
var others = map[string][]string{
	"list": {`7`, `"x"`, `true`, `{"x":1}`, `{}`}, "object": {`7`, `"x"`, `true`, `["x"]`},
	"int": {`{"x":1}`, `[7]`, `true`}, "price": {`{"x":1}`, `[7]`, `true`}, "time": {`{"x":1}`, `[7]`, `true`},
	"iso": {`{"x":1}`, `[7]`, `true`}, "key": {`7`, `{"x":1}`, `["x"]`, `true`}, "sig": {`7`, `{"x":1}`, `["x"]`, `true`},
	"opaque": {`7`, `{"x":1}`, `["x"]`, `true`},
	"tx64":   {`7`, `{"x":1}`, `["x"]`, `true`}, "tx58": {`7`, `{"x":1}`, `["x"]`, `true`},
	"b64": {`7`, `{"x":1}`, `["x"]`, `true`}, "word": {`7`, `{"x":1}`, `["x"]`, `true`},
	"id": {`7`, `{"x":1}`, `["x"]`, `true`}, "text": {`7`, `{"x":1}`, `["x"]`, `true`}, "flag": {`{"x":1}`, `[true]`},
}

// isHidden reports whether the documentation does not show the answer of an operation.
func (o oracle) isHidden(op string) bool {
	return slices.ContainsFunc(o.hidden, func(pattern string) bool { return globbed(pattern, op) })
}

// isNamed reports whether the documentation says what a member is called.
func (o oracle) isNamed(op, path string) bool {
	return !o.isHidden(op) && !slices.ContainsFunc(o.unnamed, func(u [2]string) bool {
		return globbed(u[0], op) && fits(u[1], path)
	})
}

// of is the rule of a member. What no line fits is free.
func (o oracle) of(op string, m member) *rule {
	for _, r := range o.rules {
		if globbed(r.op, op) && fits(r.path, m.path) {
			r.fits++
			return r
		}
	}
	kind := map[byte]string{'n': "price", 'b': "flag", 's': "text", 'o': "object", 'a': "list"}[m.kind]
	return &rule{op: op, path: m.path, kind: kind}
}

// fits reports whether a pattern fits a path, or without "^" a path from a member's name on.
func fits(pattern, path string) bool {
	if at, ok := strings.CutPrefix(pattern, "^"); ok {
		return globbed(at, path)
	}
	for {
		if globbed(pattern, path) {
			return true
		}
		at := strings.IndexByte(path, '.')
		if at < 0 {
			return false
		}
		path = path[at+1:]
	}
}

// globbed matches a text against a pattern with at most one "*".
func globbed(pattern, text string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == text
	}
	return len(text) >= len(before)+len(after) && strings.HasPrefix(text, before) && strings.HasSuffix(text, after)
}

// holds reports whether a value, as JSON, is one that the member may have: an integer in
// digits alone, or a decimal as JSON writes it, bare or quoted, within bounds.
func (r *rule) holds(value string) bool {
	text := strings.Trim(value, `"`)
	n, ok := number(text)
	if !ok {
		return false
	}
	switch r.kind {
	case "int":
		if strings.ContainsAny(text, ".eE") || r.high == nil && n.Cmp(most) > 0 {
			return false
		}
	case "time":
		if strings.ContainsAny(text, ".eE") {
			return false
		}
		return n.Cmp(earliest) >= 0 && n.Cmp(latest) <= 0
	case "iso":
		return false
	}
	return r.within(value)
}

// within reports whether a value, as JSON, is a number within the bounds.
func (r *rule) within(value string) bool {
	n, ok := number(strings.Trim(value, `"`))
	return ok && r.kind != "time" && r.kind != "iso" && (r.low == nil || n.Cmp(r.low) >= 0) && (r.high == nil || n.Cmp(r.high) <= 0)
}

var (
	most     = new(big.Rat).SetUint64(1<<64 - 1)
	earliest = big.NewRat(946684800, 1)  // the year 2000
	latest   = big.NewRat(4102444800, 1) // and 2100
)

// number reads a number as JSON writes it, with an exponent of at most 400.
func number(text string) (*big.Rat, bool) {
	if !jsonNumber.MatchString(text) {
		return nil, false
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); ok {
		var e int
		if _, err := fmt.Sscan(exponent, &e); err != nil || e > 400 || e < -400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(text)
}
