package e2e

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/webhooks"
)

// FuzzOracle reads random bodies into each type of an answer, and holds what it reads
// against encoding/json: what that takes is taken, and says the same; what is not JSON, or
// not UTF-8, is refused.
func FuzzOracle(f *testing.F) {
	types := typesOfAnswers(f)
	for seed := range uint64(40) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		for i, typ := range types {
			o := &oracle{rand.New(rand.NewPCG(seed, uint64(i)))}
			body := o.object(typ)
			require.True(t, json.Valid([]byte(body)), body)
			compare(t, typ, []byte(body), true)
			compare(t, typ, o.spoiled(body), false)
		}
	})
}

// TestTruncatedAnswers: no part of an answer is one, wherever it ends.
func TestTruncatedAnswers(t *testing.T) {
	for i, typ := range typesOfAnswers(t) {
		body := (&oracle{rand.New(rand.NewPCG(1, uint64(i)))}).object(typ)
		for end := range len(strings.TrimSpace(body)) {
			err := wire.Decode([]byte(body[:end]), reflect.New(typ).Interface())
			require.Error(t, err, "%s", body[:end])
			require.False(t, wire.IsJSON(err), "%s: %v", body[:end], err)
		}
	}
}

// TestDeepAnswers: what nests deeper than the bound is refused by each type.
func TestDeepAnswers(t *testing.T) {
	for i, typ := range typesOfAnswers(t) {
		body := strings.TrimSpace((&oracle{rand.New(rand.NewPCG(2, uint64(i)))}).object(typ))
		deep := func(n int) error {
			nested := strings.Repeat(`[`, n) + `1` + strings.Repeat(`]`, n)
			inner, _ := strings.CutPrefix(body, "{")
			return wire.Decode([]byte(`{"unknown":`+nested+`,"x":0,`+"\n"+strings.TrimLeft(inner, " ")), reflect.New(typ).Interface())
		}
		if strings.Trim(body, "{} ") == "" {
			continue
		}
		require.NoError(t, deep(wire.MaxDepth-1), "%s", typ)
		require.ErrorContains(t, deep(wire.MaxDepth), "deeper than 1000")
	}
}

// compare holds what is read of a body against encoding/json. Of a sound body, each member
// fits.
func compare(t *testing.T, typ reflect.Type, body []byte, sound bool) {
	want, got := reflect.New(typ), reflect.New(typ)
	strict, err := json.Unmarshal(body, want.Interface()), wire.Decode(body, got.Interface())
	switch {
	case !json.Valid(body):
		require.Error(t, err, "%q", body)
		require.False(t, wire.IsJSON(err), "%q: %v", body, err)
	case !utf8.Valid(body):
		require.ErrorIs(t, err, wire.ErrUTF8, "%q", body)
	case strict == nil && (sound || err == nil):
		require.NoError(t, err, "%q", body)
		withoutEarly(want)
		require.Equal(t, want.Interface(), got.Interface(), "%q", body)
	}
}

// withoutEarly makes the times zero that are before any chain: they are none of an answer.
func withoutEarly(v reflect.Value) {
	if at, ok := v.Interface().(walletfi.Time); ok {
		if at.Year() < 2000 {
			v.SetZero()
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			withoutEarly(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			withoutEarly(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				withoutEarly(v.Field(i))
			}
		}
	}
}

// typesOfAnswers are the types of answers, as far as their members are read by their tags.
func typesOfAnswers(t testing.TB) []reflect.Type {
	w := &declarations{
		fault: func(string, ...any) {}, on: map[reflect.Type]bool{}, read: map[reflect.Type]bool{},
	}
	w.answers()
	byName := map[string]reflect.Type{}
	for typ := range w.read {
		if m := mirrored(typ); m.Name() == "" {
			byName[typ.String()] = m
		}
	}
	require.Greater(t, len(byName), 80)
	var types []reflect.Type
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		types = append(types, byName[name])
	}
	return types
}

// mirrored is a type with the members of t and none of its methods, so that encoding/json
// reads it on its own. A type that reads itself otherwise than by its members stays.
func mirrored(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.PointerTo(mirrored(t.Elem()))
	case reflect.Slice:
		return reflect.SliceOf(mirrored(t.Elem()))
	case reflect.Map:
		return reflect.MapOf(t.Key(), mirrored(t.Elem()))
	case reflect.Struct:
	default:
		return t
	}
	raw, _ := t.FieldByName("Raw")
	if isScalar(t) || decodesItself(t) && !wire.TagOf(raw).Raw {
		return t
	}
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		if name := f.Tag.Get("json"); f.IsExported() && name != "" && name != "-" {
			fields = append(fields, reflect.StructField{Name: f.Name, Type: mirrored(f.Type), Tag: undeclared(f.Tag)})
		}
	}
	return reflect.StructOf(fields)
}

// undeclared is a tag without what breaches break: encoding/json knows none.
func undeclared(tag reflect.StructTag) reflect.StructTag {
	words := strings.Split(tag.Get("wire"), ",")
	words = slices.DeleteFunc(words, func(word string) bool {
		return slices.Contains([]string{"said", "decides", "key", "signature", "identity"}, word) ||
			strings.HasPrefix(word, "min=") || strings.HasPrefix(word, "max=")
	})
	return reflect.StructTag(fmt.Sprintf(`json:%q wire:%q`, tag.Get("json"), strings.Join(words, ",")))
}

func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// oracle makes bodies.
type oracle struct{ *rand.Rand }

func (o *oracle) one(of ...string) string { return of[o.IntN(len(of))] }

// space is white space, mostly none.
func (o *oracle) space() string { return o.one("", "", "", "", " ", "\n\t", "\r\n ") }

// object writes the members of a struct in any order, most of them, some twice, between
// unknown ones.
func (o *oracle) object(t reflect.Type) string {
	var members []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		tag := wire.TagOf(f)
		switch must := tag.Present || tag.Required || tag.Said; {
		case !must && o.IntN(6) == 0:
			continue
		case !must && o.IntN(8) == 0:
			members = append(members, o.name(name)+"null")
		case f.Type.Kind() == reflect.String && !decodesItself(f.Type) && !tag.Decides && !tag.Holds() && !tag.Once && o.IntN(6) == 0:
			members = append(members, fmt.Sprintf("%q:%s", name, o.value(f.Type)), fmt.Sprintf("%q:%s", name, o.value(f.Type)))
		default:
			members = append(members, o.name(name)+o.within(f.Type, tag))
		}
	}
	for range o.IntN(3) {
		members = append(members, fmt.Sprintf("%q:", fmt.Sprintf("zz%d", o.IntN(9)))+o.unknown(3))
	}
	o.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return o.space() + "{" + strings.Join(members, ","+o.space()) + o.space() + "}" + o.space()
}

// name writes a name: as it is, with an escape, or in capitals.
func (o *oracle) name(name string) string {
	switch o.IntN(8) {
	case 0:
		name = fmt.Sprintf(`\u%04x%s`, name[0], name[1:])
	case 1:
		name = strings.ToUpper(name)
	}
	return o.space() + `"` + name + `"` + o.space() + ":" + o.space()
}

// value writes a value that fits a type, often one at an edge.
func (o *oracle) value(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[walletfi.Decimal]():
		return o.one(`"1.50"`, `1.50`, `-2e-3`, `"-2E+3"`, `0`, `-0`, `"0"`, `1e400`, `123456789012345678901234567890`)
	case reflect.TypeFor[walletfi.Amount]():
		return o.one(`"18446744073709551615"`, `18446744073709551615`, `0`, `"0"`, `999999999999999999`, `5`)
	case reflect.TypeFor[walletfi.Time]():
		return o.one(`"2026-01-02T03:04:05.678Z"`, `"2026-01-02"`, `1767225600`, `4102444800`, `"1767225600.5"`)
	case reflect.TypeFor[walletfi.Base64Transaction]():
		return o.one(`"AQID"`, `"+/8="`, `""`)
	case reflect.TypeFor[walletfi.Base58Transaction]():
		return o.one(`"3yZe7d"`, `"2NEpo7TZRRrLZSi2U"`, `""`)
	case reflect.TypeFor[walletfi.Document]():
		return o.unknown(2)
	case reflect.TypeFor[webhooks.Quantity](), reflect.TypeFor[webhooks.Number]():
		return o.one(`"0x1f"`, `7`, `"7"`, `18446744073709551615`, `0`)
	}
	if decodesItself(t) {
		return "null"
	}
	switch k := t.Kind(); k {
	case reflect.String:
		return o.one(`"text"`, `""`, `"\u0074e\"\\\n\u00e9"`, `"\ud83d\ude00é"`, `"\ud800"`, `"a/b\/c"`, `"`+strings.Repeat("x", o.IntN(40))+`"`)
	case reflect.Bool:
		return o.one("true", "false")
	case reflect.Pointer:
		return o.value(t.Elem())
	case reflect.Struct:
		return o.object(t)
	case reflect.Slice, reflect.Map:
		return o.several(t)
	case reflect.Float64:
		return o.one("0", "-0", "1.5", "1e-9", "1e308")
	case reflect.Int, reflect.Int64:
		return o.one("0", "-0", "7", "-7", "9223372036854775807", "-9223372036854775808", "999999999999999999")
	case reflect.Uint64:
		return o.one("0", "7", "18446744073709551615", "1000000000000000000")
	}
	return "null"
}

// within is a value that a member may have that is declared so.
func (o *oracle) within(t reflect.Type, tag wire.Tag) string {
	if tag.Code || !tag.Hex.IsZero() && !tag.Opaque {
		return formed(t, tag)
	}
	for {
		value := o.value(t)
		n, err := walletfi.NewDecimal(strings.Trim(value, `"`))
		isLow := !tag.Min.IsZero() && err == nil && n.Cmp(tag.Min) < 0
		isHigh := !tag.Max.IsZero() && err == nil && n.Cmp(tag.Max) > 0
		if !tag.Decides || !isLow && !isHigh {
			return value
		}
	}
}

// formed is a text in the form that its member declares, or a list of two.
func formed(t reflect.Type, tag wire.Tag) string {
	text := `"AQID"`
	if n, err := strconv.Atoi(tag.Hex.String()); err == nil {
		text = `"0x` + strings.Repeat("a7", n) + `"`
	}
	if t.Kind() == reflect.Slice {
		return "[" + text + "," + text + "]"
	}
	return text
}

// several writes a list or a map of at most three.
func (o *oracle) several(t reflect.Type) string {
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		return `"AQID"`
	}
	var items []string
	for i := range o.IntN(4) {
		item := o.value(t.Elem())
		if item == "null" { // is no record
			break
		}
		if t.Kind() == reflect.Map {
			item = fmt.Sprintf(`"k%d":`, i) + item
		}
		items = append(items, item)
	}
	list := strings.Join(items, o.space()+",")
	if t.Kind() == reflect.Map {
		return "{" + list + "}"
	}
	return "[" + o.space() + list + "]"
}

// unknown is any value.
func (o *oracle) unknown(deep int) string {
	if deep > 0 && o.IntN(2) == 0 {
		return o.one("[", "[1,") + o.unknown(deep-1) + "]"
	}
	return o.one(`{}`, `[]`, `{"a":{"b":null},"a":1}`, `-1.5e3`, `"\u0041\"}"`, `true`, `null`, `"é"`)
}

// spoiled is a body that was cut, or has a byte changed.
func (o *oracle) spoiled(body string) []byte {
	b := []byte(body)
	at := o.IntN(len(b))
	switch o.IntN(3) {
	case 0:
		return b[:at]
	case 1:
		b[at] = 0xff
	default:
		b[at] = o.one(`"`, `\`, "{", "}", "[", "]", ",", ":", "0", "-", "e", "\x00", " ")[0]
	}
	return b
}
