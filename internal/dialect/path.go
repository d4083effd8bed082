package dialect

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// path leads to a value in JSON: names of members, and "*" for each element of an
// array.
type path []string

func pathOf(text string) path {
	if text == "" {
		return nil
	}
	return strings.Split(text, ".")
}

func indexed(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }

// span is a part of a text.
type span struct{ from, to int }

// within is s in the text that outer is a part of.
func (s span) within(outer span) span { return span{outer.from + s.from, outer.from + s.to} }

// slot is a member of an object.
type slot struct {
	key    int  // index of its name
	value  span // zero if it is not there
	before int  // end of the member before it, 0 if it is the first
	times  int  // how often it is there
}

// member looks for a member of the object that value is, as the reader does: if none has the
// very name, for one of which the name differs in case alone.
func member(value []byte, name string) (s slot) {
	if len(value) == 0 || value[0] != '{' {
		return s
	}
	var alike slot
	last, wanted := 0, []byte(name)
	_, _ = jsontext.Members(value, 0, func(from, to, at int) (int, error) {
		end := jsontext.ValueEnd(value, at)
		switch is := jsontext.Unquote(value[from:to]); {
		case bytes.Equal(is, wanted):
			s = slot{from, span{at, end}, last, s.times + 1}
		case bytes.EqualFold(is, wanted):
			alike = slot{from, span{at, end}, last, alike.times + 1}
		}
		last = end
		return end, nil
	})
	if s.times == 0 {
		return alike
	}
	return s
}

// find returns the value that a path without "*" leads to.
func (p path) find(text []byte) (span, bool) {
	from := jsontext.SkipSpace(text, 0)
	f := span{from, jsontext.ValueEnd(text, from)}
	for _, name := range p {
		m := member(text[f.from:f.to], name)
		if m.times != 1 {
			return span{}, false
		}
		f = m.value.within(f)
	}
	return f, true
}

// search collects the values that a path leads to.
type search struct {
	text    []byte
	found   []span
	skipped bool // elements without the rest of the path were passed
}

// spans returns the values that p leads to, in order. It is false if there is none,
// unless the reason is an empty array.
func (p path) spans(text []byte) ([]span, bool) {
	s := search{text: text}
	whole, _ := path(nil).find(text)
	ok := s.collect(whole, p, false)
	return s.found, ok && (len(s.found) > 0 || !s.skipped)
}

// collect looks below v. within says that p follows a "*", whose other elements may
// have what this one lacks.
func (s *search) collect(v span, p path, within bool) bool {
	value := s.text[v.from:v.to]
	switch {
	case len(p) == 0:
		s.found = append(s.found, v)
		return true
	case p[0] == "*" && value[0] == '[':
		ok := true
		_, _ = jsontext.Elements(value, 0, func(_, at int) (int, error) {
			end := jsontext.ValueEnd(value, at)
			ok = s.collect(span{at, end}.within(v), p[1:], true) && ok
			return end, nil
		})
		return ok
	case p[0] != "*":
		if m := member(value, p[0]); m.times == 1 {
			return s.collect(m.value.within(v), p[1:], within)
		}
	}
	s.skipped = true
	return within
}

// around puts value into an object for each name.
func (p path) around(value []byte) []byte {
	var out []byte
	for _, name := range p {
		out = append(append(append(out, '{'), quote(name)...), ':')
	}
	out = append(out, value...)
	return append(out, strings.Repeat("}", len(p))...)
}

// cut takes the member out that p leads to.
func (p path) cut(value []byte) (rest, taken []byte, ok bool) {
	parent, last := p[:len(p)-1], p[len(p)-1]
	in, ok := parent.find(value)
	if !ok {
		return nil, nil, false
	}
	object := value[in.from:in.to]
	m := member(object, last)
	if m.times != 1 {
		return nil, nil, false
	}
	from, to := m.key, m.value.to
	if m.before > 0 { // with the comma before it
		from = m.before
	} else if next := jsontext.SkipSpace(object, to); object[next] == ',' {
		to = next + 1
	}
	taken = slices.Clone(object[m.value.from:m.value.to])
	return slices.Concat(value[:in.from+from], value[in.from+to:]), taken, true
}

// put makes member the value that p leads to, with the objects on the way. If there is
// one already, it is replaced, or without replace the result is false.
func (p path) put(value, content []byte, replace bool) ([]byte, bool) {
	from := jsontext.SkipSpace(value, 0)
	at := span{from, jsontext.ValueEnd(value, from)}
	for i, name := range p {
		object := value[at.from:at.to]
		if len(object) == 0 || object[0] != '{' {
			return nil, false
		}
		m := member(object, name)
		switch m.times {
		case 0:
			text := append(append(quote(name), ':'), p[i+1:].around(content)...)
			end := at.to - 1
			if !jsontext.IsEmptyNest(object) {
				text = append([]byte{','}, text...)
			}
			return slices.Concat(value[:end], text, value[end:]), true
		case 1:
			at = m.value.within(at)
		default:
			return nil, false
		}
	}
	if !replace {
		return nil, false
	}
	return slices.Concat(value[:at.from], content, value[at.to:]), true
}
