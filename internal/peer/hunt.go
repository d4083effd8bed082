package peer

import "bytes"

// span is a part of a text, and what replaces it.
type span struct {
	from, to int
	mask     string
}

// spelling is one way to write a secret, folded. The quotes at its ends stay.
type spelling struct {
	bytes  []byte
	quotes int // at each end
}

// prefix is the first bytes of a spelling, by which it is found.
type prefix [3]byte

// fold makes + and blank the same, as they are in the query of a URL.
func fold(b []byte) []byte { return bytes.ReplaceAll(b, []byte("+"), []byte(" ")) }

// hunt is a search in one text for the secrets that begin before limit.
type hunt struct {
	of    *Mask
	limit int
	open  bool // the text may end within a secret
	found []span
}

// values looks at each name and each value of JSON.
func (h *hunt) values(text []byte) {
	for i, end := 0, 0; i < min(h.limit, len(text)); i = end {
		end = i + tokenLen(text[i:])
		token := asIs(text, i, end)
		switch {
		case text[i] == '"':
			value, _ := token.without(inJSON)
			h.find(value, true)
		case end > i+1: // a number
			known := len(h.found)
			if h.search(token); len(h.found) > known {
				h.found = append(h.found[:known], span{i, end, `"` + masking + `"`})
			}
		}
	}
}

// tokenLen returns the length of the string, number or word at the start of JSON,
// 1 for what is between them.
func tokenLen(text []byte) int {
	n := 1
	if text[0] != '"' {
		for n < len(text) && wordByte(text[n-1]) && wordByte(text[n]) {
			n++
		}
		return n
	}
	for ; text[n] != '"'; n++ {
		if text[n] == '\\' {
			n++
		}
	}
	return n + 1
}

func wordByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || c == 'E' || c == '-' || c == '+' || c == '.'
}

// find searches a text as it is and behind each escape; behind those of JSON also
// for others, as when a message quotes a request. quoted says that this was done.
func (h *hunt) find(r reading, quoted bool) {
	h.search(r)
	for _, e := range []escape{inURL, inHTML, inJSON} {
		undone, ok := r.without(e)
		switch {
		case ok && !quoted && e.begins == inJSON.begins:
			h.find(undone, true)
		case ok:
			h.search(undone)
		}
	}
}

// search notes each secret in a reading, those that overlap as one.
func (h *hunt) search(r reading) {
	text, end := fold(r.bytes), 0
	for i := 0; i+len(prefix{}) <= len(text) && r.at[i] < h.limit; i++ {
		for _, s := range h.of.spellings[prefix(text[i:])] {
			n := min(len(s.bytes), len(text)-i)
			whole := n == len(s.bytes) || h.open && n >= minSecret
			if !whole || !bytes.Equal(text[i:i+n], s.bytes[:n]) {
				continue
			}
			if from := r.at[i+s.quotes]; from >= end {
				h.found = append(h.found, span{from: from, mask: masking})
			}
			end = max(end, r.end(i+min(n, len(s.bytes)-s.quotes)))
			h.found[len(h.found)-1].to = end
		}
	}
}
