package lenient

import (
	"reflect"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// shadowed returns for each field of the object at src[i] whether a name that is
// written as declared wins over one in another case. Of two names that are written
// alike, encoding/json takes both, one after the other; a strict field that comes
// twice is an error.
func shadowed(src []byte, i int, known *structFields) ([]bool, error) {
	exact, counts := make([]bool, len(known.list)), make([][2]int, len(known.list))
	_, _ = jsontext.Members(src, i, func(from, to, at int) (int, error) {
		if n, isExact := known.find(jsontext.Unquote(src[from:to])); isExact {
			exact[n] = true
			counts[n][0]++
		} else if n >= 0 {
			counts[n][1]++
		}
		return jsontext.ValueEnd(src, at), nil
	})
	for n, count := range counts {
		if known.list[n].strict && (count[0] > 1 || count[0] == 0 && count[1] > 1) {
			return exact, &FieldError{known.list[n].name, "comes twice", true}
		}
	}
	return exact, nil
}

// tidy reports whether encoding/json reads body, which it took, as relax would: no
// object has a strict member twice, or a member in two cases, and no list of records
// has a null.
func tidy(body []byte, t reflect.Type) bool {
	_, ok := tidyValue(body, jsontext.SkipSpace(body, 0), t, false)
	return ok
}

func tidyValue(b []byte, i int, t reflect.Type, records bool) (end int, ok bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	first := b[i]
	switch {
	case first != '{' && first != '[', !isNested(t), reflect.PointerTo(t).Implements(jsonUnmarshaler):
		return jsontext.ValueEnd(b, i), true
	case t.Kind() == reflect.Struct && first == '{':
		return tidyObject(b, i, t)
	case t.Kind() == reflect.Map && first == '{':
		ok = true
		end, _ = jsontext.Members(b, i, func(_, _, at int) (int, error) {
			end, fine := tidyValue(b, at, t.Elem(), false)
			ok = ok && fine
			return end, nil
		})
		return end, ok
	case isList(t) && first == '[':
		ok = true
		end, _ = jsontext.Elements(b, i, func(_, at int) (int, error) {
			end, fine := tidyValue(b, at, t.Elem(), false)
			ok = ok && fine && (!records || b[at] != 'n')
			return end, nil
		})
		return end, ok
	}
	return jsontext.ValueEnd(b, i), true
}

func isNested(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Map || isList(t)
}

// maxTracked is how many fields of a struct tidy keeps track of without allocating.
const maxTracked = 64

func tidyObject(b []byte, i int, t reflect.Type) (end int, ok bool) {
	known := fieldsOf(t)
	if ok = len(known.list) <= maxTracked; !ok {
		return jsontext.ValueEnd(b, i), false
	}
	var exactly, otherwise uint64
	end, _ = jsontext.Members(b, i, func(from, to, at int) (int, error) {
		n, exact := known.find(jsontext.Unquote(b[from:to]))
		if n < 0 {
			return jsontext.ValueEnd(b, at), nil
		}
		seen, bit := &otherwise, uint64(1)<<n
		if exact {
			seen = &exactly
		}
		ok = ok && (*seen&bit == 0 || !known.list[n].strict)
		*seen |= bit
		end, fine := tidyValue(b, at, known.list[n].typ, known.list[n].records)
		ok = ok && fine
		return end, nil
	})
	return end, ok && exactly&otherwise == 0
}
