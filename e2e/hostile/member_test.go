package hostile

import (
	"fmt"
	"regexp"
	"strings"
)

// member is a value of an answer and where it stands.
type member struct {
	at     string // "pools[0].decimals"
	path   string // "pools[].decimals", as the oracle has it
	kind   byte   // s, n, b, z, o, a: as in JSON, z for null
	key    int    // where its name begins, -1 in a list and at the top
	from   int    // where its value begins
	to     int    // where its value ends
	edge   bool   // in the first or the last record of each list that it is in
	lone   bool   // the only member of its object
	parent byte   // of the kinds
}

// members reads a body, which must be JSON, into all its values, the whole one first.
func members(body string) []member {
	r := &reader{text: body}
	r.value("", "", -1, true, 0)
	return r.all
}

type reader struct {
	text string
	at   int
	all  []member
}

func (r *reader) space() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

// value reads a value, and returns its place in all.
func (r *reader) value(at, path string, key int, edge bool, parent byte) int {
	r.space()
	n := len(r.all)
	r.all = append(r.all, member{at: at, path: path, key: key, from: r.at, edge: edge, parent: parent})
	kind := byte('n')
	switch c := r.text[r.at]; c {
	case '{':
		kind = 'o'
		r.object(at, path, edge)
	case '[':
		kind = 'a'
		r.list(at, path, edge)
	case '"':
		kind = 's'
		r.quoted()
	default:
		kind = map[byte]byte{'t': 'b', 'f': 'b', 'n': 'z'}[c]
		if kind == 0 {
			kind = 'n'
		}
		for r.at < len(r.text) && strings.IndexByte(",]} \t\r\n", r.text[r.at]) < 0 {
			r.at++
		}
	}
	r.all[n].kind, r.all[n].to = kind, r.at
	return n
}

func (r *reader) quoted() string {
	start := r.at
	for r.at++; r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
	return r.text[start+1 : r.at-1]
}

func (r *reader) object(at, path string, edge bool) {
	var within []int
	for r.at++; ; r.at++ {
		if r.space(); r.text[r.at] == '}' {
			break
		}
		key := r.at
		name := r.quoted()
		r.space()
		r.at++ // the colon
		within = append(within, r.value(join(at, name), join(path, wordOf(name)), key, edge, 'o'))
		if r.space(); r.text[r.at] == '}' {
			break
		}
	}
	r.at++
	if len(within) == 1 {
		r.all[within[0]].lone = true
	}
}

func (r *reader) list(at, path string, edge bool) {
	first := len(r.all)
	var records []int
	for r.at++; ; r.at++ {
		if r.space(); r.text[r.at] == ']' {
			break
		}
		n := len(records)
		within, isEdge := path+"[]", edge && n == 0
		if strings.HasSuffix(path, "[]") { // a row of numbers, each of its own meaning
			within, isEdge = fmt.Sprintf("%s[%d]", path, n), edge
		}
		records = append(records, r.value(fmt.Sprintf("%s[%d]", at, n), within, -1, isEdge, 'a'))
		if r.space(); r.text[r.at] == ']' {
			break
		}
	}
	r.at++
	if len(records) < 2 || !edge {
		return
	}
	last := records[len(records)-1]
	for i := max(first, last); i < len(r.all); i++ {
		r.all[i].edge = true // the last record; of its own lists, all records
	}
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

var address = regexp.MustCompile(`^([1-9A-HJ-NP-Za-km-z]{32,44}|0x[0-9a-fA-F]{40})$`)

// wordOf is the name of a member in a path: an address that names one is "*".
func wordOf(name string) string {
	if address.MatchString(name) {
		return "*"
	}
	return name
}

// with is the body with another value.
func (m member) with(body, value string) string { return body[:m.from] + value + body[m.to:] }

// without is the body without the member.
func (m member) without(body string) string {
	before, after := body[:m.key], body[m.to:]
	if rest := strings.TrimLeft(after, " \t\r\n"); strings.HasPrefix(rest, ",") {
		return before + rest[1:]
	}
	return strings.TrimSuffix(strings.TrimRight(before, " \t\r\n"), ",") + after
}

// twice is the body with the member once more, with another value.
func (m member) twice(body, value string) string {
	name := body[m.key : strings.IndexByte(body[m.key+1:], '"')+m.key+2]
	return body[:m.to] + "," + name + ":" + value + body[m.to:]
}

// text is the value as it is written.
func (m member) text(body string) string { return body[m.from:m.to] }
