package kit

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"
)

// readText reads a parameter of the path or the query into v and returns what is
// wrong with it.
func (f field) readText(text string, v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if text == "" {
		return "is empty"
	}
	if custom, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if err := custom.UnmarshalText([]byte(text)); err != nil {
			return err.Error()
		}
		return f.within(v)
	}
	problem := "is not of type " + v.Kind().String()
	switch {
	case v.Kind() == reflect.String:
		v.SetString(text)
	case v.Kind() == reflect.Bool:
		if text != "true" && text != "false" {
			return problem
		}
		v.SetBool(text == "true")
	case v.CanFloat() && plainNumber.MatchString(text), IsInteger(text) && (v.CanInt() || v.CanUint()):
		if json.Unmarshal([]byte(text), v.Addr().Interface()) != nil {
			return problem
		}
	case v.CanFloat() || v.CanInt() || v.CanUint():
		return problem
	default:
		panic("sandbox: a query parameter of type " + v.Type().String())
	}
	return f.within(v)
}

// Number is a parameter that is documented as a number, of which only the whole
// part has a meaning: a count, or a price in the smallest unit. Numbers beyond
// its range read as the largest one.
type Number uint64

// UnmarshalText reads plain digits with at most one fraction.
func (n *Number) UnmarshalText(text []byte) error {
	if !plainNumber.Match(text) {
		return errors.New("is not a plain number")
	}
	whole, _, _ := bytes.Cut(text, []byte("."))
	read, err := strconv.ParseUint(string(whole), 10, 64)
	if err != nil {
		read = math.MaxUint64
	}
	*n = Number(read)
	return nil
}

// Page cuts a page out of a list. A nil limit means as many as fallback says.
func Page[T any, N int | Number](all []T, offset N, limit *N, fallback int) []T {
	n := fallback
	if limit != nil {
		n = int(min(uint64(*limit), uint64(len(all))))
	}
	rest := all[min(uint64(offset), uint64(len(all))):]
	return rest[:min(n, len(rest))]
}

// ReadJSON reads a JSON value into v, strictly: a null, an unknown or doubled
// field, a wrong type or a number that is not written plainly is a problem, at
// any depth. place names the value in messages.
func ReadJSON(raw json.RawMessage, v reflect.Value, place string) []string {
	raw = bytes.TrimSpace(raw)
	if bytes.Equal(raw, []byte("null")) {
		return []string{"field " + place + " is null"}
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		return ReadJSON(raw, v.Elem(), place)
	}
	_, custom := v.Addr().Interface().(json.Unmarshaler)
	wrong := []string{fmt.Sprintf("field %s is not of type %s", place, v.Type())}
	switch {
	case custom:
	case v.Kind() == reflect.Struct:
		return ReadObject(raw, FieldsOf(v.Type()), v, place)
	case v.Kind() == reflect.Slice:
		return readArray(raw, v, place)
	case (v.CanInt() || v.CanUint()) && !plainInteger.Match(raw):
		return wrong
	}
	if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
		return wrong
	}
	return nil
}

// fieldsOf are the fields of the structs that were read before, by type.
var fieldsOf sync.Map

// FieldsOf reads the body tags of a struct.
func FieldsOf(t reflect.Type) []field {
	if known, ok := fieldsOf.Load(t); ok {
		return known.([]field)
	}
	var all []field
	for _, f := range fields(t) {
		all = append(all, newField(t, f, "body"))
	}
	fieldsOf.Store(t, all)
	return all
}

func readArray(raw json.RawMessage, v reflect.Value, place string) (problems []string) {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return []string{"field " + place + " is not an array"}
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		problems = append(problems, ReadJSON(item, v.Index(i), fmt.Sprintf("%s[%d]", place, i))...)
	}
	return problems
}

// ReadObject reads a JSON object into the fields of a struct, as strictly as
// ReadJSON.
func ReadObject(raw json.RawMessage, fields []field, v reflect.Value, place string) (problems []string) {
	names, values, err := Members(raw)
	if err != nil {
		return []string{"the body, or field " + place + ", is not an object: " + err.Error()}
	}
	for i, name := range names {
		at := slices.IndexFunc(fields, func(f field) bool { return f.Name == name })
		switch {
		case at < 0:
			problems = append(problems, "unknown field "+member(place, name))
		case slices.Contains(names[:i], name):
			problems = append(problems, "field "+member(place, name)+" is sent twice")
		default:
			f := fields[at]
			found := ReadJSON(values[i], v.FieldByIndex(f.index), member(place, name))
			if len(found) == 0 {
				if problem := f.within(v.FieldByIndex(f.index)); problem != "" {
					found = []string{"field " + member(place, name) + " " + problem}
				}
			}
			problems = append(problems, found...)
		}
	}
	return append(problems, missing(fields, names, place)...)
}

// Members splits an object into its members, in order, doubled ones included.
func Members(raw json.RawMessage) (names []string, values []json.RawMessage, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, fmt.Errorf("no opening brace")
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, nil, err
		}
		names, values = append(names, name.(string)), append(values, value)
	}
	if _, err := dec.Token(); err != nil {
		return nil, nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, nil, fmt.Errorf("something follows it")
	}
	return names, values, nil
}

func missing(fields []field, names []string, place string) (problems []string) {
	for _, f := range fields {
		if f.required && !slices.Contains(names, f.Name) {
			problems = append(problems, "field "+member(place, f.Name)+" is missing")
		}
	}
	return problems
}

func member(place, name string) string {
	if place == "" {
		return name
	}
	return place + "." + name
}
