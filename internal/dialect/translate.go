package dialect

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// ToLive translates the names, values and numbers of a request's JSON. All other
// bytes stay, white space included; body is not changed, and is returned itself if
// nothing in it is translated or it is not JSON. The error is a
// walletfi.ValidationError: a number would have to be rounded.
func (o *Operation) ToLive(body []byte) ([]byte, error) {
	if o == nil {
		return body, nil
	}
	return o.translate(body, &o.out, nil, nil)
}

// ToNeutral is ToLive the other way, for an answer. The values of members named in
// keep, by neutral name, stay as they are. With an error, which says what number
// would have to be rounded, everything else is translated all the same.
func (o *Operation) ToNeutral(body []byte, keep ...string) ([]byte, error) {
	if o == nil {
		return body, nil
	}
	return o.translate(body, &o.in, &o.out, slices.Clone(keep))
}

// edit is a change of the text.
type edit struct {
	from, to int
	with     []byte
}

type translator struct {
	of    *Operation
	src   []byte
	words *table
	out   *table // on the way in: the words the other way
	keep  []string
	edits []edit
	err   error

	arguments *Operation // the words of the arguments in the object that is read, nil if it has none of its own
}

// The members that name a template and have its arguments.
const memberTemplate, memberArguments = "templateId", "templateArgs"

func (o *Operation) translate(body []byte, words, out *table, keep []string) ([]byte, error) {
	if words.isEmpty() && len(o.templates()) == 0 || !isJSON(body) {
		return body, nil
	}
	t := &translator{of: o, src: body, words: words, out: out, keep: keep, arguments: o.templates()[o.template]}
	t.value(jsontext.SkipSpace(body, 0), nil, nil)
	return applied(body, t.edits), t.err
}

func isJSON(body []byte) bool { return utf8.Valid(body) && json.Valid(body) }

// applied returns text with edits, which are in order; one without text changes
// nothing.
func applied(text []byte, edits []edit) []byte {
	edits = slices.DeleteFunc(edits, func(e edit) bool { return e.with == nil })
	if len(edits) == 0 {
		return text
	}
	size := len(text)
	for _, e := range edits {
		size += len(e.with) - (e.to - e.from)
	}
	out, copied := make([]byte, 0, size), 0
	for _, e := range edits {
		out = append(append(out, text[copied:e.from]...), e.with...)
		copied = e.to
	}
	return append(out, text[copied:]...)
}

// value translates the value at src[i] and returns the index after it. Scalars, also
// those in a list, are looked up in enumeration and have the form.
func (t *translator) value(i int, enumeration map[string]word, number *form) int {
	switch t.src[i] {
	case '{':
		return t.object(i)
	case '[':
		end, _ := jsontext.Elements(t.src, i, func(_, at int) (int, error) { return t.value(at, enumeration, number), nil })
		return end
	}
	end := jsontext.ValueEnd(t.src, i)
	token := t.src[i:end]
	if number != nil {
		with, err := number.translate(token, t.out != nil)
		if err != nil && t.err == nil {
			t.err = err
		}
		if with != nil {
			t.edits = append(t.edits, edit{i, end, with})
			return end
		}
	}
	if token[0] == '"' && len(enumeration) > 0 {
		if w, ok := enumeration[string(jsontext.Unquote(token))]; ok {
			t.edits = append(t.edits, edit{i, end, w.quoted})
		}
	}
	return end
}

// object translates the members of an object. On the way in, a member that has a
// neutral name already gives way to the one that is renamed to it: the deployment
// says what that name stands for.
func (t *translator) object(i int) int {
	outer := t.arguments
	t.arguments = t.templateOf(i)
	defer func() { t.arguments = outer }()
	var renamed pairs
	var strays []stray
	end, _ := jsontext.Members(t.src, i, func(from, to, at int) (int, error) {
		key := jsontext.Unquote(t.src[from:to])
		w, ok := t.words.keys[string(key)]
		name := key
		switch {
		case ok:
			t.edits = append(t.edits, edit{from, to, w.quoted})
			renamed.add(w.number)
			if t.out != nil {
				name = []byte(w.text)
			}
		case t.out != nil:
			if mine, taken := t.out.keys[string(key)]; taken {
				return t.maybeStray(&strays, mine.number, from, to, at), nil
			}
		}
		return t.member(name, at), nil
	})
	for _, s := range strays {
		switch {
		case renamed.has(s.number):
			key := t.edits[s.first]
			key.with = append([]byte(`"~`), t.src[key.from+1:key.to]...)
			clear(t.edits[s.first:s.last])
			t.edits[s.first] = key
		case t.err == nil:
			t.err = s.err
		}
	}
	return end
}

// maybeStray translates a member that has a neutral name already, so that all of it can be
// undone: what the documentation does not know has no form that it could miss.
func (t *translator) maybeStray(strays *[]stray, number, from, to, at int) (end int) {
	s := stray{first: len(t.edits), number: number}
	t.edits = append(t.edits, edit{from: from, to: to})
	before := t.err
	t.err = nil
	end = t.member(jsontext.Unquote(t.src[from:to]), at)
	t.err, s.err, s.last = before, t.err, len(t.edits)
	*strays = append(*strays, s)
	return end
}

// member translates the value of the member with a neutral name.
func (t *translator) member(name []byte, at int) int {
	if len(t.keep) > 0 && slices.Contains(t.keep, string(name)) {
		return jsontext.ValueEnd(t.src, at)
	}
	if own := t.arguments; own != nil && string(name) == memberArguments {
		words, out := t.words, t.out
		defer func() { t.words, t.out = words, out }()
		t.words = &own.out
		if out != nil {
			t.words, t.out = &own.in, &own.out
		}
	}
	return t.value(at, t.words.values[string(name)], t.words.numbers[string(name)])
}

// templateOf returns the words of the template that the object at src[i] names, and of one that
// names none those of the object around it.
func (t *translator) templateOf(i int) (own *Operation) {
	own = t.arguments
	if len(t.of.templates()) == 0 {
		return own
	}
	_, _ = jsontext.Members(t.src, i, func(from, to, at int) (int, error) {
		end, key := jsontext.ValueEnd(t.src, at), string(jsontext.Unquote(t.src[from:to]))
		if w, ok := t.words.keys[key]; ok && t.out != nil {
			key = w.text
		}
		if key == memberTemplate && t.src[at] == '"' {
			id := string(jsontext.Unquote(t.src[at:end]))
			if w, ok := t.words.values[memberTemplate][id]; ok && t.out != nil {
				id = w.text
			}
			own = t.of.templates()[id]
		}
		return end, nil
	})
	return own
}

// stray is a member that has a neutral name already. Its edits are those from first to
// before last; the first is that of its name.
type stray struct {
	first, last, number int
	err                 error // of a number in it
}

// pairs is a set of pairs of words.
type pairs [8]uint64

func (p *pairs) add(n int) {
	if n < 64*len(p) {
		p[n/64] |= 1 << (n % 64)
	}
}

func (p *pairs) has(n int) bool { return n < 64*len(p) && p[n/64]&(1<<(n%64)) != 0 }
