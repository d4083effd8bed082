package main

import (
	"bytes"
	"cmp"
	"slices"
)

// edits are the changes of one file. Changes only add text around nodes or replace
// an operator, so that any number of them can be nested.
type edits struct{ list []edit }

type edit struct {
	from, to int // what text replaces; the same for an addition
	close    bool
	depth    int
	text     string
}

// wrap puts text before and after a node. A wrap that is asked for later is inside
// of an earlier one.
func (e *edits) wrap(from, to int, before, after string) {
	depth := len(e.list)
	e.list = append(e.list,
		edit{from: from, to: from, depth: depth, text: before},
		edit{from: to, to: to, close: true, depth: depth, text: after})
}

func (e *edits) replace(from, to int, text string) {
	e.list = append(e.list, edit{from: from, to: to, depth: len(e.list), text: text})
}

// apply returns the changed text. At one place the nodes that end there are closed,
// the inner ones first, before those that begin there are opened, the outer first.
func (e *edits) apply(text []byte) []byte {
	list := slices.Clone(e.list)
	slices.SortStableFunc(list, func(a, b edit) int {
		if c := cmp.Compare(a.from, b.from); c != 0 {
			return c
		}
		if a.close != b.close {
			if a.close {
				return -1
			}
			return 1
		}
		if a.close {
			return cmp.Compare(b.depth, a.depth)
		}
		return cmp.Compare(a.depth, b.depth)
	})
	var out bytes.Buffer
	at := 0
	for _, c := range list {
		out.Write(text[at:c.from])
		out.WriteString(c.text)
		at = c.to
	}
	out.Write(text[at:])
	return out.Bytes()
}
