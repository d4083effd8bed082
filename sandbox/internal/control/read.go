package control

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// arguments reads the arguments of a request.
func (r *Row) arguments(query url.Values, body []byte) ([]reflect.Value, error) {
	names, values, err := members(r.Method, query, body)
	if err != nil {
		return nil, err
	}
	all := []reflect.Value{r.on()}
	for _, a := range r.in {
		into := reflect.New(a.typ).Elem()
		at := slices.Index(names, a.name)
		switch {
		case at >= 0:
			raw := values[at]
			if r.Method == http.MethodGet && quoted(a.typ) {
				raw = kit.MustJSON(string(raw))
			}
			if err := read(raw, into, a.name); err != nil {
				return nil, err
			}
			names, values = slices.Delete(names, at, at+1), slices.Delete(values, at, at+1)
		case !a.optional:
			return nil, fmt.Errorf("%s is missing", a.name)
		}
		all = append(all, into)
	}
	if len(names) > 0 {
		return nil, fmt.Errorf("%s is unknown, or given twice", names[0])
	}
	return all, nil
}

// members lists what a request gives, doubled names too.
func members(method string, query url.Values, body []byte) (names []string, values []json.RawMessage, err error) {
	if method == http.MethodGet {
		for name, texts := range query {
			for _, text := range texts {
				names, values = append(names, name), append(values, json.RawMessage(text))
			}
		}
		return names, values, nil
	}
	if len(query) > 0 {
		return nil, nil, fmt.Errorf("a POST takes its arguments in the body, not in the query")
	}
	if len(body) == 0 {
		return nil, nil, nil
	}
	if !json.Valid(body) {
		return nil, nil, fmt.Errorf("the body is not one JSON value")
	}
	names, values, err = kit.Members(body)
	if err != nil {
		return nil, nil, fmt.Errorf("the body is not an object")
	}
	return names, values, nil
}

// quoted reports whether JSON writes a type as a string.
func quoted(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() == reflect.Uint64 || t == timeType || t == bytesType
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	bytesType    = reflect.TypeFor[[]byte]()
	rawType      = reflect.TypeFor[json.RawMessage]()
)

// read reads a JSON value into v, strictly. See schema for the forms.
func read(raw json.RawMessage, v reflect.Value, place string) error {
	wrong := func(want string) error { return fmt.Errorf("%s must be %s", place, want) }
	switch {
	case v.Type() == rawType:
		v.SetBytes(slices.Clone(raw))
	case v.Type() == timeType:
		var text string
		at, err := time.Time{}, json.Unmarshal(raw, &text)
		if err == nil {
			at, err = time.Parse(time.RFC3339, text)
		}
		if err != nil {
			return wrong("a time in RFC 3339")
		}
		v.Set(reflect.ValueOf(at))
	case v.Type() == durationType:
		seconds, err := strconv.ParseFloat(string(raw), 64)
		if err != nil || seconds < 0 || seconds > 9e9 || math.IsNaN(seconds) {
			return wrong("a number of seconds, from 0 to 9,000,000,000")
		}
		v.SetInt(int64(math.Round(seconds * 1e9)))
	case v.Type() == bytesType:
		var b []byte
		if raw[0] != '"' || json.Unmarshal(raw, &b) != nil {
			return wrong("bytes in base64")
		}
		v.SetBytes(b)
	case v.Kind() == reflect.Uint64:
		n, err := strconv.ParseUint(strings.Trim(string(raw), `"`), 10, 64)
		if err != nil {
			return wrong("a whole number from 0 to 2^64-1, bare or as a string")
		}
		v.SetUint(n)
	case v.Kind() == reflect.Struct:
		return readStruct(raw, v, place)
	case v.Kind() == reflect.Slice:
		return readSlice(raw, v, place)
	case v.Kind() == reflect.Map:
		if raw[0] != '{' || json.Unmarshal(raw, v.Addr().Interface()) != nil {
			return wrong("an object of " + schemaName(v.Type().Elem()) + "s")
		}
	case string(raw) == "null" || json.Unmarshal(raw, v.Addr().Interface()) != nil:
		return wrong("of type " + schemaName(v.Type()))
	}
	return nil
}

func readStruct(raw json.RawMessage, v reflect.Value, place string) error {
	names, values, err := kit.Members(raw)
	if err != nil {
		return fmt.Errorf("%s must be an object", place)
	}
	for i, name := range names {
		at := slices.IndexFunc(reflect.VisibleFields(v.Type()), func(f reflect.StructField) bool {
			return camel(f.Name) == name
		})
		if at < 0 || slices.Contains(names[:i], name) {
			return fmt.Errorf("%s.%s is unknown, or given twice", place, name)
		}
		if err := read(values[i], v.Field(at), place+"."+name); err != nil {
			return err
		}
	}
	return nil
}

func readSlice(raw json.RawMessage, v reflect.Value, place string) error {
	var items []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &items) != nil {
		return fmt.Errorf("%s must be an array", place)
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		if err := read(item, v.Index(i), fmt.Sprintf("%s[%d]", place, i)); err != nil {
			return err
		}
	}
	return nil
}

// written is a value in the form in which it is answered. See schema for the
// forms.
func written(v reflect.Value) any {
	switch {
	case v.Type() == rawType:
		return json.RawMessage(v.Bytes())
	case v.Type() == timeType:
		return v.Interface().(time.Time).UTC().Format(time.RFC3339Nano)
	case v.Type() == durationType:
		return time.Duration(v.Int()).Seconds()
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		return base64.StdEncoding.EncodeToString(v.Bytes())
	case v.Kind() == reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	case v.Kind() == reflect.Struct:
		object := make(map[string]any, v.NumField())
		for i := range v.NumField() {
			object[camel(v.Type().Field(i).Name)] = written(v.Field(i))
		}
		return object
	case v.Kind() == reflect.Slice:
		items := make([]any, v.Len())
		for i := range items {
			items[i] = written(v.Index(i))
		}
		return items
	case v.Kind() == reflect.Map:
		object := make(map[string]any, v.Len())
		for _, key := range v.MapKeys() {
			object[key.String()] = written(v.MapIndex(key))
		}
		return object
	}
	return v.Interface()
}
