// Package control serves the controls of a sandbox as JSON over HTTP, from one
// table: the routes, the reading of arguments, the answers and the OpenAPI file
// all follow from its rows.
package control

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// Row is a control and its route.
type Row struct {
	Method string // GET takes its arguments in the query, POST in a JSON body
	Path   string
	// Do is the control: a function whose first argument is what it controls, such
	// as a method expression. Its last result may be an error. A result of type
	// func() undoes what was done; the answer has its id, for the route /undo.
	Do any
	// In and Out name the arguments behind the first and the results before the
	// error, separated by blanks. An argument whose name ends in ? may be absent.
	In, Out string
	Does    string // what it does, one sentence
	// After runs once the answer is on its way. May be nil.
	After func()
}

// argument is an argument or a result of a control.
type argument struct {
	name     string
	optional bool
	typ      reflect.Type
}

// route is a row, checked.
type route struct {
	Row
	do       reflect.Value
	on       reflect.Value // the first argument
	in, out  []argument
	fails    bool // whether the last result is an error
	variadic bool
}

var errorType, undoType = reflect.TypeFor[error](), reflect.TypeFor[func()]()

// newRoute checks a row. It panics if the row contradicts its function: the table
// is part of the program.
func newRoute(r Row, subjects []any) route {
	do := reflect.ValueOf(r.Do)
	t := do.Type()
	out := t.NumOut()
	v := route{Row: r, do: do, variadic: t.IsVariadic()}
	if out > 0 && t.Out(out-1) == errorType {
		v.fails, out = true, out-1
	}
	names := strings.Fields(r.In)
	results := strings.Fields(r.Out)
	if len(names) != t.NumIn()-1 || len(results) != out {
		panic(fmt.Sprintf("sandbox: the row %s names %d arguments and %d results, its function has %d and %d", r.Path, len(names), len(results), t.NumIn()-1, out))
	}
	for i, name := range names {
		name, optional := strings.CutSuffix(name, "?")
		v.in = append(v.in, argument{name, optional, t.In(i + 1)})
	}
	for i, name := range results {
		v.out = append(v.out, argument{name: name, typ: t.Out(i)})
	}
	for _, s := range subjects {
		if reflect.TypeOf(s) == t.In(0) {
			v.on = reflect.ValueOf(s)
		}
	}
	if !v.on.IsValid() {
		panic(fmt.Sprintf("sandbox: the row %s controls a %s, which is not there", r.Path, t.In(0)))
	}
	return v
}

// words splits a Go name: EmitUTXO is emit and utxo.
func words(name string) (all []string) {
	runes := []rune(name)
	start := 0
	for i := 1; i < len(runes); i++ {
		begins := unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
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
