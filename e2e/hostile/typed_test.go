package hostile

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
)

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// form is how a member of a typed value shows.
type form byte

const (
	value   form = iota // a value, which may be a zero
	none                // nil, an empty text, an empty decimal or time
	invalid             // its Valid is false, and it is not none
	problem             // it says what is wrong
	kept                // the record as it came, since a part could not be read
)

// gone is the text of a member that is not there, in a list or a map.
const gone = "gone"

// leaf is a member of a typed value.
type leaf struct {
	form form
	text string
}

// problems are in the names of members and methods that say what is wrong with others.
var problems = regexp.MustCompile(`Problem|Invalid|Breach|Err(or)?s?$|Unread|Partial|Doubt|Fault|Waived`)

// typed walks a result into its members by their places. Documents say what came, and are
// left out, but for whether there is one.
func typed(v any) map[string]leaf {
	all := map[string]leaf{}
	if v != nil {
		walk(reflect.ValueOf(v), "", all)
	}
	return all
}

func walk(v reflect.Value, at string, all map[string]leaf) {
	switch x := v.Interface().(type) {
	case walletfi.Document, []byte:
		if name := at[strings.LastIndexByte(at, '.')+1:]; name == "Raw" {
			all[at] = leaf{kept, fmt.Sprint(v.Len() > 0)}
		}
		return
	case walletfi.Secret:
		if strings.HasSuffix(at, ".Answer") { // what came, which holds a secret
			return
		}
		all[at] = whole(x.Reveal(), x.Reveal() == "", v)
		return
	case walletfi.Decimal:
		all[at] = whole(x.String(), x.IsZero(), v)
		return
	case walletfi.Time:
		all[at] = whole(x.Format("2006-01-02T15:04:05.999999999Z07:00"), x.IsZero(), v)
		return
	case error:
		all[at] = leaf{problem, x.Error()}
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			all[at] = leaf{none, "nil"}
			return
		}
		walk(v.Elem(), at, all)
	case reflect.Struct:
		walkStruct(v, at, all)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			walk(v.Index(i), fmt.Sprintf("%s[%d]", at, i), all)
		}
	case reflect.Map:
		for k, e := range v.Seq2() {
			walk(e, fmt.Sprintf("%s[%v]", at, k), all)
		}
	case reflect.String:
		all[at] = whole(v.String(), v.String() == "", v)
	case reflect.Func, reflect.Chan:
	default:
		all[at] = whole(fmt.Sprintf("%v", v.Interface()), false, v)
	}
}

func walkStruct(v reflect.Value, at string, all map[string]leaf) {
	t := v.Type()
	shown := 0
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		shown++
		name := at + "." + f.Name
		walk(v.Field(i), name, all)
		if !v.Field(i).IsZero() && problems.MatchString(f.Name) {
			all[name] = leaf{problem, fmt.Sprint(v.Field(i).Interface())}
		}
	}
	if shown == 0 {
		all[at] = whole(fmt.Sprint(v.Interface()), v.IsZero(), v)
	}
	for _, name := range telling(t) {
		var in []reflect.Value
		if name == "Remaining" {
			in = append(in, reflect.ValueOf(now))
		}
		out := v.MethodByName(name).Call(in)[0]
		if name == "Remaining" || name == "Failed" { // a zero alone is a value, since only it can do harm
			all[at+"."+name] = whole(fmt.Sprint(out.Interface()), !out.IsZero(), out)
			continue
		}
		if name == "Valid" && (out.Bool() || v.IsZero()) || name != "Valid" && out.IsZero() {
			continue
		}
		all[at+"."+name] = leaf{problem, fmt.Sprint(out.Interface())}
	}
}

// now is the day of the recorded answers.
var now = time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)

// telling are the methods of a type that say whether its members can be used, how long to
// wait, or whether it failed.
func telling(t reflect.Type) []string {
	if names, ok := told.Load(t); ok {
		return names.([]string)
	}
	var names []string
	for m := range t.Methods() {
		if m.Name == "Failed" && m.Type.NumIn() == 1 || m.Name == "Remaining" && m.Type.NumIn() == 2 && m.Type.In(1) == reflect.TypeFor[time.Time]() {
			names = append(names, m.Name)
		}
		if m.Type.NumIn() != 1 || m.Type.NumOut() != 1 {
			continue
		}
		isValid := m.Name == "Valid" && m.Type.Out(0).Kind() == reflect.Bool
		if isValid || problems.MatchString(m.Name) {
			names = append(names, m.Name)
		}
	}
	told.Store(t, names)
	return names
}

var told sync.Map // the methods of telling, by type

// whole is the leaf of a value that is read as one. An empty one is none, and not invalid,
// whatever its Valid says: nothing that came shows in it.
func whole(text string, empty bool, v reflect.Value) leaf {
	if empty {
		return leaf{none, ""}
	}
	if x, ok := v.Interface().(interface{ Valid() bool }); ok && !x.Valid() {
		return leaf{invalid, text}
	}
	return leaf{value, text}
}

// change is a member that another answer changed.
type change struct {
	at       string
	was, now leaf
}

// changes compares what two answers were read as.
func changes(was, now map[string]leaf) (all []change) {
	for at, w := range was {
		n, ok := now[at]
		if !ok {
			n = leaf{none, gone}
		}
		if w != n {
			all = append(all, change{at, w, n})
		}
	}
	for at, n := range now {
		if _, ok := was[at]; !ok && n.form != none {
			all = append(all, change{at, leaf{none, gone}, n})
		}
	}
	return all
}
