package dialect

import "bytes"

// translation turns the words, values and numbers of a JSON text from one side to the
// other. White space, order and whatever has no other word stay as they are.
type translation struct {
	words
	hearing  bool
	whole    func(member string, raw []byte) (replaced []byte, ok bool) // members that are not looked into; may be nil
	problems []string
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
	done := 0
	for _, p := range parts(raw) {
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
