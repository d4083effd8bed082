package kit

import (
	"fmt"
	"mime"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// inputSpec declares the input of a route. It is read once from the tags of a
// struct:
//
//	path:"walletAddress"     a parameter of the path
//	query:"limit"            a parameter of the query
//	body:"owner,required"    a field of the JSON body, of nested structs too
//	body:"*"                 the whole body, undocumented, as json.RawMessage
//	oneof:"a b c"            the values that are allowed
//	min:"0" max:"9800"       the range that is allowed
//
// A nil pointer means that the parameter or field was absent. Any other input
// is refused and is a violation.
type inputSpec struct {
	typ         reflect.Type
	path, query []field
	Body        []field
	wholeBody   int // index of the field that takes the whole body, -1 if there is none
}

// field is one parameter or body field.
type field struct {
	index    int
	Name     string
	required bool
	oneof    []string
	min, max *float64
}

func newInputSpec(t reflect.Type) *inputSpec {
	spec := &inputSpec{typ: t, wholeBody: -1}
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		switch {
		case tag.Get("path") != "":
			spec.path = append(spec.path, newField(i, tag, "path"))
		case tag.Get("query") != "":
			spec.query = append(spec.query, newField(i, tag, "query"))
		case tag.Get("body") == "*":
			spec.wholeBody = i
		case tag.Get("body") != "":
			spec.Body = append(spec.Body, newField(i, tag, "body"))
		default:
			panic(fmt.Sprintf("sandbox: field %s of %s has no path, query or body tag", t.Field(i).Name, t))
		}
	}
	return spec
}

func newField(index int, tag reflect.StructTag, place string) field {
	name, option, _ := strings.Cut(tag.Get(place), ",")
	f := field{index: index, Name: name, required: option == "required"}
	if values, ok := tag.Lookup("oneof"); ok {
		f.oneof = strings.Fields(values)
	}
	f.min, f.max = bound(tag.Get("min")), bound(tag.Get("max"))
	return f
}

func bound(text string) *float64 {
	if text == "" {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("sandbox: a bound that is not a number: " + text)
	}
	return &n
}

// read fills a new input from the request and lists what is wrong with it.
func (spec *inputSpec) read(c *Call) (input any, problems []string) {
	v := reflect.New(spec.typ)
	for _, f := range spec.path {
		v.Elem().Field(f.index).SetString(c.parameters[f.Name])
	}
	problems = spec.readQuery(c.Request.URL.RawQuery, v.Elem())
	problems = append(problems, spec.readBody(c, v.Elem())...)
	return v.Interface(), problems
}

func (spec *inputSpec) readQuery(raw string, v reflect.Value) (problems []string) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return []string{"the query cannot be read: " + err.Error()}
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
		case got[0] == "":
			problems = append(problems, "query parameter "+f.Name+" is empty")
		default:
			if problem := f.readText(got[0], v.Field(f.index)); problem != "" {
				problems = append(problems, "query parameter "+f.Name+" "+problem)
			}
		}
	}
	return problems
}

// readBody reads the JSON body, or reports a body on a route that takes no
// body.
func (spec *inputSpec) readBody(c *Call, v reflect.Value) []string {
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
		return []string{"Content-Type is not application/json"}
	}
	if spec.wholeBody >= 0 {
		return ReadJSON(c.body, v.Field(spec.wholeBody), "")
	}
	return ReadObject(c.body, spec.Body, v, "")
}

// within checks allowed values and the range.
func (f field) within(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	if f.oneof != nil && v.Kind() == reflect.String && !slices.Contains(f.oneof, v.String()) {
		return "is none of " + strings.Join(f.oneof, ", ")
	}
	var n float64
	switch {
	case v.CanInt():
		n = float64(v.Int())
	case v.CanUint():
		n = float64(v.Uint())
	case v.CanFloat():
		n = v.Float()
	default:
		return ""
	}
	if f.min != nil && n < *f.min || f.max != nil && n > *f.max {
		return fmt.Sprintf("is out of range: %v", v.Interface())
	}
	return ""
}
