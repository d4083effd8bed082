package wiretest

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// forms are the JSON values that the wire has for types of their own, the usual
// form first.
var forms = map[reflect.Type][]string{
	reflect.TypeFor[walletfi.Decimal](): {`"1.50"`, `1.50`, `-2e-3`, `"-2E+3"`, `0`},
	reflect.TypeFor[walletfi.Time](): {`"2026-01-02T03:04:05.678Z"`, `"2026-01-02T03:04:05+02:00"`, `"2026-01-02"`,
		`1767225600`, `"1767225600.5"`},
	reflect.TypeFor[walletfi.Amount]():   {`"18446744073709551615"`, `5`, `"7"`},
	reflect.TypeFor[walletfi.Slippage](): {`50`, `0`, `"50"`, `"auto"`},
	reflect.TypeFor[walletfi.Document](): {`{"x":[1,null]}`, `"text"`, `[]`, `0`},

	reflect.TypeFor[walletfi.Base64Transaction](): {`"AQID"`, `"\u0041Q=="`, `"` + strings.Repeat("Ab+/", 20) + `"`},
	reflect.TypeFor[walletfi.Base58Transaction](): {`"2DANp"`, `"\u0032DANp"`, `"` + strings.Repeat("2DANp", 20) + `"`},
}

// valuesOf returns JSON values for a field of a type, the usual form first. It
// fails if the type decodes itself and neither own nor forms has it.
func valuesOf(t testing.TB, of reflect.Type, own map[reflect.Type][]string) []string {
	t.Helper()
	for _, known := range []map[reflect.Type][]string{own, forms} {
		if values, ok := known[of]; ok {
			return values
		}
	}
	if of.Kind() == reflect.Pointer {
		return valuesOf(t, of.Elem(), own)
	}
	pointer := reflect.PointerTo(of)
	if of.Kind() != reflect.Struct {
		decodes := pointer.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
			pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
		require.False(t, decodes, "%s decodes itself: name its values", of)
	}
	switch of.Kind() {
	case reflect.String:
		return []string{`"text"`, `"\u0074e\"\\\n\u00e9\ud83d\ude00é"`, `"` + strings.Repeat("long ", 20) + `"`}
	case reflect.Bool:
		return []string{`true`}
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return []string{`7`}
	case reflect.Float64:
		return []string{`1.5`}
	case reflect.Slice:
		if of.Elem().Kind() == reflect.Uint8 {
			return []string{`"AQID"`}
		}
		element := valuesOf(t, of.Elem(), own)
		return []string{`[` + element[0] + `]`, `[` + strings.Join(element, " , ") + `]`}
	case reflect.Map:
		return []string{`{"key":` + valuesOf(t, of.Elem(), own)[0] + `}`}
	case reflect.Struct:
		return []string{objectOf(t, of, own)}
	}
	require.Fail(t, "no value for a "+of.String())
	return nil
}

// within is valuesOf that keeps to what a field that decides is declared to be.
func within(t testing.TB, f reflect.StructField, own map[reflect.Type][]string) []string {
	t.Helper()
	tag := wire.TagOf(f)
	values := valuesOf(t, f.Type, own)
	switch {
	case tag.Key, tag.Signature, tag.Code, !tag.Hex.IsZero():
		text := Address(7)
		switch {
		case tag.Signature:
			text = Signature(7)
		case !tag.Hex.IsZero():
			text = hexText(tag, 7)
		}
		values = []string{`"` + text + `"`}
		if f.Type.Kind() == reflect.Slice {
			values = []string{`["` + text + `"]`}
		}
	case f.Type == reflect.TypeFor[walletfi.Decimal]() && !tag.Max.IsZero():
		values = []string{`"0.50"`, `0.50`, `2e-3`, `"9E-1"`, `0`}
	case f.Type == reflect.TypeFor[walletfi.Decimal]() && !tag.Min.IsZero():
		values = []string{`"1.50"`, `1.50`, `2e-3`, `"2E+3"`, `0`}
	}
	return values
}

// hexText is a text of the length that a tag declares.
func hexText(tag wire.Tag, seed byte) string {
	return fmt.Sprintf("0x%0*x", 2*max(1, int(tag.Hex.Float64())), seed)
}

// objectOf writes an object with every member of a struct.
func objectOf(t testing.TB, of reflect.Type, own map[reflect.Type][]string) string {
	t.Helper()
	members := membersOf(of)
	require.NotEmpty(t, members, "%s has no tagged field: name its values", of)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		parts = append(parts, fmt.Sprintf("%q:%s", name, within(t, members[name], own)[0]))
	}
	return "{" + strings.Join(parts, ",") + "}"
}
