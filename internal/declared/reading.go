package declared

import (
	"bytes"
	"strings"

	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Reading is what a body says, as far as the names of its members tell.
type Reading struct {
	Err error // why the body is not JSON

	body  []byte
	spots []spot
	room  [4]spot // for the first of them
	errorSigns
}

// spot is one place at which a declared member can be.
type spot struct {
	Place
	member int    // of the declaration
	value  []byte // nil if it was not found
	exact  bool   // the name is written as declared
	twice  bool
}

// Report gets a member of the body's object, with the bounds of its value.
type Report = func(name string, from, to int)

// Read reads a body while decode, which calls report for each member, decodes it. If
// decode does not report all of them, Read goes through the body itself.
func Read(body []byte, answer *Answer, decode func(report Report) (all bool)) *Reading {
	r := newReading(body, answer)
	if decode(r.visit) {
		return r
	}
	r = newReading(body, answer)
	if start := jsontext.SkipSpace(body, 0); start < len(body) && body[start] != '{' {
		r.content = true
		r.whole(bytes.TrimSpace(body))
	}
	r.Err = wire.Walk(body, r.visit)
	return r
}

func newReading(body []byte, answer *Answer) *Reading {
	r := &Reading{body: body}
	r.spots = r.room[:0]
	for i, member := range answer.Members {
		for place := range strings.SplitSeq(member, "|") {
			r.spots = append(r.spots, spot{Place: placeOf(place), member: i})
		}
	}
	return r
}

// whole notes a body that is no object, for a place that is the body itself.
func (r *Reading) whole(body []byte) {
	for i := range r.spots {
		if r.spots[i].Path == "" {
			r.spots[i].value = body
		}
	}
}

func (r *Reading) visit(name string, from, to int) {
	value := r.body[from:to]
	for i := range r.spots {
		r.spots[i].match(r.spots[i].Path, name, value)
	}
	r.sign(name, value)
}

// match notes a member that is the one s is about, and looks into one that leads
// to it.
func (s *spot) match(path, name string, value []byte) {
	step, rest, nested := strings.Cut(path, ".")
	exact := name == step
	switch {
	case !exact && !strings.EqualFold(name, step):
	case !nested:
		s.note(exact, value)
	case value[0] == '{':
		_, _ = jsontext.Members(value, 0, func(from, to, at int) (int, error) {
			end := jsontext.ValueEnd(value, at)
			s.match(rest, string(jsontext.Unquote(value[from:to])), value[at:end])
			return end, nil
		})
	}
}

// note keeps what was found for s. A name that is written as declared wins over
// one in another case.
func (s *spot) note(exact bool, value []byte) {
	switch {
	case s.value == nil || exact && !s.exact:
		s.value, s.exact, s.twice = value, exact, false
	case s.exact == exact:
		s.twice = true
	}
}
