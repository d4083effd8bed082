package wire

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/number"
)

// Tag has the words of a field's wire tag, separated by commas. The
// package says what each means.
type Tag struct {
	Required, Present, Strict, Once, Records, Raw bool

	// Decides and Free declare a number, a time or a flag: whether a caller would trade,
	// size, wait or sign on it. What is required or must be present decides.
	Decides, Free bool
	// Optional says that not every route has the member, although it decides.
	Optional bool
	// Said says that it must be there: no answer is without it.
	Said bool
	// Null says that null is an answer too: the value is not known, or there is none.
	Null bool
	// Key and Signature say that a text is 32 or 64 bytes in base58. It decides.
	Key, Signature bool
	// Opaque says that the documentation does not promise that, so that another text is kept,
	// and said with even a single answer.
	Opaque bool
	// Identity says that the field, with others that are tagged so, tells a record from all
	// others of its list: of two that have all of them alike, the second is left out, and said.
	Identity bool
	// Word says that a text is never a number, as a text of a type of its own never is.
	Word bool
	// Hex is how many bytes a text has in hex, 0 if any number; without a value if it is not in
	// hex. It decides.
	Hex walletfi.Decimal
	// Code says that a text is in base58 or base64. It decides.
	Code bool
	// Min and Max are the bounds of a number, the zero value if there are none. One that does not
	// decide is not read if it is out of them.
	Min, Max walletfi.Decimal
}

// leastPositive is the least number above 0 that is valid.
var leastPositive = walletfi.MustDecimal("1e-" + strconv.Itoa(number.MaxExponent))

// TagOf reads the tag of a field. It panics if that has a word that is not known.
func TagOf(f reflect.StructField) (t Tag) {
	text := f.Tag.Get("wire")
	if text == "" {
		return t
	}
	for word := range strings.SplitSeq(text, ",") {
		if word == "positive" {
			t.Min = leastPositive
			continue
		}
		name, value, _ := strings.Cut(word, "=")
		flag, bound := t.word(name)
		var err error
		if bound != nil {
			*bound, err = walletfi.NewDecimal(value)
		}
		if err != nil || flag == nil && bound == nil {
			panic(fmt.Sprintf("wire: the field %s is tagged %q", f.Name, text))
		}
		if flag != nil {
			*flag = true
		}
	}
	t.Decides = t.Decides || t.Required || t.Present || t.Said || t.Key || t.Signature || t.Code || !t.Hex.IsZero()
	return t
}

// word returns what a word of a tag sets.
func (t *Tag) word(name string) (flag *bool, bound *walletfi.Decimal) {
	switch name {
	case "min":
		return nil, &t.Min
	case "max":
		return nil, &t.Max
	case "hex":
		return nil, &t.Hex
	}
	return map[string]*bool{
		"required": &t.Required, "present": &t.Present, "strict": &t.Strict, "once": &t.Once,
		"records": &t.Records, "raw": &t.Raw, "decides": &t.Decides, "optional": &t.Optional, "said": &t.Said,
		"free": &t.Free, "null": &t.Null,
		"key": &t.Key, "signature": &t.Signature, "opaque": &t.Opaque, "identity": &t.Identity,
		"code": &t.Code, "word": &t.Word,
	}[name], nil
}

// Holds reports whether a value that does not fit the field makes an error, whatever its
// type.
func (t Tag) Holds() bool { return t.Required || t.Present || t.Strict }
