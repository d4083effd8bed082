package transport

import (
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
)

// vocabulary is a walletfi.Vocabulary made ready for use. A nil vocabulary
// translates nothing and costs nothing.
type vocabulary struct {
	headerNames words // canonical to canonical
	ownNames    words // the same, live to neutral
	queryNames  words
	segments    words
	outward     wordTable
	inward      wordTable
}

// Vocabulary translates bodies that do not pass through a Client: messages of
// a feed, received webhooks. The zero value translates nothing.
type Vocabulary struct{ words *vocabulary }

// NewVocabulary compiles v. It fails with a walletfi.ValidationError if v
// is ambiguous: two neutral words for one live word.
func NewVocabulary(v walletfi.Vocabulary) (Vocabulary, error) {
	words, err := newVocabulary(v)
	return Vocabulary{words}, err
}

// ToLive translates JSON on its way out. The values of the members named in
// keep, by neutral name, stay as they are. body itself is not changed.
func (v Vocabulary) ToLive(body []byte, keep ...string) []byte {
	if v.words == nil {
		return body
	}
	return v.words.toLive(body, own(keep)...)
}

// ToNeutral translates JSON on its way in, as ToLive does on its way out.
func (v Vocabulary) ToNeutral(body []byte, keep ...string) []byte {
	if v.words == nil {
		return body
	}
	return v.words.toNeutral(body, own(keep)...)
}

// own copies names, so that the caller's list need not leave its stack if
// nothing is translated.
func own(names []string) []string { return append([]string(nil), names...) }

// Headers renames the headers in h, which is the caller's to change.
func (v Vocabulary) Headers(h http.Header) { v.words.headers(h) }

// Segment returns the live word for a whole segment of a path.
func (v Vocabulary) Segment(word string) string { return v.words.segment(word) }

// Value returns the live word for a value of the enumeration of that name.
func (v Vocabulary) Value(name, word string) string {
	if v.words == nil {
		return word
	}
	return translated(v.words.outward.values[name], word)
}

// newVocabulary returns nil if nothing is translated.
func newVocabulary(v walletfi.Vocabulary) (*vocabulary, error) {
	if v.IsZero() {
		return nil, nil
	}
	c := &vocabulary{headerNames: words{}}
	for _, name := range inOrder(v.Headers) {
		canonical := textproto.CanonicalMIMEHeaderKey(name)
		if c.headerNames[canonical] != "" {
			return nil, wordProblem("headers", "%q is there twice", canonical)
		}
		c.headerNames[canonical] = textproto.CanonicalMIMEHeaderKey(v.Headers[name])
	}
	var err error
	if c.outward.keys, c.inward.keys, err = bothWays("keys", v.Keys); err != nil {
		return nil, err
	}
	c.outward.values, c.inward.values = map[string]words{}, map[string]words{}
	for _, key := range inOrder(v.Values) {
		if c.outward.values[key], c.inward.values[key], err = bothWays("values."+key, v.Values[key]); err != nil {
			return nil, err
		}
	}
	if _, c.ownNames, err = bothWays("headers", c.headerNames); err != nil {
		return nil, err
	}
	if c.queryNames, _, err = bothWays("query", v.Query); err != nil {
		return nil, err
	}
	if c.segments, _, err = bothWays("segments", v.Segments); err != nil {
		return nil, err
	}
	return c, c.checkPlaces()
}

// words maps one language to the other.
type words = map[string]string

// bothWays copies neutral-to-live words and turns them round.
func bothWays(part string, given words) (ahead, back words, err error) {
	ahead, back = make(words, len(given)), make(words, len(given))
	for _, neutral := range inOrder(given) {
		live := given[neutral]
		if neutral == "" || live == "" || !utf8.ValidString(neutral+live) {
			return nil, nil, wordProblem(part, "%q is translated to %q", neutral, live)
		}
		if other, taken := back[live]; taken {
			return nil, nil, wordProblem(part, "%q and %q are both translated to %q", other, neutral, live)
		}
		ahead[neutral], back[live] = live, neutral
	}
	return ahead, back, nil
}

// inOrder returns the keys of a map in an order that does not change from run to
// run: it decides which of several mistakes an error names.
func inOrder[V any](m map[string]V) []string {
	if len(m) == 0 {
		return nil // spares most calls the iterator
	}
	return slices.Sorted(maps.Keys(m))
}

// checkPlaces refuses live words that would change the shape of a request.
func (v *vocabulary) checkPlaces() error {
	const tokenChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
	for _, neutral := range inOrder(v.headerNames) {
		name := v.headerNames[neutral]
		if strings.Trim(name, tokenChars) != "" {
			return wordProblem("headers", "%q is not a header's name", name)
		}
	}
	for _, neutral := range inOrder(v.segments) {
		word := v.segments[neutral]
		if word == "." || word == ".." || url.PathEscape(word) != word {
			return wordProblem("segments", "%q is not a path segment", word)
		}
	}
	return nil
}

func wordProblem(part, format string, args ...any) error {
	return &walletfi.ValidationError{Field: "vocabulary." + part, Problem: fmt.Sprintf(format, args...)}
}

func translated(table words, word string) string {
	if other, ok := table[word]; ok {
		return other
	}
	return word
}

// headers renames the headers in h, which is the caller's to change.
func (v *vocabulary) headers(h http.Header) {
	if v == nil || len(v.headerNames) == 0 {
		return
	}
	renamed := http.Header{}
	for name, live := range v.headerNames {
		if values, ok := h[name]; ok {
			renamed[live] = values
			delete(h, name)
		}
	}
	for live, values := range renamed {
		h[live] = slices.Concat(values, h[live])
	}
}

// answerHeaders returns the headers of an answer under their neutral names: h
// itself, which is not changed, if none is translated. Values that come under a
// neutral name all the same are added at the end.
func (v *vocabulary) answerHeaders(h http.Header) http.Header {
	if v == nil {
		return h
	}
	var neutral http.Header
	for live, name := range v.ownNames {
		values, ok := h[live]
		if !ok {
			continue
		}
		if neutral == nil {
			neutral = v.otherHeaders(h)
		}
		neutral[name] = slices.Concat(values, neutral[name])
	}
	if neutral == nil {
		return h
	}
	return neutral
}

// otherHeaders copies the headers that do not come under a live name.
func (v *vocabulary) otherHeaders(h http.Header) http.Header {
	others := maps.Clone(h)
	maps.DeleteFunc(others, func(name string, _ []string) bool { return v.ownNames[name] != "" })
	return others
}

// isLiveHeader reports whether a header of ours goes out under this name.
func (v *vocabulary) isLiveHeader(name string) bool {
	if v == nil {
		return false
	}
	name = textproto.CanonicalMIMEHeaderKey(name)
	for _, live := range v.headerNames {
		if live == name {
			return true
		}
	}
	return false
}

// segment returns the live word for a whole path segment of a template.
func (v *vocabulary) segment(word string) string {
	if v == nil {
		return word
	}
	return translated(v.segments, word)
}

// query returns the parameters under their live names, the values of
// enumerations translated, also if a value is a list with commas.
func (v *vocabulary) query(q url.Values) url.Values {
	if v == nil || len(v.queryNames)+len(v.outward.values) == 0 {
		return q
	}
	live := make(url.Values, len(q))
	for _, name := range inOrder(q) {
		table := v.outward.values[name]
		for _, value := range q[name] {
			if len(table) > 0 {
				value = translatedList(table, value)
			}
			live.Add(translated(v.queryNames, name), value)
		}
	}
	return live
}

func translatedList(table words, list string) string {
	if whole, ok := table[list]; ok {
		return whole
	}
	items := strings.Split(list, ",")
	for i, item := range items {
		items[i] = translated(table, item)
	}
	return strings.Join(items, ",")
}
