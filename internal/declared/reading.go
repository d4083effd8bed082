package declared

import (
	"bytes"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/lenient"
)

// Reading is what a body says, as far as the names of its members tell. The body
// need not be JSON, so each step keeps to its bounds.
type Reading struct {
	// Values walks through the values of the body's members. Nil passes over them
	// unseen.
	Values *lenient.Walk

	body  []byte
	spots [8]spot
	count int    // of spots
	said  uint16 // declared members that were found, a bit each
	open  int    // how many were not
	quick bool

	shadowed []span // names that a declared name wins over
	errorSigns
}

// spot is one place at which a declared member can be.
type spot struct {
	Place
	member int  // of the declaration
	name   span // where it was found, in quotes
	value  span
	exact  bool // the name is written as declared
	twice  bool
}

// span is a part of the body. The zero span is none.
type span struct{ from, to int }

// Read goes through a body that is not blank. It returns false if that is not
// JSON, as far as it was read. With quick it is read no further than the declared
// members, and names that come twice are not noticed.
func (r *Reading) Read(body []byte, answer *Answer, quick bool) bool {
	r.body, r.quick, r.open = body, quick, len(answer.Members)
	for i, member := range answer.Members {
		for place := ""; member != "" && r.count < len(r.spots); r.count++ {
			place, member, _ = strings.Cut(member, "|")
			r.spots[r.count] = spot{Place: placeOf(place), member: i}
		}
	}
	start := jsontext.SkipSpace(body, 0)
	if body[start] == '{' {
		return r.members(start, nil, "")
	}
	r.content = true
	for i := range r.spots[:r.count] {
		if r.spots[i].Path == "" {
			r.spots[i].value = span{start, len(body)}
		}
	}
	return true
}

// members looks at the members of the object at i: those of the body if s is nil,
// else those in which path leads to s. It returns false if the text is no object.
func (r *Reading) members(i int, s *spot, path string) bool {
	b := r.body
	for i = jsontext.SkipSpace(b, i+1); i < len(b) && b[i] == '"'; i = jsontext.SkipSpace(b, i+1) {
		name := span{i, jsontext.StringEnd(b, i)}
		at := jsontext.SkipSpace(b, name.to)
		if at >= len(b) || b[at] != ':' {
			return false
		}
		if at = jsontext.SkipSpace(b, at+1); at == len(b) {
			return false
		}
		key, value := jsontext.Unquote(b[i:name.to]), span{at, at + 1}
		switch {
		case s == nil && r.Values != nil:
			value.to = r.Values.Value(key, at)
		case !r.quick || b[at] != '[' && b[at] != '{':
			value.to = jsontext.ValueEnd(b, at)
		}
		if r.visit(s, path, key, name, value); r.quick && r.open == 0 {
			return true
		}
		if value.to == at+1 {
			value.to = jsontext.ValueEnd(b, at)
		}
		if i = jsontext.SkipSpace(b, value.to); i < len(b) && b[i] == '}' {
			return true
		}
		if i >= len(b) || b[i] != ',' {
			return false
		}
	}
	return i < len(b) && b[i] == '}'
}

func (r *Reading) visit(s *spot, path string, key []byte, name, value span) {
	if s != nil {
		r.match(s, path, key, name, value)
		return
	}
	for i := range r.spots[:r.count] {
		r.match(&r.spots[i], r.spots[i].Path, key, name, value)
	}
	r.sign(key, r.body[value.from:value.to])
}

// match notes a member that is the one s is about, and looks into one that leads
// to it.
func (r *Reading) match(s *spot, path string, key []byte, name, value span) {
	step, rest, nested := strings.Cut(path, ".")
	exact := string(key) == step
	switch {
	case !exact && !bytes.EqualFold(key, []byte(step)):
	case !nested:
		r.note(s, exact, name, value)
	case r.body[value.from] == '{':
		r.members(value.from, s, rest)
	}
}

// note keeps what was found for s. A name that is written as declared wins over
// one in another case.
func (r *Reading) note(s *spot, exact bool, name, value span) {
	switch {
	case s.name == span{}:
		if bit := uint16(1) << s.member; r.said&bit == 0 && fits(r.body[value.from:value.to], s.Kind) {
			r.said |= bit
			r.open--
		}
	case s.exact == exact:
		s.twice = true
		return
	case s.exact:
		r.shadowed = append(r.shadowed, name)
		return
	default:
		r.shadowed = append(r.shadowed, s.name)
		s.twice = false
	}
	s.name, s.value, s.exact = name, value, exact
}

// Body returns the body without the names that a declared one wins over, which
// encoding/json would take for it.
func (r *Reading) Body() []byte {
	if len(r.shadowed) == 0 {
		return r.body
	}
	slices.SortFunc(r.shadowed, func(a, b span) int { return b.from - a.from })
	out := bytes.Clone(r.body)
	for _, name := range slices.Compact(r.shadowed) {
		out = slices.Insert(out, name.from+1, '~')
	}
	return out
}
