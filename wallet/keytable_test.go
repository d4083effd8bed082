package wallet_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/wallet"
)

// keyRow is a row of the table in docs/keys.md: the fields of a builder's request that are
// in a derived key, and those that are not.
type keyRow struct{ asked, how []string }

// keyTable reads the table of docs/keys.md.
func keyTable(t *testing.T) map[string]keyRow {
	t.Helper()
	page, err := os.ReadFile("../docs/keys.md")
	require.NoError(t, err)
	fields := func(cell string) []string {
		return strings.FieldsFunc(cell, func(r rune) bool { return r == ',' || r == ' ' })
	}
	rows := map[string]keyRow{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) == 6 && strings.Contains(cells[1], ".Build") {
			name := strings.TrimSpace(cells[1])
			require.NotContains(t, rows, name)
			rows[name] = keyRow{fields(cells[2]), fields(cells[3])}
		}
	}
	return rows
}

// buildersOfServices lists every method of a service's client whose name begins with Build.
func buildersOfServices(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob("../*/*.go")
	require.NoError(t, err)
	method := regexp.MustCompile(`(?m)^func \(\w+ \*Client\) (Build\w+)\(`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, found := range method.FindAllStringSubmatch(string(source), -1) {
			all = append(all, filepath.Base(filepath.Dir(file))+"."+found[1])
		}
	}
	slices.Sort(all)
	return all
}

// keyCase is how the test builds: a request that sets what it can, and another value for
// the fields of a type of their own.
type keyCase struct {
	request any
	build   func(request any) (walletfi.Intent, error)
	another map[string]any
}

// fieldPaths are the fields of a request, but those below a field that the row has.
func fieldPaths(of reflect.Type, row keyRow, under string) (all []string) {
	for _, f := range reflect.VisibleFields(of) {
		path, inside := under+f.Name, f.Type
		if inside.Kind() == reflect.Pointer {
			inside = inside.Elem()
		}
		switch {
		case f.Anonymous || !f.IsExported():
		case isOpen(inside) && !slices.Contains(row.how, path):
			all = append(all, fieldPaths(inside, row, path+".")...)
		default:
			all = append(all, path)
		}
	}
	return all
}

// isOpen reports a struct whose fields a caller sets.
func isOpen(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && t.Field(0).IsExported()
}

// changed is the request with another value in one field.
func changed(t *testing.T, c keyCase, path string) any {
	t.Helper()
	request := reflect.New(reflect.TypeOf(c.request))
	request.Elem().Set(reflect.ValueOf(c.request))
	v := request.Elem()
	for _, name := range strings.Split(path, ".") {
		if v.Kind() == reflect.Pointer {
			inside := reflect.New(v.Type().Elem())
			inside.Elem().Set(v.Elem())
			v.Set(inside)
			v = inside.Elem()
		}
		v = v.FieldByName(name)
	}
	was := fmt.Sprintf("%#v", v.Interface())
	if value, ok := c.another[path]; ok {
		v.Set(reflect.ValueOf(value))
	} else {
		v.Set(reflect.ValueOf(anotherValue(t, path, v.Interface())))
	}
	if v.Kind() != reflect.Pointer {
		require.NotEqual(t, was, fmt.Sprintf("%#v", v.Interface()), path)
	}
	return request.Elem().Interface()
}

func anotherValue(t *testing.T, path string, value any) any {
	t.Helper()
	switch value := value.(type) {
	case walletfi.Amount:
		return value*10 + 10
	case *walletfi.Amount:
		return new(*value * 10)
	case string:
		return wiretest.Address(99)
	case bool:
		return !value
	case *bool:
		return new(value == nil || !*value)
	case int:
		return value + 1
	case *int:
		if value == nil {
			return new(3)
		}
		return new(*value + 1)
	case *uint64:
		return new(uint64(4321))
	case walletfi.Slippage:
		return walletfi.SlippageBps(77)
	case walletfi.Decimal:
		return wiretest.Decimal(t, "3")
	case []string:
		return []string{"venue"}
	}
	t.Fatalf("%s: the case has no other value for a %T", path, value)
	return nil
}

// TestDerivedKeys: of every builder of every service and every field of its request, the
// table says whether the field is in the key, and it is so. A quote never is.
func TestDerivedKeys(t *testing.T) {
	table, cases := keyTable(t), keyCases(t)
	builders := buildersOfServices(t)
	require.Len(t, builders, 28)
	require.Len(t, table, len(builders))
	keys, asked, how, quoted := map[string]string{}, 0, 0, 0
	for _, name := range builders {
		t.Run(name, func(t *testing.T) {
			row, ok := table[name]
			require.True(t, ok, "no row in docs/keys.md")
			c, ok := cases.rows[name]
			require.True(t, ok, "no case")
			listed := slices.Concat(row.asked, row.how)
			require.ElementsMatch(t, fieldPaths(reflect.TypeOf(c.request), row, ""), listed, "each field of the request, once")
			key := func(request any) (key, intent string) {
				i, err := c.build(request)
				require.NoError(t, err)
				require.NotEmpty(t, i.Asked)
				text, err := json.Marshal(i)
				require.NoError(t, err)
				return wallet.DerivedKey(i), string(text)
			}
			cases.quoted = 1
			base, first := key(c.request)
			require.Empty(t, keys[base], "another builder has the same key")
			keys[base] = name
			cases.quoted = 2
			again, second := key(c.request)
			require.Equal(t, base, again, "quoted anew")
			if first != second {
				quoted++
			}
			cases.quoted = 1
			for _, field := range row.asked {
				asked++
				other, intent := key(changed(t, c, field))
				require.NotEqual(t, base, other, "%s was asked for: %s", field, intent)
			}
			for _, field := range row.how {
				how++
				other, intent := key(changed(t, c, field))
				require.Equal(t, base, other, "%s only says how: %s", field, intent)
			}
		})
	}
	require.Greater(t, asked, 100)
	require.Greater(t, how, 60)
	require.Equal(t, 12, quoted, "what the guard is told depends on the quote")
	t.Logf("%d builders, %d fields asked for, %d that say how", len(builders), asked, how)
}
