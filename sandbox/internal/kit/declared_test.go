package kit

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Declaration lists what a route checks of a request's form, and what it leaves
// open because the documentation does.
type Declaration struct {
	Route play.Route
	Rules []string
	Open  []string
}

// Declarations lists the declarations of every route of every service.
func (s *Core) Declarations() []Declaration {
	var all []Declaration
	for _, v := range s.services {
		for i := range v.Routes {
			r := &v.Routes[i]
			d := Declaration{Route: v.public(r)}
			d.credential(v, r)
			d.input(r.Method, r.Input)
			all = append(all, d)
		}
	}
	return all
}

func (d *Declaration) rule(format string, args ...any) {
	d.Rules = append(d.Rules, fmt.Sprintf(format, args...))
}

func (d *Declaration) leave(name, why string) {
	if why != "" {
		d.Open = append(d.Open, strings.TrimSpace(name+" "+why))
	}
}

func (d *Declaration) credential(v *Spec, r *Route) {
	a := r.Auth
	if a.Demand == Inherited {
		a = v.Auth
	}
	switch a.Demand {
	case Required:
		d.rule("one credential in %s", strings.Join(a.Headers, " or "))
	case Optional:
		d.rule("at most one credential in %s", strings.Join(a.Headers, " or "))
	default:
		d.rule("no credential")
	}
}

func (d *Declaration) input(method string, spec *inputSpec) {
	for _, f := range spec.path {
		d.field("path "+f.Name, f)
	}
	if spec.anyQuery >= 0 {
		d.leave("the query", "is not shown")
	} else {
		d.rule("no other query parameter")
	}
	for _, f := range spec.query {
		d.rule("query %s once", f.Name)
		d.field("query "+f.Name, f)
	}
	switch {
	case bodyless(method):
		d.rule("no body")
	case spec.wholeBody >= 0:
		d.rule("the body is one JSON value")
		d.leave("the body", "is not shown")
	default:
		d.rule("the body is one JSON object")
		d.members("", spec.Body)
	}
	d.Rules = append(d.Rules, spec.rules...)
	for _, why := range spec.open {
		d.leave("", why)
	}
}

// members declares the members of an object, at any depth.
func (d *Declaration) members(place string, fields []field) {
	d.rule("no other member of %s", "{"+place+"}")
	for _, f := range fields {
		name := member(place, f.Name)
		d.rule("member %s once, not null", name)
		d.field("member "+name, f)
		inner := f.typ
		if inner.Kind() == reflect.Slice && inner != rawMessage {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && !reflect.PointerTo(inner).Implements(jsonReader) {
			d.members(name, FieldsOf(inner))
		}
	}
}

// field declares what a parameter must be.
func (d *Declaration) field(name string, f field) {
	rule := func(is bool, format string, args ...any) {
		if is {
			d.rule("%s "+format, append([]any{name}, args...)...)
		}
	}
	rule(f.typ != rawMessage, "is a %s", f.typ.Kind())
	rule(f.required, "is required")
	rule(!f.emptyOK, "is not empty")
	rule(len(f.oneof) > 0, "is one of %s", strings.Join(f.oneof, ", "))
	rule(len(f.list) > 0, "lists %s", strings.Join(f.list, ", "))
	rule(f.form != "", "has the form %s", f.form)
	rule(f.pattern != nil, "matches %s", f.pattern)
	if f.min != nil {
		d.rule("%s is at least %v", name, *f.min)
	}
	if f.max != nil {
		d.rule("%s is at most %v", name, *f.max)
	}
	rule(f.runes > 0, "has at most %d characters", f.runes)
	rule(f.most > 0, "has at most %d elements", f.most)
	d.leave(name, f.open)
}
