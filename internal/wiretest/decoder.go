package wiretest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Decoder holds a decoder that is not encoding/json's to the json tags of the
// struct T: it must read every tagged member, and as encoding/json does.
type Decoder[T any] struct {
	// Decode reads a body that Body made. Nil means json.Unmarshal into a T.
	Decode func(body []byte) (*T, error)
	// Fast reads the usual form of a body, or returns nil. Nil if there is no
	// such reader.
	Fast func(body []byte) *T
	// Body puts the object into the body that the decoders read. Nil means that
	// the object is the body.
	Body func(object string) string
	// Always are members that every body must have, by name, with their JSON.
	Always map[string]string
	// Unknown are values of unknown members. Nil means objects, numbers and texts
	// with escapes.
	Unknown []string
	// Types are the JSON values to decode for fields of types that decode
	// themselves, the usual form first.
	Types map[reflect.Type][]string
	// Values are the JSON values to decode for a member, instead of those for its
	// type.
	Values map[string][]string
}

// Run checks each member alone in each form, and all members in several orders,
// with and without escapes in their names, between unknown members.
func (d Decoder[T]) Run(t *testing.T) {
	t.Helper()
	members := membersOf(reflect.TypeFor[T]())
	require.NotEmpty(t, members, "no json tags")
	for name := range d.Values {
		require.Contains(t, members, name)
	}
	var all []member
	for _, name := range slices.Sorted(maps.Keys(members)) {
		values := d.Values[name]
		if values == nil {
			values = within(t, members[name], d.Types)
		}
		for i, value := range values {
			t.Run(name+" "+value, func(t *testing.T) {
				one := []member{{members[name].Name, name, name, value}}
				d.reads(t, one, false)
				if i == 0 && d.Fast != nil {
					d.reads(t, one, true)
				}
			})
		}
		all = append(all, member{members[name].Name, name, name, values[0]})
	}
	random := rand.New(rand.NewPCG(1, uint64(len(all))))
	for round := range 12 {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		t.Run(fmt.Sprintf("order %d", round), func(t *testing.T) {
			d.reads(t, all, false)
			d.reads(t, escaped(all), false)
			if d.Fast != nil {
				d.reads(t, all, true)
			}
		})
	}
}

// member is a field, its name, its name as the body has it, and its value.
type member struct{ field, name, written, value string }

// escaped writes the first letter of every name as an escape.
func escaped(all []member) []member {
	list := slices.Clone(all)
	for i, m := range list {
		list[i].written = fmt.Sprintf(`\u%04x%s`, m.name[0], m.name[1:])
	}
	return list
}

// reads compares fields as decoded with what encoding/json makes of the same
// object in a struct that has T's tags and none of its methods.
func (d Decoder[T]) reads(t *testing.T, members []member, fast bool) {
	t.Helper()
	object := d.object(t, members)
	want := reflect.New(mirror(reflect.TypeFor[T]()))
	require.NoError(t, json.Unmarshal([]byte(object), want.Interface()), object)
	body := []byte(object)
	if d.Body != nil {
		body = []byte(d.Body(object))
	}
	var got *T
	var err error
	if fast {
		got = d.Fast(body)
	} else {
		got, err = d.decode(body)
	}
	require.NoError(t, err, "%s", body)
	require.NotNil(t, got, "fast reader: %v, not read: %s", fast, body)
	for _, m := range members {
		wanted := want.Elem().FieldByName(m.field)
		require.False(t, wanted.IsZero(), "%s: %s says nothing", m.name, m.value)
		require.Equal(t, wanted.Interface(), reflect.ValueOf(got).Elem().FieldByName(m.field).Interface(),
			"fast reader: %v, member %s of %s", fast, m.name, body)
	}
}

// object writes members with unknown members between.
func (d Decoder[T]) object(t testing.TB, members []member) string {
	unknown := d.Unknown
	if unknown == nil {
		unknown = []string{`{"zz":[1,{"y":null}],"` + members[0].name + `":7}`, `"\u0041\"}"`, `-1.5e3 `, `true`}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(d.Always)) {
		if !slices.ContainsFunc(members, func(m member) bool { return m.name == name }) {
			parts = append(parts, `"`+name+`":`+d.Always[name])
		}
	}
	for _, f := range membersOf(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag := wire.TagOf(f); (tag.Present || tag.Said) && d.Always[name] == "" &&
			!slices.ContainsFunc(members, func(m member) bool { return m.name == name }) {
			value := slices.Concat(d.Values[name], within(t, f, d.Types))[0]
			parts = append(parts, `"`+name+`":`+value)
		}
	}
	for i, m := range members {
		parts = append(parts, fmt.Sprintf(`"zz_%d" : %s`, i, unknown[i%len(unknown)]), `"`+m.written+`":`+m.value)
	}
	return "{" + strings.Join(parts, ",") + `,"zz_last":null}`
}

func (d Decoder[T]) decode(body []byte) (*T, error) {
	if d.Decode != nil {
		return d.Decode(body)
	}
	v := new(T)
	return v, json.Unmarshal(body, v)
}

// membersOf returns the fields of a struct by their names on the wire, those of
// embedded structs too.
func membersOf(t reflect.Type) map[string]reflect.StructField {
	members := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && name != "" && name != "-" {
			members[name] = f
		}
	}
	return members
}

// mirror returns a struct type with the tagged fields of t.
func mirror(t reflect.Type) reflect.Type {
	var fields []reflect.StructField
	for _, f := range membersOf(t) {
		fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
	}
	return reflect.StructOf(fields)
}
