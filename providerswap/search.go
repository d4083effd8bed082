package providerswap

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// members holds the members of an answer whose shape is not documented: those
// of the object itself and of the objects in it, the outermost first. Names are
// in lower case without underscores and hyphens.
type members struct {
	objects []map[string]json.RawMessage
	problem string // of the first known member that came twice, or that is not what it should be
	misfit  bool   // there is a member like that, and not only an amount of 0
}

// maxDepth is how many levels of objects are searched for a member.
const maxDepth = 3

var fold = strings.NewReplacer("_", "", "-", "")

// search returns the members of the object in b, none if b is not an object.
func search(b []byte) *members {
	all := &members{}
	level := []json.RawMessage{b}
	for range maxDepth {
		var deeper []json.RawMessage
		for _, object := range level {
			folded, inner, err := foldObject(object)
			if err != nil {
				all.misfit = true
				all.note(err.Error())
			}
			if folded == nil {
				continue
			}
			all.objects, deeper = append(all.objects, folded), append(deeper, inner...)
		}
		level = deeper
	}
	return all
}

// foldObject returns an object's members by folded name, and the members that
// are objects, in the order of their names. If two names fold to the same one,
// the first counts; a name that comes twice counts as none.
func foldObject(b []byte) (folded map[string]json.RawMessage, inner []json.RawMessage, twice error) {
	object, twice := wire.Members(b)
	if object == nil {
		return nil, nil, nil
	}
	folded = make(map[string]json.RawMessage, len(object))
	for _, name := range sortedKeys(object) {
		value := object[name]
		key := fold.Replace(strings.ToLower(name))
		if _, has := folded[key]; !has {
			folded[key] = json.RawMessage(value)
		}
		if value[0] == '{' {
			inner = append(inner, json.RawMessage(value))
		}
	}
	return folded, inner, twice
}

// note keeps the first problem.
func (m *members) note(problem string) { m.problem = cmp.Or(m.problem, problem) }

// find passes the members of these names to fits, in the order of the names,
// until fits returns true. If there are some, and none fits, misfit names the first.
func (m *members) find(names []string, fits func(json.RawMessage) bool) (misfit string) {
	for _, name := range names {
		for _, object := range m.objects {
			value, ok := object[name]
			if ok && fits(value) {
				return ""
			}
			if ok && value[0] != 'n' && string(value) != `""` {
				misfit = cmp.Or(misfit, name)
			}
		}
	}
	return misfit
}

// need is find that notes a problem.
func (m *members) need(names []string, fits func(json.RawMessage) bool) {
	if misfit := m.find(names, fits); misfit != "" {
		m.misfit = true
		m.note(misfit + " is not what it should be")
	}
}

// text returns the first of these members that is a string and not empty.
func (m *members) text(names ...string) string {
	var found string
	m.need(names, func(value json.RawMessage) bool {
		return value[0] == '"' && json.Unmarshal(value, &found) == nil && found != ""
	})
	return found
}

// signatures returns those of these members that are the base58 of 64 bytes.
func (m *members) signatures(names ...string) (found []string) {
	m.find(names, func(value json.RawMessage) bool {
		var text string
		if json.Unmarshal(value, &text) == nil && check.Signature("", text) == nil {
			found = append(found, text)
		}
		return false
	})
	return found
}

// amount returns the first of these members that is an amount in smallest
// units, or nil. A fraction is not: it counts whole tokens. One of 0 is a problem.
func (m *members) amount(names ...string) *walletfi.Amount {
	var found *walletfi.Amount
	m.need(names, func(value json.RawMessage) bool {
		var amount walletfi.Amount
		if value[0] == 'n' || amount.UnmarshalJSON(value) != nil {
			return false
		}
		found = &amount
		return true
	})
	if found != nil && *found == 0 {
		m.note(names[0] + " is 0")
	}
	return found
}

// percent returns the first of these members that is a number from 0 to 100.
func (m *members) percent(names ...string) (found walletfi.Decimal) {
	m.need(names, func(value json.RawMessage) bool {
		var d walletfi.Decimal
		ok := d.UnmarshalJSON(value) == nil && d.Valid() && d.Sign() >= 0 && d.Cmp(hundred) <= 0
		if ok {
			found = d
		}
		return ok
	})
	return found
}

var hundred = walletfi.MustDecimal("100")

func sortedKeys[V any](object map[string]V) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func clone(b []byte) walletfi.Document { return slices.Clone(b) }
