package hostile

import (
	"fmt"
	"strings"
	"time"
)

// verdict is the harm of what a client made of a lie: none if it was refused, or shows. Where
// nothing hangs on it, it is enough that an observer was told.
func verdict(l lie, r *rule, shows bool, honest map[string]leaf, got any, err error, told bool) (harm, string) {
	h, sample := believed(l, r, shows, honest, got, err)
	if h == quiet && r.unnamed || told && !r.decides && h >= little {
		return 0, ""
	}
	return h, sample
}

func believed(l lie, r *rule, shows bool, honest map[string]leaf, got any, err error) (harm, string) {
	if err != nil {
		return 0, ""
	}
	if text, ok := got.(string); ok && strings.HasPrefix(text, "panic: ") {
		return worst, text
	}
	all := changes(honest, typed(got))
	for _, c := range all {
		if c.now.form == problem {
			return 0, ""
		}
	}
	switch {
	case l.class == "request" || l.class == "filter":
		return decided(r, worst, against), l.said
	case !shows:
		return 0, ""
	case l.class == "twice":
		return decided(r, against, quiet), l.said
	}
	isKept, isLost := false, false
	_, isNumber := number(l.said)
	for _, c := range all {
		if isNumber && !r.decides && r.isText() && c.now == (leaf{value, l.said}) {
			return 0, "" // a text may come as a number, and is read as that
		}
		isKept = isKept || c.now.form == kept && c.now.text == "true"
		isLost = isLost || c.now.text == gone
	}
	found, sample := harm(0), ""
	for _, c := range all {
		if isLost && c.now.form == value {
			continue // a record was left out, and the next one is read in its place
		}
		if h := read(l, r, c, isKept); h != 0 && (found == 0 || h < found) {
			found, sample = h, fmt.Sprintf("%s: %s is %q", orNothing(l.said), c.at, c.now.text)
		}
	}
	return found, sample
}

// read is the harm of what a member was read as.
func read(l lie, r *rule, c change, isKept bool) harm {
	absent := l.class == "missing" || l.class == "null"
	isHolder := r.kind == "list" || r.kind == "object"
	isText := r.isText()
	switch c.now.form {
	case none:
		switch {
		case !r.decides && absent:
			return 0 // nothing was said
		case !r.decides:
			return quiet
		case isHolder && !isKept && !r.hidden:
			return silent
		case absent && (r.hidden || c.now.text == "nil" || c.now.text == gone) || isKept:
			return 0
		case absent && (r.kind == "word" || r.kind == "text") && !r.outcome:
			return 0 // no word is empty
		}
		return silent
	case value:
		_, isNumber := number(l.said)
		switch {
		case isText && l.said == c.now.text && (isNumber || !r.decides):
			return 0 // a text may come as a number
		case !r.decides && !absent && r.within(l.said) && says(l.said, c.now.text):
			return 0 // which may be written in another way
		case isText && !absent, !r.decides && !absent && says(l.said, c.now.text):
			return decided(r, silent, quiet)
		case isText:
			return decided(r, silent, 0)
		case !absent && says(l.said, c.now.text), isKept:
			return decided(r, worst, 0)
		}
		return decided(r, worst, little)
	}
	return 0
}

func (r *rule) isText() bool { return r.kind == "word" || r.kind == "text" || r.kind == "id" }

// decided is one harm where a member decides, and another where it does not.
func decided(r *rule, decides, free harm) harm {
	if r.decides {
		return decides
	}
	return free
}

// says reports whether a value was read as an answer said it: the same text, the
// same number, or the same instant.
func says(said, text string) bool {
	said = strings.Trim(said, `"`)
	if said == text {
		return true
	}
	s, ok := number(said)
	if !ok {
		return false
	}
	if n, ok := number(text); ok {
		return s.Cmp(n) == 0
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	unix, _ := s.Float64()
	return err == nil && unix == float64(at.UnixNano())/1e9
}

func orNothing(said string) string {
	if said == "" {
		return "nothing"
	}
	return said
}
