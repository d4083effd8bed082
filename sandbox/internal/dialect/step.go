package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/deployment"
)

// The steps of a file lead one way; the sandbox goes the other way: the steps of an
// answer are undone to make the live one, those of a body to find the documented one.

// errNothing says that a step has nothing to work on.
var errNothing = errors.New("there is nothing at the path")

// undo takes back the steps, the last one first. If one cannot be taken back, it
// returns the error. beside is put next to what an unwrap leads to; nil puts nothing
// there. strict refuses what a wrap would drop.
func undo(steps []deployment.Step, raw []byte, beside []byte, strict bool) ([]byte, error) {
	for _, step := range slices.Backward(steps) {
		var err error
		raw, err = edit(raw, path(step.At), func(v []byte) ([]byte, error) { return undoOne(step, v, beside, strict) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", describe(step), err)
		}
	}
	return raw, nil
}

func undoOne(step deployment.Step, v, beside []byte, strict bool) ([]byte, error) {
	switch {
	case step.Unwrap != "":
		return wrap(v, path(step.Unwrap), beside), nil
	case step.Wrap != "":
		return unwrap(v, path(step.Wrap), strict)
	case step.Only:
		return slices.Concat([]byte("["), v, []byte("]")), nil
	case step.List:
		if !is(v, '[') {
			return nil, errors.New("it is no array")
		}
		if all := parts(v); len(all) == 1 {
			return all[0].value, nil
		}
		return nil, errors.New("the array has not exactly one element")
	}
	if step.Complement || step.Names != nil {
		return madeOf(step, v)
	}
	found, err := get(v, path(step.To))
	if step.Default != nil { // a vendor leaves out what goes without saying
		if err == nil && isSame(found, step.Default) {
			v = remove(v, path(step.To))
		}
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := get(v, path(step.Move)); err == nil {
		return nil, errors.New("there is something already")
	}
	return put(remove(v, path(step.To)), path(step.Move), found)
}

// isSame reports whether two texts of JSON differ in white space alone.
func isSame(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

func describe(s deployment.Step) string {
	switch {
	case s.Default != nil:
		return "default of " + s.To
	case s.Unwrap != "":
		return "unwrap " + s.Unwrap
	case s.Wrap != "":
		return "wrap " + s.Wrap
	case s.Names != nil:
		return "names"
	case s.Complement:
		return "complement"
	case s.Only:
		return "only"
	case s.List:
		return "list"
	}
	return "move " + s.Move + " to " + s.To
}

// path splits a path, the empty one into nothing.
func path(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ".")
}

// edit replaces what is at each place of a path.
func edit(raw []byte, at []string, change func([]byte) ([]byte, error)) ([]byte, error) {
	if len(at) == 0 {
		begin := space(raw, 0)
		return change(raw[begin:skip(raw, begin)])
	}
	every := at[0] == "*"
	if every && !is(raw, '[') || !every && !is(raw, '{') {
		return nil, errNothing
	}
	found := every
	for _, p := range slices.Backward(parts(raw)) {
		if !every && p.name != at[0] {
			continue
		}
		changed, err := edit(p.value, at[1:], change)
		if err != nil {
			return nil, err
		}
		found = true
		raw = splice(raw, p.begin, p.end, changed)
	}
	if !found {
		return nil, errNothing
	}
	return raw, nil
}

// get returns what is at a path of members.
func get(raw []byte, at []string) (found []byte, err error) {
	_, err = edit(raw, at, func(v []byte) ([]byte, error) { found = v; return v, nil })
	return found, err
}

// wrap puts objects about a value, outermost name first, with a member of no meaning
// in front of each name.
func wrap(v []byte, names []string, beside []byte) []byte {
	for _, name := range slices.Backward(names) {
		v = slices.Concat([]byte("{"), beside, quote(name), []byte(":"), v, []byte("}"))
	}
	return v
}

// unwrap takes the objects off again.
func unwrap(v []byte, names []string, strict bool) ([]byte, error) {
	for _, name := range names {
		if !is(v, '{') {
			return nil, errNothing
		}
		members := parts(v)
		at := slices.IndexFunc(members, func(p part) bool { return p.name == name })
		if at < 0 {
			return nil, errNothing
		}
		if strict && len(members) > 1 {
			return nil, fmt.Errorf("there is more beside %s", name)
		}
		v = members[at].value
	}
	return v, nil
}

// put sets a member, and makes the objects on the way to it.
func put(raw []byte, at []string, v []byte) ([]byte, error) {
	if !is(raw, '{') {
		return nil, errors.New("there is no object at the path")
	}
	members := parts(raw)
	i := slices.IndexFunc(members, func(p part) bool { return p.name == at[0] })
	if i >= 0 {
		if len(at) > 1 {
			inner, err := put(members[i].value, at[1:], v)
			if err != nil {
				return nil, err
			}
			v = inner
		}
		return splice(raw, members[i].begin, members[i].end, v), nil
	}
	end := bytes.LastIndexByte(raw, '}')
	member := slices.Concat(quote(at[0]), []byte(":"), wrap(v, at[1:], nil))
	if len(members) > 0 {
		end = members[len(members)-1].end
		member = slices.Concat([]byte(","), member)
	}
	return splice(raw, end, end, member), nil
}

// remove takes a member out, and the objects that are empty without it.
func remove(raw []byte, at []string) []byte {
	members := parts(raw)
	i := slices.IndexFunc(members, func(p part) bool { return p.name == at[0] })
	if i < 0 {
		return raw
	}
	if len(at) > 1 {
		inner := remove(members[i].value, at[1:])
		if len(parts(inner)) > 0 {
			return splice(raw, members[i].begin, members[i].end, inner)
		}
	}
	switch {
	case i > 0:
		return splice(raw, members[i-1].end, members[i].end, nil)
	case len(members) > 1:
		return splice(raw, members[i].at, members[i+1].at, nil)
	}
	return splice(raw, members[i].at, members[i].end, nil)
}

// reach follows the steps that lead to the documented value without changing it.
func reach(steps []deployment.Step, live []byte) (v []byte, ok bool) {
	v = live
	for _, step := range steps {
		var err error
		switch {
		case step.At != "":
		case step.Unwrap != "":
			v, err = get(v, path(step.Unwrap))
		case step.Only:
			if all := parts(v); is(v, '[') && len(all) == 1 {
				v = all[0].value
			} else {
				err = errNothing
			}
		}
		if err != nil {
			return nil, false
		}
	}
	return bytes.TrimSpace(v), true
}
