package main

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// Bounds of what a member of an input holds.
const (
	mostText  = 4096 // bytes of a text
	mostItems = 200  // of a list
)

// input says what a tool takes: an object with members, each of which fills a part of an argument.
type input struct {
	members []member
	args    []reflect.Type // after client and context
}

type member struct {
	name     string
	text     string // what it is, for the schema
	values   []string
	required bool
	kind     reflect.Type
	argument int
	path     []int // of the field, nil if the argument itself
}

// cursorText describes the member that every read has besides its own.
const cursorText = "the member next of an earlier answer of this tool, to go on where it ended; " +
	"then no other member is given"

var (
	amountType   = reflect.TypeFor[walletfi.Amount]()
	decimalType  = reflect.TypeFor[walletfi.Decimal]()
	slippageType = reflect.TypeFor[walletfi.Slippage]()
	timeType     = reflect.TypeFor[time.Time]()
	queryType    = reflect.TypeFor[socialsearch.Query]()
)

// inputOf reads the arguments of a method.
func inputOf(method string, call reflect.Type) (in input) {
	names := words.Methods[method].Parameters
	for i := 2; i < call.NumIn()-1; i++ { // after them come the options
		argument, at := call.In(i), len(in.args)
		in.args = append(in.args, argument)
		if argument.Kind() == reflect.Struct && argument != queryType {
			in.addFields(method, argument, at, nil)
			continue
		}
		m := member{kind: argument, argument: at, required: true, text: "required"}
		if len(names) > 0 {
			m.name, names = names[0], names[1:]
		}
		in.members = append(in.members, m)
	}
	return in
}

// isRequired finds the word in a field's comment: "base58; required".
var isRequired = regexp.MustCompile(`(^|[;.] )[Rr]equired\b`)

// addFields adds the fields that are sent.
func (in *input) addFields(method string, of reflect.Type, argument int, path []int) {
	for i := range of.NumField() {
		f := of.Field(i)
		at := append(slices.Clip(path), i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			in.addFields(method, f.Type, argument, at)
			continue
		}
		if !f.IsExported() || f.Tag.Get("url") == "-" || f.Tag.Get("json") == "-" {
			continue
		}
		w := words.Fields[typeName(of)+"."+f.Name]
		m := member{kind: f.Type, argument: argument, path: at, text: w.Text, values: w.Values}
		if m.values == nil {
			m.values = words.Fields[method+"."+f.Name].Values
		}
		if m.kind.Kind() == reflect.Pointer {
			m.kind = m.kind.Elem()
		}
		m.name = firstOf(tagName(f, "url", "json"), w.Name, lowerFirst(f.Name))
		m.required = isRequired.MatchString(w.Text)
		in.members = append(in.members, m)
	}
}

func firstOf(texts ...string) string {
	return texts[slices.IndexFunc(texts, func(s string) bool { return s != "" })]
}

// schema is the JSON Schema of the input.
func (in input) schema() map[string]any {
	properties := map[string]any{}
	for _, m := range in.members {
		properties[m.name] = m.schema()
	}
	properties["cursor"] = map[string]any{"type": "string", "description": cursorText, "maxLength": mostText}
	// With a cursor no other member is given, and hosts refuse a choice at the top of a schema: so a
	// description says what is required, and decode refuses what lacks it.
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

func (m member) schema() map[string]any {
	s := kindSchema(m.kind)
	if m.text != "" {
		s["description"] = m.text
	}
	if of, isList := s["items"].(map[string]any); isList {
		if values := words.Values[typeName(m.kind.Elem())]; values != nil {
			of["enum"] = values
		}
	} else if m.values != nil {
		s["enum"] = m.values
	}
	return s
}

// kindSchema is the schema of a kind that set takes; nil of any other.
func kindSchema(kind reflect.Type) map[string]any {
	switch kind {
	case amountType:
		return map[string]any{"type": "string", "pattern": "^[0-9]{1,20}$"}
	case decimalType:
		return map[string]any{"type": "string", "maxLength": mostText}
	case slippageType:
		return map[string]any{"anyOf": []any{
			map[string]any{"type": "integer", "minimum": 0, "maximum": 10_000},
			map[string]any{"const": "auto"},
		}}
	case timeType:
		return map[string]any{"type": "string", "format": "date-time"}
	case queryType:
		return map[string]any{"type": "string", "maxLength": mostText}
	}
	switch kind.Kind() {
	case reflect.String:
		return map[string]any{"type": "string", "maxLength": mostText}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Uint64:
		return map[string]any{"type": "string", "pattern": "^[0-9]{1,20}$"}
	case reflect.Slice:
		if of := kindSchema(kind.Elem()); of != nil {
			return map[string]any{"type": "array", "items": of, "maxItems": mostItems}
		}
	}
	return nil
}

// refuse names what is wrong with a member of an input, as the clients do.
func refuse(field, format string, args ...any) error {
	return &walletfi.ValidationError{Field: field, Problem: fmt.Sprintf(format, args...)}
}

// known lists the members for an error.
func (in input) known() string {
	var names []string
	for _, m := range in.members {
		names = append(names, m.name)
	}
	return strings.Join(append(names, "cursor"), ", ")
}
