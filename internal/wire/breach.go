package wire

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unsafe"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/number"
)

// A Breach is a member that does not keep to its declaration.
type Breach struct {
	Struct reflect.Type // that has the member
	Member string
	What   Fault
	Free   bool // it does not decide: the breach makes no error, and is let through
}

// Name is the member as errors name it and as walletfi.Options.Lenient does, such as
// "Pool.decimals".
func (b Breach) Name() string {
	name, _, _ := strings.Cut(b.Struct.Name(), "[") // without the arguments of a generic type
	return name + "." + b.Member
}

// Fault names how a member breaks its declaration.
type Fault string

// The faults.
const (
	Absent     Fault = "missing"
	OfNoKind   Fault = "of another kind"
	OutOfRange Fault = "out of range"
	Repeated   Fault = "repeated"
	Misspelt   Fault = "no identifier" // of an opaque key, signature or hash, which is kept
	OfNoLength Fault = "of another length"
)

// quantity says what a member that decides holds, for what is wrong with it.
type quantity uint8

const (
	someValue quantity = iota
	aDecimal
	anInteger // up to here, numbers in which nothing but bounds can be wrong
	aTime
	aText
	aWord // that is no number
	aKey
	aSignature
	aHex
	aCode
)

func quantityOf(t reflect.Type, tag Tag) quantity {
	switch k := t.Kind(); {
	case tag.Key:
		return aKey
	case tag.Signature:
		return aSignature
	case !tag.Hex.IsZero():
		return aHex
	case tag.Code:
		return aCode
	case k == reflect.Pointer, k == reflect.Map, k == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		return quantityOf(t.Elem(), tag)
	case t == reflect.TypeFor[walletfi.Decimal]():
		return aDecimal
	case t == reflect.TypeFor[walletfi.Time]():
		return aTime
	case reflect.Int <= k && k <= reflect.Uint64:
		return anInteger
	case tag.Word, k == reflect.String && t.Name() != "string" && !t.Implements(reflect.TypeFor[validating]()):
		return aWord
	case k == reflect.String:
		return aText
	}
	return someValue
}

// isPicky reports whether a value that is quick to read may still be wrong. A count that is
// is not below 0.
func (own *member) isPicky() bool {
	if own.quantity == anInteger && own.kind == isCount && own.bounds != nil {
		return own.bounds.fewest > 0 || !own.bounds.max.IsZero()
	}
	return own.bounds != nil || own.quantity >= aWord || own.checks
}

// validating is a type that says whether a text is a value of it.
type validating interface{ Valid() bool }

// isValid reports whether a text that was read is valid, as far as its type can say.
func (own *member) isValid(field unsafe.Pointer) bool {
	return !own.checks || reflect.NewAt(own.shape.typ, field).Interface().(validating).Valid()
}

// shortNumber is a length up to which each number is valid.
const shortNumber = 24

// judge holds a member that decides, whose value begins at from, against its
// declaration. A time or a number that is out of range, or a time with an exponent, is no value,
// even if it does not decide.
func (s *Scanner) judge(m *object, own *member, field unsafe.Pointer, from int, again bool) {
	if m.decides&own.bit == 0 {
		if s.failed {
			return
		}
		if s.text[from] == '{' && own.shape.typ.Kind() == reflect.Map {
			s.judgeMap(m, own, from)
		} else if what := own.wrong(s.text[from:s.at]); what == OutOfRange || what != "" && own.quantity == aTime {
			own.shape.zero(field)
			s.lost = true
			s.tell(m, own, what)
		}
		return
	}
	if again {
		s.breach(m, own.name, Repeated)
	}
	isMisfit := s.misfit == own
	if isMisfit {
		s.misfit = nil
	}
	switch {
	case s.failed:
	case s.text[from] == '{' && own.shape.typ.Kind() == reflect.Map:
		s.judgeMap(m, own, from)
	case isMisfit:
		s.breach(m, own.name, OfNoKind)
	case own.quantity == someValue && own.bounds == nil:
	case s.text[from] == '[':
		s.judgeList(m, own, from)
	default:
		what := own.wrong(s.text[from:s.at])
		if what == "" && saysSomething(s.text[from:s.at]) && !own.isValid(field) {
			what = OfNoKind
		}
		if what != "" {
			s.breach(m, own.name, what)
			if own.quantity == aTime {
				own.shape.zero(field)
			}
		}
	}
}

// judgeList notes the elements of a list that are not as its member declares them. One
// that is null would be read as a zero. Of a list of records, the others can be used.
func (s *Scanner) judgeList(m *object, own *member, from int) {
	n := 0
	_, _ = jsontext.Elements(s.body[:s.at], from, func(_, at int) (int, error) {
		end := jsontext.ValueEnd(s.body, at)
		value, before := s.text[at:end], len(s.broken)
		what := own.wrong(value)
		switch {
		case own.records && (value[0] == '{' || value[0] == '['):
			what = "" // it was left out, and reported
		case !own.records && !saysSomething(value):
			what = Absent
		}
		if what != "" {
			s.breach(m, own.name, what)
		}
		if own.records {
			s.beside(before, own.name, n, at, end)
		}
		n++
		return end, nil
	})
}

// judgeMap notes the values of a map that are not as its member declares them. They are
// records: the others can be used.
func (s *Scanner) judgeMap(m *object, own *member, from int) {
	n, seen := 0, map[string]bool{}
	_, _ = jsontext.Members(s.body[:s.at], from, func(start, to, at int) (int, error) {
		name, end := string(jsontext.Unquote(s.body[start:to])), jsontext.ValueEnd(s.body, at)
		before, what := len(s.broken), own.wrong(s.text[at:end])
		isFree := m.decides&own.bit == 0
		if seen[name] && !isFree { // of which tell was told
			what = Repeated
		}
		seen[name] = true
		switch {
		case what != "" && isFree:
			s.lost = true
			s.tell(m, own, what)
		case what != "":
			s.breach(m, own.name, what)
		}
		s.beside(before, own.name+".*", n, at, end)
		n++
		return end, nil
	})
}

// wrong returns what is wrong with a value that was read, "" if nothing is.
func (own *member) wrong(value string) Fault {
	text := strings.Trim(value, `"`)
	if strings.Contains(text, `\`) {
		text = string(jsontext.Unquote([]byte(value)))
	}
	digits, isPlain := number.Whole(text)
	if isPlain && own.quantity <= anInteger && own.bounds.holdAll(digits) {
		return ""
	}
	switch isNumber := text != "" && number.End(text) == len(text); {
	case text == "" || value == "null":
		return "" // no value, of which judgeAbsent knows whether there must be one
	case own.quantity == aDecimal && !isNumber, own.quantity == aWord && (value[0] != '"' || !isWord(text)),
		own.quantity == aText && value[0] != '"' && !isNumber:
		return OfNoKind
	case own.quantity == aDecimal && len(text) > shortNumber && !number.Valid(text):
		return OutOfRange
	case (own.quantity == anInteger || own.quantity == aTime) && isNumber && strings.ContainsAny(text, "eE"):
		return OfNoKind
	case own.quantity == aTime && !isRecent(text, digits):
		return timeFault(text, isNumber)
	case own.quantity >= aKey:
		return own.misspelt(value[0] == '"', text)
	}
	if own.bounds == nil {
		return ""
	}
	if n, err := walletfi.NewDecimal(text); err == nil && (!n.Valid() || !own.bounds.hold(n)) {
		return OutOfRange
	}
	return ""
}

// isWord reports whether a text may be a word, documented or new.
func isWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// misspelt returns what is wrong with a text of a certain form, as it is without quotes.
func (own *member) misspelt(isText bool, text string) Fault {
	switch isOpaque := own.opaque && own.quantity != aHex; {
	case !isText:
		return OfNoKind
	case isOpaque && isIdentifier(text), !isOpaque && own.hasForm(text):
		return ""
	case own.opaque:
		return Misspelt
	}
	return OfNoKind
}

// hasForm reports whether a text has the form of the quantity.
func (own *member) hasForm(text string) bool {
	switch own.quantity {
	case aSignature:
		return isKeyText(text, 2*shortestKey, 2*longestKey)
	case aHex:
		digits, ok := strings.CutPrefix(text, "0x")
		ok = ok && len(digits)%2 == 0 && hexLetters.spell(digits)
		return ok && (own.bytes == 0 || len(digits) == 2*own.bytes)
	case aCode:
		return codeLetters.spell(text)
	}
	return isKeyText(text, shortestKey, longestKey)
}

// judgeAbsent notes the members that an object must have and has not.
func (s *Scanner) judgeAbsent(m *object, absent uint64) {
	for ; absent != 0 && !s.failed; absent &= absent - 1 {
		s.breach(m, m.names[bits.TrailingZeros64(absent)], Absent)
	}
}

// breach notes one, unless the reporter lets it through. In a list of records it is
// kept with the record that has it, else it makes the answer unreadable.
func (s *Scanner) breach(m *object, name string, what Fault) {
	if what == Misspelt && !s.tells || s.Waives(Breach{m.typ, name, what, false}) {
		return
	}
	s.lost = true
	s.broken = append(s.broken, &FieldError{name, m.problem(name, what), what != Misspelt})
}

// tell tells the reporter what is wrong with a member, if that does not decide.
func (s *Scanner) tell(m *object, own *member, what Fault) {
	if m.decides&own.bit == 0 && s.report != nil && !s.failed {
		s.report.Breach(Breach{m.typ, own.name, what, true})
	}
}

// Tell tells the reporter what is wrong with a member of a T that does not decide, as the T's
// own reader knows.
func Tell[T any](s *Scanner, name string, what Fault) {
	s.tell(objectOf(reflect.TypeFor[T]()), &member{name: name}, what)
}

// Breaks notes what is wrong with a member of a T, as the T's own reader knows.
func Breaks[T any](s *Scanner, member string, what Fault) {
	s.breach(objectOf(reflect.TypeFor[T]()), member, what)
}

// Lacks notes that a T lacks a member that it must have.
func Lacks[T any](s *Scanner, member string) { Breaks[T](s, member, Absent) }

// Opaque holds an opaque key, which a T's own reader found under another name, against its
// declaration.
func Opaque[T any](s *Scanner, member, text string) {
	if text != "" && !isIdentifier(text) {
		Breaks[T](s, member, Misspelt)
	}
}

// holds reports whether what is wrong with a member, if it is strict, makes an error.
func (s *Scanner) holds(m *object, own *member, what Fault) bool {
	return !s.takesAll && (m.decides&own.bit == 0 || !s.Waives(Breach{m.typ, own.name, what, false}))
}

// Waives reports whether a breach is let through.
func (s *Scanner) Waives(b Breach) bool {
	return s.takesAll && !s.notes || s.report != nil && s.report.Breach(b)
}

// problem says what is wrong with a member.
func (m *object) problem(name string, what Fault) string {
	text := Breach{m.typ, name, what, false}.Name() + " decides, and is " + string(what)
	if i := slices.Index(m.names, name); what == Absent && i >= 0 && m.expects&(1<<i) != 0 {
		text += ` (wire:"said")` // whoever made the answer up looks for it
	}
	return text
}

// nameBroken puts the name of an enclosing field before the faults that were met from
// before on.
func (s *Scanner) nameBroken(before int, name string) {
	for i, fault := range s.broken[before:] {
		s.broken[before+i] = fault.within(name)
	}
}

// beside turns the faults that were met from before on into errors of a record: the
// element n of a list, which is in the body from from to end.
func (s *Scanner) beside(before int, list string, n, from, end int) {
	if len(s.broken) == before {
		return
	}
	var err error = s.broken[before]
	for _, fault := range s.broken[before+1:] {
		err = fmt.Errorf("%w; %w", err, fault)
	}
	raw := slices.Clone(s.body[from:end])
	s.unread = append(s.unread, &walletfi.RecordError{List: list, Index: n, Raw: raw, Err: err, Kept: true})
	s.broken = s.broken[:before]
}
