// Package asking states what a request asks for, field by field, so that two requests can
// be told apart by it.
package asking

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// Request is the name under which Of states the request's type.
const Request = "request"

// Of returns the fields of a request that say what it asks for, by their names in Go,
// or by the name of a tag asked:"Name" that a field had before it was renamed: journals
// keep these names.
// Those of an embedded struct count as the request's own, those of another struct and
// of a [walletfi.Asker] as "Field.Name". What is not set is left out, so that a field
// that a later version adds makes no other request of an old one.
//
// Left out, too, are fields that say only how: each [walletfi.Slippage], and the fields tagged
// asked:"-". Of returns nil if there is a field that it cannot read.
func Of(request any) map[string]string {
	v := reflect.ValueOf(request)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.IsValid() {
		return nil
	}
	all := map[string]string{Request: v.Type().String()}
	var ok bool
	if v.Kind() == reflect.Struct {
		ok = fields(all, "", v)
	} else {
		ok = add(all, "value", v)
	}
	if !ok {
		return nil
	}
	return all
}

// OfRenamed is Of under the name that the request's type had before it was renamed: journals
// and derived keys keep it.
func OfRenamed(name string, request any) map[string]string {
	all := Of(request)
	if all != nil {
		all[Request] = name
	}
	return all
}

// deepest is how many structs may be inside one another: a pointer may lead back.
const deepest = 8

// fields adds those of a struct. It is false if one cannot be read.
func fields(all map[string]string, under string, v reflect.Value) bool {
	if strings.Count(under, ".") > deepest {
		return false
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		inside := f.Type
		if inside.Kind() == reflect.Pointer {
			inside = inside.Elem()
		}
		tag := f.Tag.Get("asked")
		if f.Anonymous && inside.Kind() == reflect.Struct || tag == "-" {
			continue // the fields of an embedded struct are listed too
		}
		field, err := v.FieldByIndexErr(f.Index)
		if err != nil {
			continue // of an embedded struct that is not there
		}
		if !f.IsExported() || !add(all, under+cmp.Or(tag, f.Name), field) {
			return false
		}
	}
	return true
}

// add adds a value under a name. It is false if the value cannot be read.
func add(all map[string]string, name string, v reflect.Value) bool {
	if v.IsZero() {
		return v.Kind() != reflect.Func // which may be set the next time
	}
	switch value := v.Interface().(type) {
	case walletfi.Slippage:
		return true
	case walletfi.Decimal:
		all[name] = cmp.Or(value.Plain(), value.String())
		if strings.Contains(all[name], ".") { // a database may add zeros
			all[name] = strings.TrimRight(strings.TrimRight(all[name], "0"), ".")
		}
		return true
	case walletfi.Asker:
		asked := value.Asked()
		for field, text := range asked {
			if field != Request {
				all[name+"."+field] = text
			}
		}
		return asked != nil
	case json.Marshaler:
		return addJSON(all, name, v)
	}
	switch v.Kind() {
	case reflect.String:
		all[name] = v.String()
		return true
	case reflect.Struct:
		return fields(all, name+".", v)
	case reflect.Pointer, reflect.Interface:
		if e := v.Elem(); e.Kind() == reflect.Struct || e.Kind() == reflect.Pointer {
			return add(all, name, e)
		}
		return addJSON(all, name, v.Elem()) // also of zero, which is not the same as nothing
	}
	return addJSON(all, name, v)
}

func addJSON(all map[string]string, name string, v reflect.Value) bool {
	text, err := json.Marshal(v.Interface())
	if all[name] = string(text); len(text) > 2 && text[0] == '"' {
		all[name] = string(text[1 : len(text)-1])
	}
	return err == nil
}
