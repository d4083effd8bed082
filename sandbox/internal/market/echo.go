package market

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Echoes are answers that clients must send back as they are: equal in value,
// every digit included, or to the byte if Config.StrictEcho demands it.
type Echoes[T any] struct {
	core *kit.Core
	// served has what the answers were made from, for as long as they are of
	// use; known has every answer.
	served *kit.Shelf[echo, T]
	known  *kit.Shelf[echo, struct{}]
}

// echo is the hash of an answer.
type echo [sha256.Size]byte

// MostEchoes is how many answers are remembered.
const MostEchoes = 4096

// NewEchoes makes a memory of answers, each of use for a life by the sandbox's
// clock.
func NewEchoes[T any](core *kit.Core, life time.Duration) *Echoes[T] {
	return &Echoes[T]{
		core, kit.NewShelf[echo, T](core, life, MostEchoes), kit.NewShelf[echo, struct{}](core, 0, MostEchoes),
	}
}

// Keep remembers an answer and the value it was made from.
func (e *Echoes[T]) Keep(raw []byte, meaning T) {
	key := e.key(raw)
	e.served.Put(key, meaning)
	e.known.Put(key, struct{}{})
}

// Find returns the value of an answer that a client sent back. known is false if
// it was not served; fresh is false if its life is over.
func (e *Echoes[T]) Find(raw []byte) (meaning T, fresh, known bool) {
	key := e.key(raw)
	meaning, fresh = e.served.Get(key)
	_, known = e.known.Get(key)
	return meaning, fresh, known
}

// Returned is the value of an answer that a request sends back as a field. It refuses
// any other text: a correct client returns the answer unchanged.
func (e *Echoes[T]) Returned(c *kit.Call, raw []byte, field, of string) T {
	meaning, fresh, known := e.Find(raw)
	if !known {
		c.Violate(field + " is not, " + e.Same() + ", what was served")
		panic(kit.Bad("%s is not the response of %s", field, of))
	}
	_, noun, _ := strings.Cut(of, " ")
	kit.BadIf(!fresh, "the %s is too old", noun)
	return meaning
}

// key is the same for texts that count as the same answer.
func (e *Echoes[T]) key(raw []byte) echo {
	if !e.core.Config.StrictEcho {
		if value, ok := Canonical(raw); ok {
			return sha256.Sum256(value)
		}
	}
	return sha256.Sum256(bytes.TrimSpace(raw))
}

// Same is how a refusal says what counts as the same answer.
func (e *Echoes[T]) Same() string {
	if e.core.Config.StrictEcho {
		return "to the byte"
	}
	return "in value, digit for digit"
}

// Disguises is how many forms an answer that must come back can have.
const Disguises = 2

// extras are undocumented members, written so that a client that decodes and
// encodes again, or compacts, would change their bytes. Their values survive a
// correct encoder, that of a language whose numbers are all doubles included.
const extras = `"trace":{"note":"a<b>&c\/d \u00e9\u2028","ratio":1.50,"big":123456789012345680000000000000,` +
	`"exp":1E+2,"tags":[ ],"none":null},`

// Disguise writes an object with unknown members in it and, in the second
// form, with white space wherever JSON allows it.
func Disguise(object any, form int) []byte {
	raw := kit.MustJSON(object)
	raw = slices.Concat(raw[:1], []byte(extras), raw[1:])
	if form == 0 {
		return raw
	}
	var spaced bytes.Buffer
	if err := json.Indent(&spaced, raw, "\t ", " \r"); err != nil {
		panic("sandbox: an answer is not JSON: " + err.Error())
	}
	return spaced.Bytes()
}

// Canonical writes a JSON value so that two texts of equal value are equal bytes:
// without white space, members by name, strings in one spelling, numbers by
// their exact decimal value (1.50 is 1.5, 1E+2 is 100; no digit is lost). False
// means that raw is not one JSON value.
func Canonical(raw []byte) ([]byte, bool) {
	if !json.Valid(raw) {
		return nil, false
	}
	return canonical(nil, bytes.TrimSpace(raw)), true
}

func canonical(out, raw []byte) []byte {
	switch raw[0] {
	case '{':
		names, values, err := kit.Members(raw)
		if err != nil {
			panic("sandbox: an object that was valid cannot be read: " + err.Error())
		}
		members := make([][]byte, len(names))
		for i, name := range names {
			members[i] = canonical(append(kit.MustJSON(name), ':'), bytes.TrimSpace(values[i]))
		}
		slices.SortFunc(members, bytes.Compare)
		return append(append(append(out, '{'), bytes.Join(members, []byte{','})...), '}')
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			panic("sandbox: an array that was valid cannot be read: " + err.Error())
		}
		out = append(out, '[')
		for i, item := range items {
			if i > 0 {
				out = append(out, ',')
			}
			out = canonical(out, bytes.TrimSpace(item))
		}
		return append(out, ']')
	case '"':
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			panic("sandbox: a string that was valid cannot be read: " + err.Error())
		}
		return append(out, kit.MustJSON(text)...)
	case 't', 'f', 'n':
		return append(out, raw...)
	}
	return append(out, number(string(raw))...)
}

// number writes a JSON number as its significant digits and a power of ten.
func number(text string) string {
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "-", rest
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return "0"
	}
	power := 0
	if exponent != "" {
		var err error
		if power, err = strconv.Atoi(exponent); err != nil {
			return sign + mantissa + "e" + exponent // beyond any number that is served
		}
	}
	power += len(digits) - len(short) - len(fraction)
	return sign + short + "e" + strconv.Itoa(power)
}
