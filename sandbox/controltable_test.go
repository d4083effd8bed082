package sandbox

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/control"
)

// notControls are exported methods and functions without a route, and why.
var notControls = map[string]string{
	"Sandbox.Transport":    "carries requests in the process itself",
	"Sandbox.Options":      "is for clients of this module",
	"Sandbox.AdvanceUntil": "takes a function",
	"Start":                "opens what has the routes",
}

// adapted are the controls whose route has a form of its own, since theirs has
// none in JSON.
var adapted = map[string]string{
	"/advance": "one call moves the clock by at most 366 days",
	"/attack":  "a function", "/fault": "says what can never happen", "/drain": "a function", "/hits": "keys that are no text", "/wallet": "a Solana key file's form",
	"/violations": "filters", "/violation-groups": "filters",
	"/close": "ends what answers", "/services": "a function of the package", "/session-key-message": "a function of the package",
}

// withoutMethod are the routes that add to the controls.
var withoutMethod = []string{"/info", "/advance-until", "/attack/stop", "/sign-transaction", "/sign-message"}

// TestControlTableHasEveryControl walks the methods of the door and its handles by
// reflection, and the package's functions in its source: each has its row, with
// the method itself in it.
func TestControlTableHasEveryControl(t *testing.T) {
	rows := map[string]control.Row{}
	for _, r := range append(sandboxControls(nil), handleControls()...) {
		rows[r.Path] = r
	}
	seen := map[string]bool{}
	// A handle that takes arguments has them before those of its methods.
	var walk func(of reflect.Type, path string, before []reflect.Type)
	walk = func(of reflect.Type, path string, before []reflect.Type) {
		for m := range of.Methods() {
			takes := slices.Collect(m.Type.Ins())
			if m.Type.NumOut() == 1 && strings.HasSuffix(m.Type.Out(0).Name(), "Handle") {
				into := []reflect.Type{m.Type.Out(0)}
				if len(takes) > 1 {
					into = append(slices.Clone(before), takes[1:]...)
				}
				walk(m.Type.Out(0), path+"/"+strings.ToLower(m.Name), into)
				continue
			}
			name := strings.TrimPrefix(of.String(), "*")
			if notControls[strings.TrimPrefix(name, "sandbox.")+"."+m.Name] != "" {
				continue
			}
			at := path + "/" + control.Kebab(m.Name)
			row, ok := rows[at]
			if !assert.True(t, ok, "%s.%s has no row: its path would be %s", name, m.Name, at) {
				continue
			}
			seen[at] = true
			if adapted[at] == "" {
				want := reflect.FuncOf(append(slices.Clone(before), takes[1:]...), slices.Collect(m.Type.Outs()), m.Type.IsVariadic())
				assert.Equal(t, want, reflect.TypeOf(row.Do), "%s is another function than %s.%s", at, name, m.Name)
			}
		}
	}
	walk(reflect.TypeFor[*Sandbox](), "", []reflect.Type{reflect.TypeFor[*Sandbox]()})
	require.Greater(t, len(seen), 60, "the walk saw next to nothing")
	for _, name := range functions(t) {
		if notControls[name] == "" {
			at := "/" + control.Kebab(name)
			assert.Contains(t, rows, at, "the function %s has no row", name)
			seen[at] = true
		}
	}
	for _, path := range withoutMethod {
		assert.Contains(t, rows, path)
		seen[path] = true
	}
	for path := range rows {
		assert.True(t, seen[path], "the row %s is of no control", path)
	}
	assert.Len(t, seen, len(rows))
}

// functions are the package's exported functions.
func functions(t *testing.T) (names []string) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
				names = append(names, f.Name.Name)
			}
		}
	}
	require.Contains(t, names, "Start")
	return names
}
