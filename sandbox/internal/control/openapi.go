package control

import (
	"net/http"
	"reflect"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// document is the OpenAPI file of the routes.
func document(url string, routes map[string]*Row) map[string]any {
	d := describer{schemas: map[string]any{
		"Error": object([]argument{{name: "error", typ: reflect.TypeFor[string]()}}, nil, &describer{}),
	}}
	paths := map[string]any{}
	for path, r := range routes {
		paths[path] = map[string]any{strings.ToLower(r.Method): d.operation(r)}
	}
	return map[string]any{
		"openapi": "3.0.3",
		"info": map[string]any{
			"title": "The sandbox's control port", "version": "1",
			"description": "Amounts are decimal strings, and taken as numbers too. Durations are seconds, " +
				"times RFC 3339, bytes base64. A 422 is what the control itself refuses.",
		},
		"servers":  []any{map[string]any{"url": url}},
		"security": []any{map[string]any{"token": []any{}}},
		"paths":    paths,
		"components": map[string]any{
			"schemas":         d.schemas,
			"securitySchemes": map[string]any{"token": map[string]any{"type": "http", "scheme": "bearer"}},
		},
	}
}

// describer collects the schemas of the structs that routes name.
type describer struct{ schemas map[string]any }

func (d *describer) operation(r *Row) map[string]any {
	op := map[string]any{
		"operationId": operationID(r.Path), "summary": r.Does,
		"responses": map[string]any{
			"200":     content("Done.", object(r.out, nil, d)),
			"default": content("Refused, and why.", map[string]any{"$ref": "#/components/schemas/Error"}),
		},
	}
	if len(r.in) == 0 {
		return op
	}
	if r.Method == http.MethodGet {
		var parameters []any
		for _, a := range r.in {
			parameters = append(parameters, map[string]any{
				"name": a.name, "in": "query", "required": !a.optional, "schema": d.schema(a.typ),
			})
		}
		op["parameters"] = parameters
		return op
	}
	var required []string
	for _, a := range r.in {
		if !a.optional {
			required = append(required, a.name)
		}
	}
	body := content("", object(r.in, required, d))
	delete(body, "description")
	body["required"] = len(required) > 0
	op["requestBody"] = body
	return op
}

func content(description string, schema any) map[string]any {
	media := map[string]any{"application/json": map[string]any{"schema": schema}}
	return map[string]any{"description": description, "content": media}
}

func object(members []argument, required []string, d *describer) map[string]any {
	properties := map[string]any{}
	for _, m := range members {
		properties[m.name] = d.schema(m.typ)
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// schema says in which form a type is on the wire.
func (d *describer) schema(t reflect.Type) map[string]any {
	switch {
	case t == rawType:
		return map[string]any{}
	case t == undoType:
		return map[string]any{"type": "string", "description": "an id for /undo"}
	case t == timeType:
		return map[string]any{"type": "string", "format": "date-time"}
	case t == durationType:
		return map[string]any{"type": "number", "minimum": 0, "description": "seconds"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return map[string]any{"type": "string", "format": "byte"}
	case t.Kind() == reflect.Uint64:
		return map[string]any{"type": "string", "pattern": "^[0-9]+$", "description": "0 to 2^64-1"}
	case t.Kind() == reflect.Slice:
		return map[string]any{"type": "array", "items": d.schema(t.Elem())}
	case t.Kind() == reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": d.schema(t.Elem())}
	case t.Kind() == reflect.Struct:
		return d.structure(t)
	}
	return map[string]any{"type": schemaName(t)}
}

// structure describes a struct once and refers to it.
func (d *describer) structure(t reflect.Type) map[string]any {
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if _, known := d.schemas[name]; !known {
		d.schemas[name] = nil
		member := func(f reflect.StructField) argument { return argument{name: camel(f.Name), typ: f.Type} }
		d.schemas[name] = object(kit.List(reflect.VisibleFields(t), member), nil, d)
	}
	return map[string]any{"$ref": "#/components/schemas/" + name}
}

// schemaName is JSON's name of the type that a plain Go type has on the wire.
func schemaName(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Bool:
		return "boolean"
	case reflect.Zero(t).CanInt(), reflect.Zero(t).CanUint():
		return "integer"
	case reflect.Zero(t).CanFloat():
		return "number"
	case t.Kind() == reflect.Slice:
		return "array"
	case t.Kind() == reflect.String:
		return "string"
	}
	panic("sandbox: a control of type " + t.String())
}

// operationID is a path as one name: /ledger/fund-wallet is ledgerFundWallet.
func operationID(path string) string {
	all := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '-' })
	for i := 1; i < len(all); i++ {
		all[i] = strings.ToUpper(all[i][:1]) + all[i][1:]
	}
	return strings.Join(all, "")
}
