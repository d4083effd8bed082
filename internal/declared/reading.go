package declared

import (
	"bytes"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Reading is what a body says, as far as the names of its members tell. As a
// [wire.Reporter] it takes the members that decoding the body meets.
type Reading struct {
	Err error // why the body is not JSON
	// Waive reports whether a breach is let through. Nil lets none through.
	Waive func(wire.Breach) bool

	body   []byte
	answer *Answer
	deep   int // how deep the declared members are
	spots  []spot
	room   [4]spot // for the first of them
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

// Begin begins the reading of a body. It returns how deep the members are that the
// reading needs to know.
func (r *Reading) Begin(body []byte, answer *Answer) (deep int) {
	*r = Reading{Waive: r.Waive, body: body, answer: answer, deep: 1}
	r.spots = r.room[:0]
	for i, member := range answer.Members {
		for place := range strings.SplitSeq(member, "|") {
			r.spots = append(r.spots, spot{Place: placeOf(place), member: i})
			r.deep = max(r.deep, 1+strings.Count(place, "."))
		}
	}
	if start := jsontext.SkipSpace(body, 0); start < len(body) && body[start] != '{' {
		r.content = true
		r.whole(bytes.TrimSpace(body))
	}
	return r.deep
}

// Walk reads a body of which decoding has not met all members.
func (r *Reading) Walk() {
	r.Begin(r.body, r.answer)
	r.Err = wire.Walk(r.body, r)
}

// whole notes a body that is no object, for a place that is the body itself.
func (r *Reading) whole(body []byte) {
	for i := range r.spots {
		if r.spots[i].Path == "" {
			r.spots[i].value = body
		}
	}
}

// Member is that of a wire.Reporter.
func (r *Reading) Member(path []string, from, to int, inside bool) {
	value := r.body[from:to]
	for i := range r.spots {
		r.spots[i].match(path, value, inside)
	}
	if len(path) == 1 {
		r.sign(path[0], value)
		r.result = r.result || isResult(value) && slices.Contains(r.answer.beside, path[0])
	}
}

// Breach is that of a wire.Reporter.
func (r *Reading) Breach(b wire.Breach) bool { return r.Waive != nil && r.Waive(b) }

// match notes a member that is the one s is about. It looks into one that leads to it,
// unless what is inside of that comes on its own.
func (s *spot) match(path []string, value []byte, inside bool) {
	rest, nested := s.Path, true
	var step string
	for _, name := range path {
		if !nested || !mayBe(name, rest) {
			return
		}
		if step, rest, nested = strings.Cut(rest, "."); name != step && !strings.EqualFold(name, step) {
			return
		}
	}
	if !nested {
		s.note(path[len(path)-1] == step, value)
	} else if value[0] == '{' && !inside {
		s.search(rest, value)
	}
}

// mayBe reports whether a name begins as a path does, in any case.
func mayBe(name, path string) bool {
	return name != "" && path != "" && (name[0]|0x20 == path[0]|0x20 || name[0] >= 0x80)
}

// search looks for what path leads to in an object.
func (s *spot) search(path string, object []byte) {
	step, rest, nested := strings.Cut(path, ".")
	_, _ = jsontext.Members(object, 0, func(from, to, at int) (int, error) {
		name, end := string(jsontext.Unquote(object[from:to])), jsontext.ValueEnd(object, at)
		switch value := object[at:end]; {
		case name != step && !strings.EqualFold(name, step):
		case !nested:
			s.note(name == step, value)
		case value[0] == '{':
			s.search(rest, value)
		}
		return end, nil
	})
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
