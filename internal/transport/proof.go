package transport

import (
	"bytes"
	"slices"
	"strings"
)

// proof is what a body says, as far as the names of its members tell. The body
// need not be JSON, so each step keeps to its bounds.
type proof struct {
	body  []byte
	spots []spot
	room  [8]spot // of spots
	said  uint16  // declared members that were found, a bit each
	open  int     // how many were not
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

func (p *proof) declare(members []string) {
	p.spots, p.open = p.room[:0], len(members)
	for i, member := range members {
		for place := ""; member != ""; {
			place, member, _ = strings.Cut(member, "|")
			p.spots = append(p.spots, spot{Place: placeOf(place), member: i})
		}
	}
}

// read goes through the body from i, where its value begins. It returns false
// if that is not JSON, as far as it was read.
func (p *proof) read(i int) bool {
	if p.body[i] == '{' {
		return p.members(i, p.top)
	}
	p.content = true
	for s := range p.spots {
		if p.spots[s].Path == "" {
			p.spots[s].value = span{i, len(p.body)}
		}
	}
	return true
}

// members calls visit for the members of the object at i, until it returns
// false. It returns false itself if the text is no object.
func (p *proof) members(i int, visit func(name, value span) bool) bool {
	b := p.body
	for i = skipSpace(b, i+1); i < len(b) && b[i] == '"'; i = skipSpace(b, i+1) {
		name := span{i, stringEndIn(b, i)}
		at := skipSpace(b, name.to)
		if at >= len(b) || b[at] != ':' {
			return false
		}
		if at = skipSpace(b, at+1); at == len(b) {
			return false
		}
		value := span{at, at + 1}
		if !p.quick || b[at] != '[' && b[at] != '{' {
			value.to = valueEndIn(b, at)
		}
		if !visit(name, value) {
			return true
		}
		if value.to == at+1 {
			value.to = valueEndIn(b, at)
		}
		if i = skipSpace(b, value.to); i < len(b) && b[i] == '}' {
			return true
		}
		if i >= len(b) || b[i] != ',' {
			return false
		}
	}
	return i < len(b) && b[i] == '}'
}

// top looks at a member of the body.
func (p *proof) top(name, value span) bool {
	key := plain(p.body[name.from:name.to])
	for s := range p.spots {
		p.match(&p.spots[s], p.spots[s].Path, key, name, value)
	}
	p.sign(key, p.body[value.from:value.to])
	return !p.quick || p.open > 0
}

// match notes a member that is the one s is about, and looks into one that
// leads to it.
func (p *proof) match(s *spot, path string, key []byte, name, value span) {
	step, rest, nested := strings.Cut(path, ".")
	exact := string(key) == step
	switch {
	case !exact && !bytes.EqualFold(key, []byte(step)):
	case !nested:
		p.note(s, exact, name, value)
	case p.body[value.from] == '{':
		p.members(value.from, func(name, value span) bool {
			p.match(s, rest, plain(p.body[name.from:name.to]), name, value)
			return !p.quick || p.open > 0
		})
	}
}

// note keeps what was found for s. A name that is written as declared wins over
// one in another case.
func (p *proof) note(s *spot, exact bool, name, value span) {
	switch {
	case s.name == span{}:
		if bit := uint16(1) << s.member; p.said&bit == 0 && fits(p.body[value.from:value.to], s.Kind) {
			p.said |= bit
			p.open--
		}
	case s.exact == exact:
		s.twice = true
		return
	case s.exact:
		p.shadowed = append(p.shadowed, name)
		return
	default:
		p.shadowed = append(p.shadowed, s.name)
		s.twice = false
	}
	s.name, s.value, s.exact = name, value, exact
}

// bytes returns the body without the names that a declared one wins over, which
// encoding/json would take for it.
func (p *proof) bytes() []byte {
	if len(p.shadowed) == 0 {
		return p.body
	}
	slices.SortFunc(p.shadowed, func(a, b span) int { return a.from - b.from })
	out := patch{src: p.body}
	for _, name := range slices.Compact(p.shadowed) {
		out.replace(name.from, name.from+1, []byte(`"~`))
	}
	return out.bytes()
}

// problem is what is wrong with the first declared member that is.
func (p *proof) problem() error {
	for i := 0; i < len(p.spots); {
		end := i
		var first *fieldError
		said := false
		for ; end < len(p.spots) && p.spots[end].member == p.spots[i].member; end++ {
			e := p.spots[end].problem(p.body)
			if e != nil && p.spots[end].twice {
				return e
			}
			said = said || e == nil
			first = cmpField(first, e)
		}
		if !said {
			return first
		}
		i = end
	}
	return nil
}

func cmpField(first, e *fieldError) *fieldError {
	if first != nil {
		return first
	}
	return e
}

func (s *spot) problem(body []byte) *fieldError {
	value := body[s.value.from:s.value.to]
	switch {
	case s.Path == "*":
		return nil // for the decoder to find
	case s.twice:
		return &fieldError{path: s.Path, problem: "comes twice"}
	case len(value) == 0:
		return &fieldError{path: s.Path, problem: "required, and missing"}
	case value[0] == 'n' && s.Kind != "null":
		return &fieldError{path: s.Path, problem: "required, and null"}
	case string(value) == `""`:
		return &fieldError{path: s.Path, problem: "required, and empty"}
	case !fits(value, s.Kind):
		return &fieldError{path: s.Path, problem: tokenKind(value) + " does not fit " + s.Kind}
	}
	return nil
}

// fits reports whether a value is of a declared type.
func fits(value []byte, kind string) bool {
	isText := value[0] == '"'
	switch kind {
	case "list":
		return value[0] == '['
	case "null":
		return value[0] == 'n'
	case "object":
		return value[0] == '{'
	case "text":
		return isText
	case "id":
		return isText || isNumber(value)
	case "bool":
		switch string(bytes.Trim(value, `"`)) {
		case "true", "false", "1", "0":
			return true
		}
		return false
	}
	return isNumber(bytes.Trim(value, `"`))
}
