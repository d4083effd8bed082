package lenient

import (
	"reflect"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// Walk tells whether encoding/json reads a text as [Decode] would: no object has a
// strict member twice, or a member in two cases, or lacks one that must be present,
// and no list of records has a null.
// Its caller goes through the members of the text's object anyway, and has the Walk
// go through their values. The zero value is for a text that nobody walked. It
// allocates nothing if no name has an escape.
type Walk struct {
	text   []byte
	whole  *shape
	top    marks
	untidy bool
	misfit bool // a value looks as if it did not fit its type
}

// marks are the fields of an object that a walk came by.
type marks struct {
	exactly, otherwise uint64 // a bit for each field
	said               uint64 // those that are not null or an empty text
	next               int    // the field that is likely to come
}

// maxMarks is how many fields of a struct a walk keeps track of.
const maxMarks = 64

// Begin prepares a walk through the members of a body that is for a t. It returns
// false if their names do not matter, or only to the type itself.
func (w *Walk) Begin(body []byte, t reflect.Type) bool {
	*w = Walk{}
	if s := shapeOf(t); s != nil && s.fields != nil {
		w.text, w.whole = body, s
	}
	return w.whole != nil
}

// Value passes over the value at i of the body's member of that name, and returns
// the index after it. The text need not be JSON.
func (w *Walk) Value(name []byte, i int) int { return w.member(&w.top, w.whole, name, i) }

// over walks through body, unless that was done.
func (w *Walk) over(body []byte, t reflect.Type) {
	if w.whole == nil || len(w.text) != len(body) || &w.text[0] != &body[0] {
		*w = Walk{text: body}
		w.value(jsontext.SkipSpace(body, 0), shapeOf(t), false)
	}
}

// isTidy reports what the walk found.
func (w *Walk) isTidy() bool {
	return !w.untidy && (w.whole == nil || w.top.tidy(w.whole.fields))
}

// tidy reports whether no field has names in two cases, and none is missing that
// must be present.
func (m *marks) tidy(known *structFields) bool {
	return m.exactly&m.otherwise == 0 && known.must&^m.said == 0
}

// value passes over the value at i. records says that it is a list of records.
func (w *Walk) value(i int, s *shape, records bool) int {
	switch {
	case i >= len(w.text) || w.text[i] != '{' && w.text[i] != '[' || s == nil && !records:
	case w.text[i] == '[' && (records || s.isList):
		return w.list(i, s, records)
	case s == nil || w.text[i] == '[':
	case s.fields != nil:
		return w.object(i, s)
	case s.isMap:
		return w.mapping(i, s)
	}
	return jsontext.ValueEnd(w.text, i)
}

func (w *Walk) list(i int, s *shape, records bool) int {
	var elem *shape
	if s != nil {
		elem = s.elem
	}
	i = jsontext.SkipSpace(w.text, i+1)
	for i < len(w.text) && w.text[i] != ']' {
		w.untidy = w.untidy || records && w.text[i] == 'n'
		w.misfit = w.misfit || s != nil && !s.elemFit.takes(w.text, i)
		i = w.next(i, w.value(i, elem, false))
	}
	return min(i+1, len(w.text))
}

func (w *Walk) mapping(i int, s *shape) int {
	i = jsontext.SkipSpace(w.text, i+1)
	for i < len(w.text) && w.text[i] == '"' {
		at := w.afterColon(jsontext.StringEnd(w.text, i))
		w.misfit = w.misfit || !s.elemFit.takes(w.text, at)
		i = w.next(i, w.value(at, s.elem, false))
	}
	return min(i+1, len(w.text))
}

func (w *Walk) object(i int, s *shape) int {
	var m marks
	i = jsontext.SkipSpace(w.text, i+1)
	for i < len(w.text) && w.text[i] == '"' {
		to := jsontext.StringEnd(w.text, i)
		at := w.afterColon(to)
		if at >= len(w.text) {
			return len(w.text)
		}
		i = w.next(i, w.member(&m, s, jsontext.Unquote(w.text[i:to]), at))
	}
	w.untidy = w.untidy || !m.tidy(s.fields)
	return min(i+1, len(w.text))
}

// member passes over the value at i of a member of an object.
func (w *Walk) member(m *marks, s *shape, name []byte, i int) int {
	known := s.fields
	n, exact := m.next, true
	if n >= len(known.list) || known.list[n].name != string(name) {
		n, exact = known.find(name)
	}
	switch {
	case n < 0:
		return jsontext.ValueEnd(w.text, i)
	case n >= maxMarks:
		w.untidy = true
		return jsontext.ValueEnd(w.text, i)
	}
	m.next = n + 1
	seen, bit := &m.otherwise, uint64(1)<<n
	if exact {
		seen = &m.exactly
	}
	f := &known.list[n]
	w.untidy = w.untidy || *seen&bit != 0 && f.once
	*seen |= bit
	w.misfit = w.misfit || !f.fit.takes(w.text, i)
	if !saysNothing(w.text, i) {
		m.said |= bit
	}
	return w.value(i, s.inner[n], f.records)
}

// afterColon returns the index of the value whose name ends before i.
func (w *Walk) afterColon(i int) int {
	return jsontext.SkipSpace(w.text, jsontext.SkipSpace(w.text, i)+1)
}

// next passes the comma after the item from i to end. It goes on by a byte at
// least, so that it ends in text that is not JSON.
func (w *Walk) next(i, end int) int {
	i = jsontext.SkipSpace(w.text, max(end, i+1))
	if i < len(w.text) && w.text[i] == ',' {
		return jsontext.SkipSpace(w.text, i+1)
	}
	return i
}
