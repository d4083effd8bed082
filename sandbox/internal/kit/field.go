package kit

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// field is one parameter or member of a body. Beyond its Go type, its tags say
// what is allowed:
//
//	oneof:"a b c"        the values that are allowed
//	list:"a b c"         a list, separated by commas, of these values
//	form:"key"           what the text, or each text of an array, must be; see forms
//	pattern:"^[a-z]+$"   what the text must match
//	min:"0" max:"9800"   the range of a number
//	runes:"1024"         how many characters at most
//	most:"200"           how many elements at most
//	empty:"ok"           an empty text, or an empty array where one is required, is allowed
//	open:"any text"      what the documentation leaves open, and so the sandbox too
//
// A text without any of oneof, list, form and pattern must say what is open. The
// option "brackets" of a query parameter also takes its members as name[member].
type field struct {
	index    []int // through the structs that are embedded
	Name     string
	typ      reflect.Type // behind a pointer
	required bool
	brackets bool
	emptyOK  bool
	oneof    []string
	list     []string
	form     string
	pattern  *regexp.Regexp
	min, max *float64
	runes    int
	most     int
	open     string
}

func newField(in reflect.Type, of reflect.StructField, place string) field {
	tag := of.Tag
	options := strings.Split(tag.Get(place), ",")
	f := field{
		index: of.Index, Name: options[0], typ: of.Type,
		required: slices.Contains(options, "required") || place == "path",
		brackets: slices.Contains(options, "brackets"), emptyOK: tag.Get("empty") == "ok",
		oneof: strings.Fields(tag.Get("oneof")), list: strings.Fields(tag.Get("list")), form: tag.Get("form"),
		min: bound(tag.Get("min")), max: bound(tag.Get("max")), open: tag.Get("open"),
	}
	if f.typ.Kind() == reflect.Pointer {
		f.typ = f.typ.Elem()
	}
	if text := tag.Get("pattern"); text != "" {
		f.pattern = regexp.MustCompile(text)
	}
	if n := bound(tag.Get("runes")); n != nil {
		f.runes = int(*n)
	}
	if n := bound(tag.Get("most")); n != nil {
		f.most = int(*n)
	}
	if f.form != "" && forms[f.form] == nil {
		panic("sandbox: there is no form " + f.form)
	}
	if f.loose() && f.open == "" {
		panic(fmt.Sprintf("sandbox: %s of %s says neither what it must be nor what is open", f.Name, in))
	}
	return f
}

// loose reports whether nothing says what the parameter must be.
func (f field) loose() bool {
	text := f.typ
	if text.Kind() == reflect.Slice {
		text = text.Elem()
	}
	to := reflect.PointerTo(text)
	isText := text.Kind() == reflect.String && !to.Implements(textReader) && !to.Implements(jsonReader)
	isRaw := f.typ == rawMessage
	return (isText || isRaw) && len(f.oneof) == 0 && len(f.list) == 0 && f.form == "" && f.pattern == nil
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

// within checks what a value may be.
func (f field) within(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	var n float64
	switch {
	case v.Type() == rawMessage:
		return f.suits(string(v.Bytes()))
	case v.Kind() == reflect.String:
		return f.suits(v.String())
	case v.Kind() == reflect.Slice:
		return f.elements(v)
	case v.CanInt():
		n = float64(v.Int())
	case v.CanUint():
		n = float64(v.Uint())
	case v.CanFloat():
		n = v.Float()
	}
	if f.min != nil && n < *f.min || f.max != nil && n > *f.max {
		return fmt.Sprintf("is out of range: %v", v.Interface())
	}
	return ""
}

// elements checks an array.
func (f field) elements(v reflect.Value) string {
	switch {
	case v.Len() == 0 && f.required && !f.emptyOK:
		return "is empty"
	case f.most > 0 && v.Len() > f.most:
		return fmt.Sprintf("has more than %d elements", f.most)
	case v.Type().Elem().Kind() != reflect.String:
		return ""
	}
	f.emptyOK = false // an element is not empty even if the array may be
	for i := range v.Len() {
		if problem := f.suits(v.Index(i).String()); problem != "" {
			return fmt.Sprintf("[%d] %s", i, problem)
		}
	}
	return ""
}

// lists checks the items of a closed list.
func (f field) lists(items []string) string {
	for i, item := range items {
		if !slices.Contains(f.list, item) {
			return fmt.Sprintf("lists %q, which is none of %s", item, strings.Join(f.list, ", "))
		}
		if slices.Contains(items[:i], item) {
			return fmt.Sprintf("lists %q twice", item)
		}
	}
	return ""
}

// suits checks a text.
func (f field) suits(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		if f.emptyOK && text == "" {
			return ""
		}
		return "is empty"
	case len(f.oneof) > 0 && !slices.Contains(f.oneof, text):
		return "is none of " + strings.Join(f.oneof, ", ")
	case f.pattern != nil && !f.pattern.MatchString(text):
		return "does not match " + f.pattern.String()
	case f.runes > 0 && utf8.RuneCountInString(text) > f.runes:
		return fmt.Sprintf("has more than %d characters", f.runes)
	case f.form != "":
		return forms[f.form](text)
	case len(f.list) > 0:
		return f.lists(strings.Split(text, ","))
	}
	return ""
}
