// Package control serves the controls of a sandbox as JSON over HTTP, from one
// table: the routes, the reading of arguments, the answers and the OpenAPI file
// all follow from its rows.
package control

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Row is a control and its route.
type Row struct {
	Method string // GET takes its arguments in the query, POST in a JSON body
	Path   string
	Does   string // what it does, one sentence
	// Do is the control: a function whose first argument it controls, such
	// as a method expression. Its last result may be an error. A result of type
	// func() undoes what was done; the answer has its id, for the route /undo.
	Do any

	in, out []argument
	do      reflect.Value
	on      func() reflect.Value // the first argument
	fails   bool                 // whether the last result is an error
	after   func()               // runs once the answer is on its way; may be nil
}

// argument is an argument or a result of a control.
type argument struct {
	name     string
	optional bool
	typ      reflect.Type
}

var errorType, undoType = reflect.TypeFor[error](), reflect.TypeFor[func()]()

// NewRow makes a row. A route is a method and a path. form names the arguments behind
// the first and the results before the error, as in "address lamports? -> found"; an
// argument whose name ends in ? may be absent. NewRow panics if the form contradicts the
// function: the table is part of the program.
func NewRow(route, form, does string, do any) Row {
	r := Row{Does: does, Do: do, do: reflect.ValueOf(do)}
	r.Method, r.Path, _ = strings.Cut(route, " ")
	t := r.do.Type()
	out := t.NumOut()
	if out > 0 && t.Out(out-1) == errorType {
		r.fails, out = true, out-1
	}
	arguments, results, _ := strings.Cut(form, "->")
	for _, name := range strings.Fields(arguments) {
		name, optional := strings.CutSuffix(name, "?")
		r.in = append(r.in, argument{name: name, optional: optional})
	}
	for _, name := range strings.Fields(results) {
		r.out = append(r.out, argument{name: name})
	}
	if len(r.in) != t.NumIn()-1 || len(r.out) != out {
		panic(fmt.Sprintf("sandbox: the row %s names %d arguments and %d results, its function has %d and %d",
			route, len(r.in), len(r.out), t.NumIn()-1, out))
	}
	for i := range r.in {
		r.in[i].typ = t.In(i + 1)
	}
	for i := range r.out {
		r.out[i].typ = t.Out(i)
	}
	return r
}

// Then makes the row run after once its answer is on its way.
func (r Row) Then(after func()) Row {
	r.after = after
	return r
}

// bind gives the row what its function controls, one of the subjects.
func (r *Row) bind(subjects func() []any) {
	first := r.do.Type().In(0)
	at := slices.IndexFunc(subjects(), func(s any) bool { return reflect.TypeOf(s) == first })
	if at < 0 {
		panic(fmt.Sprintf("sandbox: the row %s controls a %s, which is not there", r.Path, first))
	}
	r.on = func() reflect.Value { return reflect.ValueOf(subjects()[at]) }
}

// words splits a Go name: EmitUTXO is emit and utxo.
func words(name string) (all []string) {
	runes := []rune(name)
	start := 0
	for i := 1; i < len(runes); i++ {
		last := !unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if unicode.IsUpper(runes[i]) && last {
			all, start = append(all, strings.ToLower(string(runes[start:i]))), i
		}
	}
	return append(all, strings.ToLower(string(runes[start:])))
}

// Kebab is a Go name as a segment of a path: SetPrice is set-price.
func Kebab(name string) string { return strings.Join(words(name), "-") }

// camel is a Go name as a member of an object: TxID is txId.
func camel(name string) string {
	all := words(name)
	for i := 1; i < len(all); i++ {
		all[i] = strings.ToUpper(all[i][:1]) + all[i][1:]
	}
	return strings.Join(all, "")
}
