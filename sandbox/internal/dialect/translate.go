package dialect

import (
	"bytes"
	"encoding/json"
)

// translation turns the words, values and numbers of a JSON text from one side to the
// other. White space, order and whatever has no other word stay as they are.
type translation struct {
	words
	hearing  bool
	whole    func(member string, raw []byte) (replaced []byte, ok bool) // members that are not looked into; may be nil
	problems []string
	template string // that the object names, or the request's path
}

// tell turns a documented text into the live one.
func (w words) tell(raw []byte) []byte {
	t := translation{words: w}
	return t.value("", raw)
}

// value translates what is under a member, or in a list under it.
func (t *translation) value(name string, raw []byte) []byte {
	switch {
	case is(raw, '{'):
		return t.object(raw)
	case is(raw, '['):
		return t.list(name, raw)
	}
	begin := space(raw, 0)
	end := skip(raw, begin)
	return splice(raw, begin, end, t.scalar(name, raw[begin:end]))
}

func (t *translation) object(raw []byte) []byte {
	var out bytes.Buffer
	done, outer := 0, t.template
	defer func() { t.template = outer }()
	all := parts(raw)
	for _, p := range all {
		if p.name == "templateId" && is(p.value, '"') && !t.hearing {
			t.template = unquote(p.value)
		}
	}
	for _, p := range all {
		name, key := p.name, t.keys.say(p.name)
		if t.hearing {
			var problem string
			if name, problem = t.keys.hear(p.name); problem != "" {
				t.problems = append(t.problems, "field "+problem)
			}
			key = name
		}
		out.Write(raw[done:p.at])
		if key == p.name {
			out.Write(p.key)
		} else {
			out.Write(quote(key))
		}
		out.Write(raw[p.at+len(p.key) : p.begin])
		out.Write(t.member(name, p.value))
		done = p.end
	}
	out.Write(raw[done:])
	return out.Bytes()
}

func (t *translation) member(name string, raw []byte) []byte {
	if t.whole != nil {
		if replaced, ok := t.whole(name, raw); ok {
			return replaced
		}
	}
	if own, ok := t.templates[t.template]; ok && name == "templateArgs" {
		of := translation{words: own, hearing: t.hearing, whole: t.whole}
		defer func() { t.problems = append(t.problems, of.problems...) }()
		return of.value(name, raw)
	}
	return t.value(name, raw)
}

func (t *translation) list(name string, raw []byte) []byte {
	var out bytes.Buffer
	done := 0
	for _, p := range parts(raw) {
		under := name
		if is(p.value, '[') {
			under = "" // a list within the list
		}
		out.Write(raw[done:p.begin])
		out.Write(t.value(under, p.value))
		done = p.end
	}
	out.Write(raw[done:])
	return out.Bytes()
}

func (t *translation) scalar(name string, raw []byte) []byte {
	if name == "" {
		return raw
	}
	if form, ok := t.numbers[name]; ok {
		if !t.hearing {
			return sayNumber(form, raw)
		}
		heard, problem := hearNumber(form, raw)
		if problem != "" {
			t.problems = append(t.problems, "field "+t.keys.say(name)+" "+problem)
		}
		raw = heard
	}
	values, ok := t.values[name]
	if !ok || raw[0] != '"' {
		return raw
	}
	text := unquote(raw)
	other, problem := values.say(text), ""
	if t.hearing {
		other, problem = values.hear(text)
	}
	if problem != "" {
		t.problems = append(t.problems, "field "+t.keys.say(name)+" has "+problem)
	}
	if other == text {
		return raw
	}
	return quote(other)
}

// splice replaces a piece of a text.
func splice(raw []byte, begin, end int, with []byte) []byte {
	out := make([]byte, 0, len(raw)-(end-begin)+len(with))
	out = append(out, raw[:begin]...)
	out = append(out, with...)
	return append(out, raw[end:]...)
}

// part is a member of an object or an element of an array. Raw texts are parts of the
// text that was split, which is valid JSON.
type part struct {
	name       string // of a member
	key        []byte // as it is written
	value      []byte
	at         int // where the key begins
	begin, end int // of the value
}

// parts splits an object or an array, in order, doubled members included.
func parts(raw []byte) []part {
	var all []part
	object := raw[space(raw, 0)] == '{'
	for i := space(raw, space(raw, 0)+1); raw[i] != '}' && raw[i] != ']'; i = space(raw, i) {
		if raw[i] == ',' {
			i = space(raw, i+1)
		}
		var p part
		if object {
			end := skip(raw, i)
			p.at, p.key = i, raw[i:end]
			p.name = unquote(p.key)
			i = space(raw, space(raw, end)+1) // past the colon
		}
		p.begin, p.end = i, skip(raw, i)
		p.value = raw[p.begin:p.end]
		all = append(all, p)
		i = p.end
	}
	return all
}

// space returns the first place from i on that is no white space.
func space(raw []byte, i int) int {
	for i < len(raw) && bytes.IndexByte([]byte(" \t\r\n"), raw[i]) >= 0 {
		i++
	}
	return i
}

// skip returns the end of the value that begins at i.
func skip(raw []byte, i int) int {
	switch raw[i] {
	case '"':
		for i++; raw[i] != '"'; i++ {
			if raw[i] == '\\' {
				i++
			}
		}
		return i + 1
	case '{', '[':
		for depth := 0; ; {
			switch raw[i] {
			case '"':
				i = skip(raw, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(raw) && bytes.IndexByte([]byte(",]} \t\r\n"), raw[i]) < 0 {
		i++
	}
	return i
}

// is reports whether a value begins with a character.
func is(raw []byte, first byte) bool {
	i := space(raw, 0)
	return i < len(raw) && raw[i] == first
}

func unquote(raw []byte) (text string) {
	if json.Unmarshal(raw, &text) != nil {
		panic("sandbox: a text that is none: " + string(raw))
	}
	return text
}

func quote(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic("sandbox: a text that cannot be written: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
