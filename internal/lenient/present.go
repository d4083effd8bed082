package lenient

import "math/bits"

// A field tagged wire:"present" is one that money hangs on, and that the service
// documents as always there: a balance, a quantity, a price. An explicit 0 is an
// answer. A member that is absent, null or an empty text is not: it would be read
// as 0. It makes the answer unreadable, or the record of a list that is tagged
// wire:"records". Only the first maxMarks fields of a struct can have the tag.

// saysNothing reports whether the value at b[i] is null or an empty text.
func saysNothing(b []byte, i int) bool {
	return i >= len(b) || b[i] == 'n' || b[i] == '"' && i+1 < len(b) && b[i+1] == '"'
}

// lacks returns an error that names the first field which must be present and is
// not among those that were said.
func (s *structFields) lacks(said uint64) error {
	missing := s.must &^ said
	if missing == 0 {
		return nil
	}
	return &FieldError{s.list[bits.TrailingZeros64(missing)].name, "must be there, and is missing", true}
}
