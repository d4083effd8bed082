package wire

import (
	"slices"
	"strings"
	"unsafe"
)

// Words makes the reader of a type whose documented values are these: a word that differs
// from one of them in case only is read as that one, since callers compare with the
// constants. Any other text is kept as it came.
func Words[T ~string](set ...T) {
	Reader(func(s *Scanner, v *T) error {
		if err := readText(s, unsafe.Pointer(v)); err != nil {
			return s.result(err)
		}
		if slices.Contains(set, *v) {
			return nil
		}
		same := func(word T) bool { return strings.EqualFold(string(word), string(*v)) }
		if i := slices.IndexFunc(set, same); i >= 0 {
			*v = set[i]
		}
		return nil
	})
}
