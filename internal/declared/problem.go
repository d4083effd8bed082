package declared

import (
	"bytes"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// Problem says what is wrong with a declared member.
type Problem struct {
	Path string // empty for the body itself
	What string
}

// Problem returns what is wrong with the first declared member that is and that waived does
// not let through, nil if there is none.
func (r *Reading) Problem(waived func(path string) bool) *Problem {
	for i := 0; i < len(r.spots); {
		var first *Problem
		said := false
		end := i
		for ; end < len(r.spots) && r.spots[end].member == r.spots[i].member; end++ {
			what := r.spots[end].problem()
			if what == "" {
				said = true
				continue
			}
			p := &Problem{r.spots[end].Path, what}
			if r.spots[end].twice {
				return p
			}
			if first == nil {
				first = p
			}
		}
		if !said && !waived(first.Path) {
			return first
		}
		i = end
	}
	return nil
}

// Twice reports whether a declared member comes twice.
func (r *Reading) Twice() bool {
	return slices.ContainsFunc(r.spots, func(s spot) bool { return s.twice })
}

// problem is empty if the body says what s is about, or if only the decoder of the
// result can tell.
func (s *spot) problem() string {
	value := s.value
	switch {
	case strings.HasPrefix(s.Path, "*"):
		return ""
	case s.twice:
		return "comes twice"
	case len(value) == 0:
		return "required, and missing"
	case value[0] == 'n' && s.Kind != "null" && s.Kind != "items":
		return "required, and null"
	case string(value) == `""`:
		return "required, and empty"
	case !fits(value, s.Kind):
		return jsontext.Kind(value) + " does not fit " + s.Kind
	}
	return ""
}

// fits reports whether a value is of a declared type.
func fits(value []byte, kind string) bool {
	if len(value) == 0 {
		return false
	}
	isText := value[0] == '"'
	switch kind {
	case "list":
		return value[0] == '['
	case "items":
		return value[0] == '[' || value[0] == 'n'
	case "null":
		return value[0] == 'n'
	case "object":
		return value[0] == '{'
	case "text":
		return isText
	case "id":
		return isText || jsontext.IsNumber(value)
	case "bool":
		switch string(bytes.Trim(value, `"`)) {
		case "true", "false", "1", "0":
			return true
		}
		return false
	}
	if isText {
		value = jsontext.Unquote(value)
	}
	return jsontext.IsNumber(value)
}
