package catalogue

import (
	"encoding/json"
	"slices"
	"strings"
)

// Shape is the shape of a JSON value. In the file it looks like the value: an object
// by its members, "*" for any other name; an array by its one element; a scalar by
// the listed values of its enumeration, "active|closed", "" if none are listed; null if
// nothing is documented.
type Shape struct {
	Open    bool             // nothing is documented
	Members map[string]Shape // of an object; "*" are names that are data
	Item    *Shape           // of an array
	Values  []string         // of an enumeration
}

// IsZero reports whether the shape is that of any scalar.
func (s Shape) IsZero() bool {
	return !s.Open && s.Members == nil && s.Item == nil && s.Values == nil
}

// MarshalJSON writes the shape as the file has it.
func (s Shape) MarshalJSON() ([]byte, error) {
	switch {
	case s.Open:
		return []byte("null"), nil
	case s.Members != nil:
		return json.Marshal(s.Members)
	case s.Item != nil:
		return json.Marshal([]Shape{*s.Item})
	}
	return json.Marshal(strings.Join(s.Values, "|"))
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Shape) UnmarshalJSON(b []byte) error {
	*s = Shape{}
	switch b[0] {
	case '{':
		return json.Unmarshal(b, &s.Members)
	case '[':
		var items []Shape
		if err := json.Unmarshal(b, &items); err != nil {
			return err
		}
		s.Item = &items[0]
	case '"':
		var values string
		if err := json.Unmarshal(b, &values); err != nil {
			return err
		}
		if values != "" {
			s.Values = strings.Split(values, "|")
		}
	default:
		s.Open = true
	}
	return nil
}

// Each calls visit for each member at any depth, with its path, such as
// "data.pools.*.id".
func (s Shape) Each(visit func(path, name string, member Shape)) { s.each("", visit) }

func (s Shape) each(path string, visit func(path, name string, member Shape)) {
	if s.Item != nil {
		s.Item.each(path+"*.", visit)
		return
	}
	for _, name := range s.Names() {
		member := s.Members[name]
		if name != "*" {
			visit(path+name, name, member)
		}
		member.each(path+name+".", visit)
	}
}

// Names returns the names of an object's members in order.
func (s Shape) Names() []string {
	names := make([]string, 0, len(s.Members))
	for name := range s.Members {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
