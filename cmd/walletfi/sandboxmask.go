package main

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// hidden takes the place of a secret, and in numbers it is noughts or nines.
const hidden = "***"

// leastSecret is how long a text must be to be looked for: shorter ones are everywhere.
const leastSecret = 6

var (
	secretWord = regexp.MustCompile(`(?i)(key|token)s?$|secret|signature|passw|passphrase|mnemonic|credential|` +
		`auth$|authorization|cookie|jwt|otp$|^session(_?id)?$`)
	publicWord = regexp.MustCompile(`(?i)idempotency|(pub|public|market|account)[_-]?keys?$|^tokens$|` +
		`(base|quote|from|to|input|output|next|page|pagination)[_-]?token$`)
	keyHeader     = regexp.MustCompile(`(?i)key|token|auth|session`)
	multipartType = regexp.MustCompile(`(?i)^\s*multipart/`)
	// parameter is one of a query or a form, also in an address within a text.
	parameter = regexp.MustCompile(`((?:^|[?&;]|\\u0026)([^=&?#;\s"\\]+)=)([^&#;\s"\\]+)`)
	token     = regexp.MustCompile(`"(?:[^"\\]|\\(?s:.))*"?|-?\d[\d.eE+-]*|[\[\]{}]`)
	address   = regexp.MustCompile(`^[1-9A-HJ-NP-Za-km-z]{32,44}$`)
	numeral   = regexp.MustCompile(`^[\d.eE+-]*$`)
)

// keyIn reports whether a credential comes in a header of a name.
func keyIn(name string) bool {
	return named(name) || keyHeader.MatchString(name) && !publicWord.MatchString(name)
}

// named reports whether a parameter or a member has a name as secrets have.
func named(name string) bool { return secretWord.MatchString(name) && !publicWord.MatchString(name) }

// secrets are texts that are to be written nowhere, by how they begin, longest first.
type secrets map[string][]string

// learn adds a secret.
func (s secrets) learn(texts ...string) {
	for _, text := range texts {
		text, _ = unescaped(text)
		if len(text) < leastSecret || slices.Contains(s[text[:leastSecret]], text) {
			continue
		}
		all := append(s[text[:leastSecret]], text)
		slices.SortFunc(all, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
		s[text[:leastSecret]] = all
	}
}

// learnExchange adds what came in headers for keys and in cookies.
func (s secrets) learnExchange(e *exchange) {
	for name, values := range e.headers {
		if !keyIn(name) {
			continue
		}
		for _, value := range values {
			_, credential, _ := strings.Cut(value, " ")
			s.learn(value, strings.TrimSpace(credential))
		}
	}
	r := http.Request{Header: e.headers}
	if _, password, ok := r.BasicAuth(); ok {
		s.learn(password)
	}
	for _, cookie := range slices.Concat(r.Cookies(), e.cookies) {
		s.learn(cookie.Value)
	}
}

// learnMember adds the value of a member or parameter. The addresses of mints and accounts, which
// some vendors call tokens and keys, stay where they are named otherwise.
func (s secrets) learnMember(value string) {
	if !address.MatchString(value) {
		s.learn(value)
	}
}

// hideNamed masks the values of members and parameters that are named as secrets are, and learns them.
func (s secrets) hideNamed(text string) string {
	text = parameter.ReplaceAllStringFunc(text, func(pair string) string {
		part := parameter.FindStringSubmatch(pair)
		name, _ := unescaped(part[2])
		if !named(name) {
			return pair
		}
		value, err := url.QueryUnescape(part[3])
		if err != nil {
			value = part[3]
		}
		s.learnMember(value)
		return part[1] + hidden
	})
	return s.hideMembers(text)
}

// hideMembers does so for members, in JSON and in what merely looks like it.
func (s secrets) hideMembers(text string) string {
	var b strings.Builder
	next, depth, under := false, 0, 0 // the next value is secret; all are, within a container at a depth
	from := 0
	for _, at := range token.FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		b.WriteString(text[from:at[0]])
		from = at[1]
		switch {
		case word == "{" || word == "[":
			depth++
			if next && under == 0 {
				under = depth
			}
			next = false
		case word == "}" || word == "]":
			if under == depth {
				under = 0
			}
			depth--
			next = false
		case word[0] == '"' && strings.HasPrefix(strings.TrimLeft(text[at[1]:], " \t\r\n"), ":"):
			next = named(unquoted(word))
		case next || under > 0:
			s.learnMember(unquoted(word))
			word = masking(word)
			next = false
		case strings.Contains(word, `\"`):
			word = s.hideWithin(word)
		}
		b.WriteString(word)
	}
	b.WriteString(text[from:])
	return b.String()
}

// hideWithin masks JSON that is the text of a string.
func (s secrets) hideWithin(word string) string {
	inner := unquoted(word)
	masked := s.hideNamed(inner)
	if masked == inner {
		return word
	}
	quoted, err := json.Marshal(masked)
	if err != nil {
		return `"` + hidden + `"`
	}
	return string(quoted)
}

// masking is written for a string or number of JSON.
func masking(word string) string {
	if word[0] != '"' {
		return "0"
	}
	return `"` + hidden + `"`
}

func unquoted(word string) string {
	var text string
	if json.Unmarshal([]byte(word), &text) != nil {
		return strings.Trim(word, `"`)
	}
	return text
}

// hide masks the secrets in a text, however they are escaped there.
func (s secrets) hide(text string) string {
	norm, starts := unescaped(text)
	var b strings.Builder
	from := 0
	for i := 0; i+leastSecret <= len(norm); i++ {
		for _, secret := range s[norm[i:i+leastSecret]] {
			if !strings.HasPrefix(norm[i:], secret) {
				continue
			}
			b.WriteString(text[from:starts[i]])
			i += len(secret)
			from = starts[i]
			b.WriteString(inPlaceOf(secret))
			i-- // the loop adds one
			break
		}
	}
	b.WriteString(text[from:])
	return b.String()
}

// inPlaceOf is written for a secret: for one of digits, which may be in a number, digits.
func inPlaceOf(secret string) string {
	if numeral.MatchString(secret) {
		return strings.Repeat("9", len(secret))
	}
	return hidden
}

// unescaped takes the escapes of URLs and of JSON, also of one within the other, from a text, and returns with
// it where each of its bytes, and its end, was.
func unescaped(text string) (string, []int) {
	starts := make([]int, len(text)+1)
	for i := range starts {
		starts[i] = i
	}
	for range 3 {
		if !strings.ContainsAny(text, `%\`) {
			break
		}
		out, at := make([]byte, 0, len(text)), make([]int, 0, len(text)+1)
		for i := 0; i < len(text); {
			size := 0
			n := len(out)
			out, size = unescape(out, text[i:])
			for range len(out) - n {
				at = append(at, starts[i])
			}
			i += size
		}
		text, starts = string(out), append(at, starts[len(text)])
	}
	return text, starts
}

var escape = regexp.MustCompile(`^(?:%[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\["\\/bfnrt])`)

// unescape appends the first character of a text, and returns how long its escape was.
func unescape(out []byte, text string) ([]byte, int) {
	if text[0] != '%' && text[0] != '\\' {
		return append(out, text[0]), 1
	}
	switch found := escape.FindString(text); {
	case found == "":
		return append(out, text[0]), 1
	case found[0] == '%':
		value, _ := url.PathUnescape(found)
		return append(out, value...), len(found)
	default:
		return utf8.AppendRune(out, []rune(unquoted(`"` + found + `"`))[0]), len(found)
	}
}
