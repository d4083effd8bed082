package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const before = `package pool

import "time"

// Most is the most.
const Most int = 5

const Name = "pool"

var Err error

type Kind string

func New(size int, opts ...string) (*Pool, error) { return nil, nil }

func Gone() {}

func Map[K comparable, V any](m map[K]V) []V { return nil }

type Pool struct {
	Size    int
	Wait    time.Duration
	OnClose func(name string) error
	hidden  int
}

func (p *Pool) Close() error { return nil }

func (p Pool) Len() int { return 0 }

type Store interface {
	Get(key string) (string, error)
}

type Closed interface {
	Close() error
	sealed()
}

type base struct{}

func (base) Promoted() {}

type Child struct{ base }

type Alias = Pool
`

// write writes a module with a package and an internal one.
func write(t *testing.T, dir, source string) {
	t.Helper()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26.0\n", "pool/pool.go": source,
		"internal/hidden/hidden.go": "package hidden\n\nfunc Seen() {}\n", "cmd/x/main.go": "package main\n\nfunc main() {}\n",
		"e2e/world/world.go": "package world\n\nfunc Draw() {}\n",
		"m.go":               "package m\n\nfunc Root() {}\n",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
}

func check(t *testing.T, dir, except string, write bool) (bool, string) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	var out strings.Builder
	ok, err := run(&out, dir, filepath.Join(dir, "api.txt"), except, write)
	require.NoError(t, err)
	return ok, strings.ReplaceAll(out.String(), filepath.Join(dir, "api.txt")+": ", "")
}

func TestLines(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, before)
	ok, said := check(t, dir, "", true)
	require.True(t, ok, said)
	lines, err := read(filepath.Join(dir, "api.txt"))
	require.NoError(t, err)
	require.Equal(t, strings.Split(strings.TrimSpace(`
pkg m, func Root()
pkg pool, const Most = 5
pkg pool, const Most int
pkg pool, const Name = "pool"
pkg pool, const Name untyped string
pkg pool, func Gone()
pkg pool, func Map[K comparable, V any](map[K]V) []V
pkg pool, func New(int, ...string) (*Pool, error)
pkg pool, method (*Pool) Close() error
pkg pool, method (Child) Promoted()
pkg pool, method (Pool) Len() int
pkg pool, type Alias = Pool
pkg pool, type Child struct
pkg pool, type Child struct, comparable
pkg pool, type Closed interface, Close() error
pkg pool, type Closed interface, unexported methods
pkg pool, type Kind string
pkg pool, type Pool struct
pkg pool, type Pool struct, OnClose func(string) error
pkg pool, type Pool struct, Size int
pkg pool, type Pool struct, Wait time.Duration
pkg pool, type Store interface { Get }
pkg pool, type Store interface, Get(string) (string, error)
pkg pool, var Err error`), "\n"), lines)
	ok, said = check(t, dir, "", false)
	require.True(t, ok, said)
}

// TestBreaks: each change that breaks somebody's program is reported.
func TestBreaks(t *testing.T) {
	for name, row := range map[string]struct{ old, new, gone string }{
		"a removed function":         {"func Gone() {}", "", "func Gone()"},
		"a function made a variable": {"func Gone() {}", "var Gone func()", "func Gone()"},
		"a changed signature":        {"size int,", "size int64,", "func New(int, ...string) (*Pool, error)"},
		"no longer variadic":         {"opts ...string", "opts []string", "func New(int, ...string) (*Pool, error)"},
		"another result":             {"Len() int { return 0", "Len() int64 { return 0", "method (Pool) Len() int"},
		"a removed method":           {"func (p *Pool) Close() error { return nil }", "", "method (*Pool) Close() error"},
		"a method of the pointer":    {"func (p Pool) Len()", "func (p *Pool) Len()", "method (Pool) Len() int"},
		"a promoted method":          {"type Child struct{ base }", "type Child struct{}", "method (Child) Promoted()"},
		"an added interface method":  {"\tGet(key", "\tPut()\n\tGet(key", "type Store interface { Get }"},
		"a changed interface method": {"Get(key string)", "Get(key []byte)", "type Store interface, Get(string) (string, error)"},
		"a sealed interface":         {"\tGet(key", "\tx()\n\tGet(key", "type Store interface { Get }"},
		"a changed constant's type":  {"Most int = 5", "Most uint = 5", "const Most int"},
		"a changed constant":         {"Most int = 5", "Most int = 6", "const Most = 5"},
		"a typed constant":           {`Name = "pool"`, `Name Kind = "pool"`, "const Name untyped string"},
		"a removed field":            {"\tSize    int\n", "", "type Pool struct, Size int"},
		"a changed field":            {"Wait    time.Duration", "Wait    int64", "type Pool struct, Wait time.Duration"},
		"a changed callback":         {"func(name string) error", "func(name string)", "type Pool struct, OnClose func(string) error"},
		"no longer comparable":       {"type Child struct{ base }", "type Child struct{ base; f func() }", "type Child struct, comparable"},
		"another kind":               {"type Kind string", "type Kind int", "type Kind string"},
		"another constraint":         {"K comparable", "K ~string", "func Map[K comparable, V any](map[K]V) []V"},
		"a changed variable":         {"var Err error", "var Err string", "var Err error"},
		"another alias":              {"type Alias = Pool", "type Alias = Child", "type Alias = Pool"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, before)
			check(t, dir, "", true)
			require.Contains(t, before, row.old)
			write(t, dir, strings.Replace(before, row.old, row.new, 1)+"\nvar _ time.Duration\n")
			ok, said := check(t, dir, "", false)
			require.False(t, ok)
			require.Contains(t, said, "gone or changed: pkg pool, "+row.gone+"\n")
			ok, _ = check(t, dir, "", true)
			require.False(t, ok, "-w writes additions, and takes no break")

			except := filepath.Join(dir, "except.txt")
			require.NoError(t, os.WriteFile(except, []byte("# meant\npkg pool, "+row.gone+"\n"), 0o644))
			_, said = check(t, dir, except, false)
			require.NotContains(t, said, row.gone+"\n", "an exception")
		})
	}
}

// TestAdditions: what is new must be listed, and breaks nobody; neither does what is
// hidden.
func TestAdditions(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, before)
	check(t, dir, "", true)
	write(t, dir, before+"\nfunc New2() {}\n")
	ok, said := check(t, dir, "", false)
	require.False(t, ok)
	require.Equal(t, "not listed: pkg pool, func New2()\n", said)
	ok, _ = check(t, dir, "", true)
	require.True(t, ok)
	ok, said = check(t, dir, "", false)
	require.True(t, ok, said)
	hidden := strings.NewReplacer("hidden  int", "hidden  string", "size int", "most int", "sealed()", "sealed2()").Replace(before)
	write(t, dir, hidden+"\nfunc New2() {}\nfunc local() {}\n")
	ok, said = check(t, dir, "", false)
	require.True(t, ok, said)
}

func TestMissingFile(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, before)
	t.Setenv("GOWORK", "off")
	_, err := run(&strings.Builder{}, dir, filepath.Join(dir, "api.txt"), "", false)
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = run(&strings.Builder{}, filepath.Join(dir, "nosuch"), filepath.Join(dir, "api.txt"), "", true)
	require.Error(t, err)
}
