package kit

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// readText reads a query parameter into v and returns what is wrong with it.
func (f field) readText(text string, v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if custom, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if err := custom.UnmarshalText([]byte(text)); err != nil {
			return err.Error()
		}
		return ""
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
	case v.CanInt():
		n, err := strconv.ParseInt(text, 10, v.Type().Bits())
		if err != nil {
			return problem
		}
		v.SetInt(n)
	case v.CanUint():
		n, err := strconv.ParseUint(text, 10, v.Type().Bits())
		if err != nil {
			return problem
		}
		v.SetUint(n)
	case v.CanFloat():
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return problem
		}
		v.SetFloat(n)
	default:
		panic("sandbox: a query parameter of type " + v.Type().String())
	}
	return f.within(v)
}

// ReadJSON reads a JSON value into v, strictly: a null, an unknown or doubled
// field or a wrong type is a problem, at any depth. place names the value in
// messages.
func ReadJSON(raw json.RawMessage, v reflect.Value, place string) []string {
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return []string{"field " + place + " is null"}
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		return ReadJSON(raw, v.Elem(), place)
	}
	_, custom := v.Addr().Interface().(json.Unmarshaler)
	switch {
	case custom:
	case v.Kind() == reflect.Struct:
		return ReadObject(raw, FieldsOf(v.Type()), v, place)
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		return readArray(raw, v, place)
	}
	if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
		return []string{fmt.Sprintf("field %s is not of type %s", place, v.Type())}
	}
	return nil
}

// FieldsOf reads the body tags of a struct.
func FieldsOf(t reflect.Type) []field {
	fields := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		fields = append(fields, newField(i, t.Field(i).Tag, "body"))
	}
	return fields
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
			found := ReadJSON(values[i], v.Field(f.index), member(place, name))
			if len(found) == 0 {
				if problem := f.within(v.Field(f.index)); problem != "" {
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
	if dec.More() {
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
