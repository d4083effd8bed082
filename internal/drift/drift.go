// Package drift holds the members of answers against what is documented.
package drift

import (
	"slices"

	"github.com/walletfi/walletfi-go/internal/catalogue"
	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// Kind is what was found.
type Kind int

// The kinds.
const (
	Arrived Kind = iota // a documented member
	Unknown             // a member that is not documented
	Value               // a value that the documented enumeration does not list
)

// Finding is a member of an answer.
type Finding struct {
	Kind   Kind
	Member string // such as "pools.*.id"
	Value  []byte // the member's, as it came
}

// Compare calls visit for each member of a body, which is JSON, as often as it is
// there. It does not look into what is not documented.
func Compare(shape catalogue.Shape, body []byte, visit func(Finding)) {
	if i := jsontext.SkipSpace(body, 0); i < len(body) {
		(&comparison{body, visit}).value(shape, "", i)
	}
}

type comparison struct {
	body  []byte
	visit func(Finding)
}

// value compares the value at i and returns the index after it. path ends with a dot
// unless it is empty.
func (c *comparison) value(shape catalogue.Shape, path string, i int) int {
	b := c.body
	switch {
	case shape.Members != nil && b[i] == '{':
		end, _ := jsontext.Members(b, i, func(from, to, value int) (int, error) {
			return c.member(shape, path, string(jsontext.Unquote(b[from:to])), value), nil
		})
		return end
	case shape.Item != nil && b[i] == '[':
		end, _ := jsontext.Elements(b, i, func(_, value int) (int, error) {
			return c.value(*shape.Item, path+"*.", value), nil
		})
		return end
	}
	return jsontext.ValueEnd(b, i)
}

func (c *comparison) member(shape catalogue.Shape, path, name string, i int) int {
	member, documented := shape.Members[name]
	if !documented {
		if member, documented = shape.Members["*"]; documented {
			name = "*"
		}
	}
	end := jsontext.ValueEnd(c.body, i)
	kind := Arrived
	switch {
	case !documented:
		kind = Unknown
	case len(member.Values) > 0 && !c.listed(member, i, end):
		kind = Value
	}
	c.visit(Finding{kind, path + name, c.body[i:end]})
	if documented {
		c.value(member, path+name+".", i)
	}
	return end
}

// listed reports whether the value from i to end is one of those that a member can
// have. Null and the empty text are in no enumeration, and stand for none.
func (c *comparison) listed(member catalogue.Shape, i, end int) bool {
	if c.body[i] != '"' {
		return true // another type is the decoder's to judge
	}
	text := string(jsontext.Unquote(c.body[i:end]))
	return text == "" || slices.Contains(member.Values, text)
}
