package dialect

import (
	"slices"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// step changes the shape of JSON.
type step struct {
	at path
	// one of these
	unwrap, wrap path
	only, list   bool
	move, to     path
	absent       []byte // what is put at to if nothing is there
	names        []string
	complement   bool
}

func compileSteps(given []deployment.Step) []step {
	steps := make([]step, len(given))
	for i, g := range given {
		steps[i] = step{
			at: pathOf(g.At), unwrap: pathOf(g.Unwrap), wrap: pathOf(g.Wrap), only: g.Only, list: g.List,
			move: pathOf(g.Move), to: pathOf(g.To), absent: g.Default, names: g.Names, complement: g.Complement,
		}
	}
	return steps
}

// shaped does the steps, all or none: it returns the text as it was and the number of
// the first step that finds nothing to work on, if there is one.
func shaped(text []byte, steps []step) (_ []byte, misfit int, ok bool) {
	if len(steps) == 0 {
		return text, 0, true
	}
	if !isJSON(text) {
		return text, 0, false
	}
	out := text
	for i := range steps {
		if out, ok = steps[i].do(out); !ok {
			return text, i, false
		}
	}
	return out, 0, true
}

func (s *step) do(text []byte) ([]byte, bool) {
	found, ok := s.at.spans(text)
	if !ok {
		return nil, false
	}
	edits := make([]edit, 0, len(found))
	for _, f := range found {
		with, ok := s.apply(text[f.from:f.to])
		if !ok {
			return nil, false
		}
		edits = append(edits, edit{f.from, f.to, with})
	}
	if len(edits) == 1 && len(s.at) == 0 {
		return edits[0].with, true // what is around the whole is white space
	}
	return applied(text, edits), true
}

// apply does the step on one value.
func (s *step) apply(value []byte) ([]byte, bool) {
	switch {
	case s.only:
		return sole(value)
	case s.list:
		return slices.Concat([]byte("["), value, []byte("]")), true
	case len(s.wrap) > 0:
		return s.wrap.around(value), true
	case len(s.names) == 2:
		return named(value, s.names)
	case s.complement:
		return complement(value)
	case len(s.absent) > 0:
		if _, there := s.to.find(value); there {
			return value, true
		}
		return s.to.put(value, s.absent, false)
	case len(s.move) > 0:
		rest, member, ok := s.move.cut(value)
		if !ok {
			return nil, false
		}
		return s.to.put(rest, member, false)
	}
	f, ok := s.unwrap.find(value)
	return value[f.from:f.to], ok
}

// sole returns the only element of an array.
func sole(value []byte) (element []byte, ok bool) {
	if value[0] != '[' {
		return nil, false
	}
	elements := 0
	_, _ = jsontext.Elements(value, 0, func(_, at int) (int, error) {
		elements++
		end := jsontext.ValueEnd(value, at)
		element = value[at:end]
		return end, nil
	})
	return element, elements == 1
}

// inner returns the part of an answer that its steps unwrap and only lead to, as it
// came.
func inner(came []byte, steps []step) []byte {
	for i := range steps {
		s := &steps[i]
		if len(s.at) > 0 || !s.only && len(s.unwrap) == 0 {
			continue
		}
		f, ok := path(nil).find(came)
		if !ok {
			return came
		}
		part, ok := s.apply(came[f.from:f.to])
		if !ok {
			return came
		}
		came = part
	}
	return came
}

// isInner reports whether the steps do no more than [inner] does.
func isInner(steps []step) bool {
	return !slices.ContainsFunc(steps, func(s step) bool { return len(s.at) > 0 || !s.only && len(s.unwrap) == 0 })
}
