package kit

import (
	"fmt"
	"mime"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// inputSpec declares the input of a route. It is read once from the tags of a
// struct, which field.go lists. A field is a parameter of the path, of the query,
// or a member of the JSON body:
//
//	path:"walletAddress"     a parameter of the path
//	query:"limit"            a parameter of the query
//	query:"*"                the query, undocumented, as url.Values
//	body:"owner,required"    a member of the JSON body, of nested structs too
//	body:"*"                 the whole body, undocumented, as json.RawMessage
//
// A field named _ declares what concerns several parameters: with the tag rule a
// rule, which the method Problems checks, with the tag open something that the
// documentation leaves open.
//
// The fields of an embedded struct count as the struct's own. A nil pointer means that
// the parameter or member was absent. Any other input is refused and is a violation.
type inputSpec struct {
	typ         reflect.Type
	path, query []field
	Body        []field
	wholeBody   int // index of the field that takes the whole body, -1 if there is none
	anyQuery    int // index of the field that takes an undocumented query, -1 if there is none
	rules       []string
	open        []string
}

// Ruled is an input with rules that concern several parameters. Problems lists
// the rules that the request breaks. A parameter that is malformed has its zero
// value or, if it is a pointer, may point to one.
type Ruled interface {
	Problems(c *Call) []string
}

// fields are the fields of an input, those of the structs that it embeds in their
// place.
func fields(t reflect.Type) (all []reflect.StructField) {
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.Anonymous {
			all = append(all, f)
			continue
		}
		for _, inner := range fields(f.Type) {
			inner.Index = append([]int{i}, inner.Index...)
			all = append(all, inner)
		}
	}
	return all
}

func newInputSpec(t reflect.Type) *inputSpec {
	spec := &inputSpec{typ: t, wholeBody: -1, anyQuery: -1}
	for _, f := range fields(t) {
		rule, isRule := f.Tag.Lookup("rule")
		switch {
		case f.Name == "_" && isRule:
			spec.rules = append(spec.rules, rule)
		case f.Name == "_":
			spec.open = append(spec.open, f.Tag.Get("open"))
		case f.Tag.Get("path") != "":
			spec.path = append(spec.path, newField(t, f, "path"))
		case f.Tag.Get("query") == "*":
			spec.anyQuery = f.Index[0]
		case f.Tag.Get("query") != "":
			spec.query = append(spec.query, newField(t, f, "query"))
		case f.Tag.Get("body") == "*":
			spec.wholeBody = f.Index[0]
		case f.Tag.Get("body") != "":
			spec.Body = append(spec.Body, newField(t, f, "body"))
		default:
			panic(fmt.Sprintf("sandbox: field %s of %s has no path, query or body tag", f.Name, t))
		}
	}
	if _, ruled := reflect.New(t).Interface().(Ruled); ruled != (len(spec.rules) > 0) {
		panic(fmt.Sprintf("sandbox: %s declares rules and has no method Problems, or the other way round", t))
	}
	return spec
}

// read fills a new input from the request and lists what is wrong with it.
func (spec *inputSpec) read(c *Call) (input any, problems []string) {
	v := reflect.New(spec.typ)
	for _, f := range spec.path {
		if problem := f.readText(c.parameters[f.Name], v.Elem().FieldByIndex(f.index)); problem != "" {
			problems = append(problems, "path parameter "+f.Name+" "+problem)
		}
	}
	problems = append(problems, spec.readQuery(c.Request.URL.RawQuery, v.Elem())...)
	problems = append(problems, spec.readBody(c, v.Elem())...)
	if ruled, ok := v.Interface().(Ruled); ok {
		problems = append(problems, ruled.Problems(c)...)
	}
	return v.Interface(), problems
}

func (spec *inputSpec) readQuery(raw string, v reflect.Value) (problems []string) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return []string{"the query cannot be read: " + err.Error()}
	}
	for _, f := range spec.query {
		if f.brackets {
			gatherBrackets(values, f.Name)
		}
	}
	if spec.anyQuery >= 0 {
		v.Field(spec.anyQuery).Set(reflect.ValueOf(values))
		return nil
	}
	for name := range values {
		if !slices.ContainsFunc(spec.query, func(f field) bool { return f.Name == name }) {
			problems = append(problems, "unknown query parameter "+name)
		}
	}
	slices.Sort(problems)
	for _, f := range spec.query {
		got, sent := values[f.Name]
		switch {
		case !sent && f.required:
			problems = append(problems, "query parameter "+f.Name+" is missing")
		case !sent:
		case len(got) > 1:
			problems = append(problems, "query parameter "+f.Name+" is sent more than once")
		default:
			if problem := f.readText(got[0], v.FieldByIndex(f.index)); problem != "" {
				problems = append(problems, "query parameter "+f.Name+" "+problem)
			}
		}
	}
	return problems
}

// readBody reads the JSON body, or reports a body on a route that takes no
// body.
func (spec *inputSpec) readBody(c *Call, v reflect.Value) (problems []string) {
	if c.Request.Header.Get("Idempotency-Key") != "" {
		c.Violate("an Idempotency-Key, which no service documents")
	}
	if bodyless(c.Route.Method) {
		if len(c.body) > 0 {
			return []string{"a body on a " + c.Route.Method}
		}
		return nil
	}
	takesNone := spec.Body == nil && spec.wholeBody < 0
	if len(c.body) == 0 {
		if takesNone || spec.wholeBody >= 0 {
			return nil
		}
		return missing(spec.Body, nil, "")
	}
	media, _, err := mime.ParseMediaType(c.Request.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		problems = append(problems, "Content-Type is not application/json")
	}
	if spec.wholeBody >= 0 {
		return append(problems, ReadJSON(c.body, v.Field(spec.wholeBody), "")...)
	}
	return append(problems, ReadObject(c.body, spec.Body, v, "")...)
}

// gatherBrackets turns parameters such as fee[level]=high into one parameter
// fee={"level":"high"}. How an object is written in a query is not documented.
func gatherBrackets(values url.Values, name string) {
	members := []string{}
	for key, sent := range values {
		inner, ok := strings.CutPrefix(key, name+"[")
		inner, closed := strings.CutSuffix(inner, "]")
		if !ok || !closed {
			continue
		}
		delete(values, key)
		for _, value := range sent {
			if !plainNumber.MatchString(value) {
				value = string(MustJSON(value))
			}
			members = append(members, string(MustJSON(inner))+":"+value)
		}
	}
	if len(members) > 0 {
		slices.Sort(members)
		values[name] = append(values[name], "{"+strings.Join(members, ",")+"}")
	}
}
