package main

import "reflect"

// schemas collects the JSON Schemas of the records that an answer can hold.
type schemas struct{ defs map[string]any }

// outputSchema is the schema of what a tool answers: see answer.
func outputSchema(of reflect.Type) map[string]any {
	s := schemas{defs: map[string]any{}}
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	properties := map[string]any{"answer": s.of(of, true)}
	for name, text := range answerTexts {
		properties[name] = map[string]any{"type": "string", "description": text}
	}
	schema := map[string]any{"type": "object", "properties": properties, "required": []string{"answer"}}
	if len(s.defs) > 0 {
		schema["$defs"] = s.defs
	}
	return schema
}

func (s schemas) of(t reflect.Type, isAnswer bool) map[string]any {
	switch t {
	case documentType:
		return map[string]any{}
	case amountType:
		return map[string]any{"type": "string", "pattern": "^[0-9]+$"}
	case stampType, timeType:
		return map[string]any{"type": "string", "format": "date-time"}
	case decimalType, slippageType, bytesType:
		return map[string]any{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem(), false)
	case reflect.String, reflect.Uint64, reflect.Int64:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.orNull(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.orNull(t.Elem())}
	case reflect.Struct:
		return s.record(t, isAnswer)
	case reflect.Interface:
		return map[string]any{}
	}
	return map[string]any{"type": "integer"}
}

// orNull is the schema of an element, which is there as null if it says nothing.
func (s schemas) orNull(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
	default:
		if t != decimalType && t != stampType && t != slippageType {
			return s.of(t, false)
		}
	}
	return map[string]any{"anyOf": []any{s.of(t, false), map[string]any{"type": "null"}}}
}

// record refers to the schema of a record, so that records may hold each other.
func (s schemas) record(t reflect.Type, isAnswer bool) map[string]any {
	name := typeName(t)
	if isAnswer {
		name += ".answer"
	}
	if _, known := s.defs[name]; !known {
		properties := map[string]any{}
		s.defs[name] = map[string]any{"type": "object", "properties": properties}
		for _, f := range fieldsOf(t, isAnswer) {
			property := s.of(f.Type, false)
			if text := words.Fields[typeName(t)+"."+f.Name].Text; text != "" {
				property["description"] = text
			}
			properties[outputName(f)] = property
		}
	}
	return map[string]any{"$ref": "#/$defs/" + name}
}
