package deployment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// file is a deployment's text, and where its members are.
type file struct {
	name  string
	text  []byte
	lines map[string]int // by pathKey
	found []error

	counted, breaks int // an offset, and the line breaks before it
}

// mostNested bounds how deep a file is nested: what a deployment says is never as deep,
// and a value of extra.body hardly is.
const mostNested = 64

var errNested = fmt.Errorf("is nested more than %d deep", mostNested)

// pathKey is a path as a key, since names can hold dots.
func pathKey(path []string) string { return strings.Join(path, "\x00") }

// pathText is a path for people.
func pathText(path []string) string {
	var b strings.Builder
	for _, name := range path {
		switch {
		case name != "" && !strings.ContainsAny(name, ". \"{}[]"):
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(name)
		case strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]"):
			b.WriteString(name)
		default:
			fmt.Fprintf(&b, "[%q]", name)
		}
	}
	return b.String()
}

// lineAt returns the line of an offset. It counts on from the last one that was asked
// for, since most of them come in order.
func (f *file) lineAt(offset int64) int {
	to := min(int(offset), len(f.text))
	if to < f.counted {
		f.counted, f.breaks = 0, 0
	}
	f.breaks += bytes.Count(f.text[f.counted:to], []byte("\n"))
	f.counted = to
	return 1 + f.breaks
}

// line returns the line of a path, or of the nearest member around it.
func (f *file) line(path []string) int {
	for ; len(path) > 0; path = path[:len(path)-1] {
		if line, ok := f.lines[pathKey(path)]; ok {
			return line
		}
	}
	return 1
}

func (f *file) problem(line int, path []string, format string, args ...any) {
	f.found = append(f.found, &Error{f.name, line, pathText(path), fmt.Sprintf(format, args...)})
}

// read notes where each member is, and refuses unknown members and members that are
// there twice.
func (f *file) read() error {
	d := json.NewDecoder(bytes.NewReader(f.text))
	d.UseNumber()
	err := f.value(d, nil, reflect.TypeFor[Deployment]())
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return errors.Join(f.found...)
		}
		err = errors.New("goes on after its end")
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	at := d.InputOffset()
	if err == errNested {
		return &Error{File: f.name, Line: f.lineAt(at), Problem: err.Error()}
	}
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = wrong.Offset
	}
	return &Error{File: f.name, Line: f.lineAt(at), Problem: "is not JSON: " + err.Error()}
}

// value passes a value; t is nil where anything may be.
func (f *file) value(d *json.Decoder, path []string, t reflect.Type) error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[json.RawMessage]() {
		t = nil
	}
	token, err := d.Token()
	if err != nil {
		return err
	}
	if _, opens := token.(json.Delim); opens && len(path) >= mostNested {
		return errNested
	}
	if what := misfit(token, t); what != "" {
		f.problem(f.line(path), path, "is a JSON %s, which it must not be", what)
		t = nil
	}
	switch token {
	case json.Delim('{'):
		if err := f.object(d, path, t); err != nil {
			return err
		}
	case json.Delim('['):
		for n := 0; d.More(); n++ {
			err := f.value(d, append(path[:len(path):len(path)], "["+strconv.Itoa(n)+"]"), element(t, reflect.Slice))
			if err != nil {
				return err
			}
		}
	case nil:
		if t != nil && (t.Kind() == reflect.Struct || t.Kind() == reflect.Map) {
			f.problem(f.line(path), path, "is null, and says nothing")
		}
		return nil
	default:
		return nil
	}
	_, err = d.Token() // the closing bracket
	return err
}

// misfit names what a value is that its member cannot be.
func misfit(token json.Token, t reflect.Type) string {
	if t == nil || token == nil {
		return ""
	}
	is, fits := "", t.Kind()
	switch value := token.(type) {
	case json.Delim:
		if is = "object"; value == '[' {
			is = "array"
		}
	case string:
		is = "string"
	case bool:
		is = "bool"
	case json.Number:
		if is = "number"; fits == reflect.Int && strings.ContainsAny(value.String(), ".eE") {
			return "number that is no integer"
		}
	}
	if kindsOf[is] == fits || is == "object" && fits == reflect.Struct {
		return ""
	}
	return is
}

var kindsOf = map[string]reflect.Kind{
	"object": reflect.Map, "array": reflect.Slice, "string": reflect.String, "bool": reflect.Bool, "number": reflect.Int,
}

func (f *file) object(d *json.Decoder, path []string, t reflect.Type) error {
	members := memberTypes(t)
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		name, line := token.(string), f.lineAt(d.InputOffset()-1)
		member := append(path[:len(path):len(path)], name)
		if f.lines[pathKey(member)] != 0 {
			f.problem(line, member, "is there twice, first on line %d", f.lines[pathKey(member)])
		}
		f.lines[pathKey(member)] = line
		of := element(t, reflect.Map)
		if members != nil {
			var known bool
			if of, known = members[name]; !known {
				f.problem(line, member, "is not known here; the members are %s", list(members))
			}
		}
		if err := f.value(d, member, of); err != nil {
			return err
		}
	}
	return nil
}

// element returns the type of a map's or a list's elements.
func element(t reflect.Type, kind reflect.Kind) reflect.Type {
	if t == nil || t.Kind() != kind {
		return nil
	}
	return t.Elem()
}

// memberTypes returns the types of a struct's members by name, nil for other types.
func memberTypes(t reflect.Type) map[string]reflect.Type {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	members := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			members[name] = f.Type
		}
	}
	return members
}
