package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// given takes an object apart. A member that is there twice is refused, since its reader and whoever
// looked at it before could take another one each.
func given(text []byte) (map[string]json.RawMessage, error) {
	if text = bytes.TrimSpace(text); len(text) == 0 || string(text) == "null" {
		return nil, nil // no arguments
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return nil, refuse("arguments", "must be an object")
	}
	all := map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, refuse("arguments", "are no JSON")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, refuse("arguments", "are no JSON")
		}
		key := name.(string) // of an object
		if _, twice := all[key]; twice {
			return nil, refuse(shown(key), "is given twice")
		}
		all[key] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, refuse("arguments", "are no JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, refuse("arguments", "must be one object")
	}
	return all, nil
}

// shown bounds a name that came from outside.
func shown(name string) string { return name[:min(len(name), 64)] }

// decode makes the arguments of a call.
func (in input) decode(all map[string]json.RawMessage) ([]reflect.Value, error) {
	for name := range all {
		if !slices.ContainsFunc(in.members, func(m member) bool { return m.name == name }) {
			return nil, refuse(shown(name), "is not known: the tool takes %s", in.known())
		}
	}
	var args []reflect.Value
	for _, t := range in.args {
		args = append(args, reflect.New(t).Elem())
	}
	for _, m := range in.members {
		value, ok := all[m.name]
		if ok = ok && string(value) != "null"; !ok && m.required {
			return nil, refuse(m.name, "is required")
		}
		if !ok {
			continue
		}
		to := args[m.argument]
		if m.path != nil {
			to = to.FieldByIndex(m.path)
		}
		if to.Kind() == reflect.Pointer {
			to.Set(reflect.New(to.Type().Elem()))
			to = to.Elem()
		}
		if err := set(to, m.name, m.values, value); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// set fills a part of an argument by JSON of exactly its type.
func set(to reflect.Value, name string, values []string, text json.RawMessage) error {
	switch to.Kind() {
	case reflect.Bool, reflect.Int:
		return setPlain(to, name, text)
	case reflect.Slice:
		return setList(to, name, text)
	}
	if to.Type() == slippageType && text[0] != '"' {
		bps := reflect.New(reflect.TypeFor[int]()).Elem()
		if err := setPlain(bps, name, text); err != nil {
			return err
		}
		to.Set(reflect.ValueOf(walletfi.SlippageBps(int(bps.Int()))))
		return nil
	}
	s, err := textOf(name, text)
	if err != nil {
		return err
	}
	if values != nil && !slices.Contains(values, s) {
		return refuse(name, "must be one of %s", strings.Join(values, ", "))
	}
	return setText(to, name, s)
}

func setPlain(to reflect.Value, name string, text json.RawMessage) error {
	if err := json.Unmarshal(text, to.Addr().Interface()); err != nil {
		if to.Kind() == reflect.Bool {
			return refuse(name, "must be true or false")
		}
		return refuse(name, "must be a whole number")
	}
	if to.Kind() == reflect.Int && (to.Int() > math.MaxInt32 || to.Int() < math.MinInt32) {
		return refuse(name, "is too large a number")
	}
	return nil
}

func setList(to reflect.Value, name string, text json.RawMessage) error {
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		return refuse(name, "must be a list")
	}
	if len(items) > mostItems {
		return refuse(name, "has more than %d elements", mostItems)
	}
	values := words.Values[typeName(to.Type().Elem())]
	list := reflect.MakeSlice(to.Type(), len(items), len(items))
	for i, item := range items {
		if err := set(list.Index(i), name, values, item); err != nil {
			return err
		}
	}
	to.Set(list)
	return nil
}

func textOf(name string, text json.RawMessage) (s string, err error) {
	switch err := json.Unmarshal(text, &s); {
	case err != nil || text[0] != '"':
		return "", refuse(name, "must be a string")
	case len(s) > mostText:
		return "", refuse(name, "is longer than %d bytes", mostText)
	}
	return s, nil
}

func setText(to reflect.Value, name, s string) error {
	switch to.Type() {
	case amountType:
		n, err := walletfi.ParseAmount(s, 0)
		if err != nil {
			return refuse(name, "must be a whole number of smallest units, as a string of digits")
		}
		to.SetUint(uint64(n))
	case decimalType:
		d, err := walletfi.NewDecimal(s)
		if err != nil {
			return refuse(name, "must be a decimal number, as a string")
		}
		to.Set(reflect.ValueOf(d))
	case slippageType:
		if s != "auto" {
			return refuse(name, "must be a whole number of basis points, or auto")
		}
		to.Set(reflect.ValueOf(walletfi.AutoSlippage()))
	case timeType:
		t, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return refuse(name, "must be a time such as 2026-01-31T12:00:00Z")
		}
		to.Set(reflect.ValueOf(t))
	case queryType:
		to.Set(reflect.ValueOf(socialsearch.RawQuery(s)))
	default:
		if to.Kind() != reflect.Uint64 {
			to.SetString(s)
			return nil
		}
		n, err := walletfi.ParseAmount(s, 0)
		if err != nil {
			return refuse(name, "must be a string of digits")
		}
		to.SetUint(uint64(n))
	}
	return nil
}
