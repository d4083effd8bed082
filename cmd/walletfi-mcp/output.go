package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// An answer goes out as the types say it: the members have the names of the fields' tags, amounts and
// other numbers of 64 bits are strings of digits, decimals are strings, and what is not known is left
// out. A secret is not in it.

var (
	secretType   = reflect.TypeFor[walletfi.Secret]()
	documentType = reflect.TypeFor[walletfi.Document]()
	stampType    = reflect.TypeFor[walletfi.Time]()
	bytesType    = reflect.TypeFor[[]byte]()
)

const (
	mostLong  = 8192 // bytes of a text in an answer
	mostDepth = 24   // of records in records
)

// writer makes JSON values of an answer.
type writer struct {
	mask *peer.Mask
	cut  bool // whether a text was cut
}

func (w *writer) text(s string) string {
	s = w.mask.Text(s)
	if len(s) > mostLong {
		s, w.cut = s[:mostLong], true
	}
	return s
}

// value is v for encoding/json, nil if there is nothing to say.
func (w *writer) value(v reflect.Value, depth int) any {
	if !v.IsValid() || depth > mostDepth {
		return nil
	}
	switch v.Type() {
	case secretType:
		return nil
	case documentType:
		return w.document(v.Bytes())
	case bytesType:
		return w.text(string(v.Bytes()))
	case amountType:
		return strconv.FormatUint(v.Uint(), 10)
	case decimalType:
		return w.decimal(v.Interface().(walletfi.Decimal))
	case slippageType:
		return w.slippage(v.Interface().(walletfi.Slippage))
	case stampType:
		return stamp(v.Interface().(walletfi.Time).Time)
	case timeType:
		return stamp(v.Interface().(time.Time))
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return w.value(v.Elem(), depth+1)
	case reflect.String:
		return w.text(v.String())
	case reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Slice:
		return w.list(v, depth)
	case reflect.Map:
		return w.table(v, depth)
	case reflect.Struct:
		return w.record(v, depth)
	}
	return v.Interface() // a boolean or a small number
}

func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func (w *writer) decimal(d walletfi.Decimal) any {
	if d.IsZero() {
		return nil
	}
	return w.text(d.String())
}

func (w *writer) slippage(s walletfi.Slippage) any {
	if s.IsZero() {
		return nil
	}
	return s.String()
}

func (w *writer) list(v reflect.Value, depth int) any {
	items := make([]any, v.Len())
	for i := range items {
		items[i] = w.value(v.Index(i), depth+1)
	}
	return items
}

func (w *writer) table(v reflect.Value, depth int) any {
	all := map[string]any{}
	for key, value := range v.Seq2() {
		all[w.text(key.String())] = w.value(value, depth+1)
	}
	return all
}

func (w *writer) record(v reflect.Value, depth int) any {
	all := map[string]any{}
	for _, f := range fieldsOf(v.Type(), depth == 0) {
		if value := w.value(v.FieldByIndex(f.Index), depth+1); value != nil {
			all[outputName(f)] = value
		}
	}
	return all
}

// document is JSON whose shape nobody knows.
func (w *writer) document(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil // nothing came
	}
	return w.loose(v, 0)
}

func (w *writer) loose(v any, depth int) any {
	if depth > mostDepth {
		w.cut = true
		return nil
	}
	switch v := v.(type) {
	case string:
		return w.text(v)
	case json.Number:
		return w.number(v)
	case []any:
		for i := range v {
			v[i] = w.loose(v[i], depth+1)
		}
	case map[string]any:
		all := make(map[string]any, len(v))
		for name, value := range v {
			all[w.text(name)] = w.loose(value, depth+1)
		}
		return all
	}
	return v
}

// number is a string unless it is a whole number that every reader has exactly.
func (w *writer) number(n json.Number) any {
	if _, err := n.Int64(); err == nil && len(n) <= 15 {
		return n
	}
	return w.text(n.String())
}

// fieldsOf are the fields of a record that go out. What a service sent besides them, or could not be
// read, is in Raw: it goes out of an answer that is no list, once.
func fieldsOf(t reflect.Type, isAnswer bool) (fields []reflect.StructField) {
	hasRecords := false
	for _, f := range reflect.VisibleFields(t) {
		isEmbedded := f.Anonymous && f.Type.Kind() == reflect.Struct
		if !f.IsExported() || isEmbedded || f.Type == secretType || f.Type.Kind() == reflect.Func {
			continue
		}
		element := f.Type
		if element.Kind() == reflect.Slice {
			element = element.Elem()
		}
		hasRecords = hasRecords || element != f.Type && element.Kind() == reflect.Struct
		fields = append(fields, f)
	}
	kept := fields[:0]
	for _, f := range fields {
		if f.Name != "Raw" || isAnswer && !hasRecords {
			kept = append(kept, f)
		}
	}
	return kept
}

func outputName(f reflect.StructField) string { return firstOf(tagName(f, "json"), lowerFirst(f.Name)) }
