package echo

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// Repeats compares each member of a body that was sent with the one of the same name in
// an answer, at any depth: what was created with what was to be. Lists may be in
// another order. A member that is null in the answer repeats nothing, and nor does one of
// another kind: an object or a list where a value was sent, or a word where a number or a
// time was. An empty text contradicts a word or a name alone.
func Repeats(sent any, answered []byte) error {
	asked, err := json.Marshal(sent)
	if err != nil || !json.Valid(answered) {
		return nil // neither the body nor the answer got this far
	}
	return repeats("", asked, bytes.TrimSpace(answered))
}

func repeats(path string, asked, answered []byte) error {
	switch says, was := answered[0], asked[0]; {
	case was == 'n' || says == 'n' || string(asked) == `""`:
		return nil
	case string(answered) == `""`:
		return That(was != '"' || isNumber(plain(asked)) || sameTime(plain(asked), ""), path, plain(asked), "")
	case was == '{' && says == '{':
		return repeatsObject(path, asked, answered)
	case was == '[' && says == '[':
		return repeatsList(path, asked, answered)
	case strings.IndexByte("{[", was) >= 0 || strings.IndexByte("{[", says) >= 0:
		return nil
	}
	a, b := plain(asked), plain(answered)
	fits := same(a, b) || isNumber(a) && !isNumber(b) || isWord(path) && strings.EqualFold(a, b) ||
		memberOf(path) == "network" && slug(a) == slug(b)
	return That(fits, path, a, b)
}

// repeatsObject compares each occurrence of each member.
func repeatsObject(path string, asked, answered []byte) error {
	var sent map[string]json.RawMessage
	if err := json.Unmarshal(asked, &sent); err != nil {
		return nil
	}
	var found []error
	_, _ = jsontext.Members(answered, 0, func(from, to, at int) (int, error) {
		name, end := string(jsontext.Unquote(answered[from:to])), jsontext.ValueEnd(answered, at)
		if value := sent[name]; len(value) > 0 {
			found = append(found, repeats(strings.TrimPrefix(path+"."+name, "."), value, answered[at:end]))
		}
		return end, nil
	})
	return All(found...)
}

// repeatsList compares two lists, of which each holds what the other does.
func repeatsList(path string, asked, answered []byte) error {
	var sent, said []json.RawMessage
	if json.Unmarshal(asked, &sent) != nil || json.Unmarshal(answered, &said) != nil {
		return nil
	}
	if each(path, said, sent) && each(path, sent, said) {
		return nil
	}
	return That(false, path, string(asked), string(answered))
}

// each reports whether every item of one list is in the other.
func each(path string, items, others []json.RawMessage) bool {
	for _, item := range items {
		in := false
		for _, other := range others {
			in = in || repeats(path, item, other) == nil && repeats(path, other, item) == nil
		}
		if !in {
			return false
		}
	}
	return true
}

// plain is the text of a JSON text, number or bool.
func plain(value []byte) string {
	if value[0] == '"' {
		return string(jsontext.Unquote(value))
	}
	return string(value)
}

func isNumber(text string) bool { return jsontext.IsNumber([]byte(text)) }

// words are the members with words of the documentation, whose case it does not fix.
var words = []string{"frequency", "permissions", "period", "status", "type"}

func isWord(path string) bool { return slices.Contains(words, memberOf(path)) }

func memberOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// same compares two values as far as services write one in several ways: the mints of
// SOL, addresses in hex, times, and URLs with their default port or a last slash.
func same(asked, answered string) bool {
	return plainMint(asked) == plainMint(answered) || Address("", asked, answered) == nil ||
		sameTime(asked, answered) || sameURL(asked, answered)
}

// sameTime compares times. The answer may leave out what is below a second, write the day
// alone, or count seconds; what cannot be read repeats nothing.
func sameTime(asked, answered string) bool {
	sent, err := time.Parse(time.RFC3339, asked)
	if err != nil {
		sent, err = time.Parse(time.DateOnly, asked)
	}
	if err != nil {
		return false
	}
	var said walletfi.Time
	if text, _ := json.Marshal(answered); said.UnmarshalJSON(text) != nil || said.IsZero() {
		return true
	}
	sent, at := sent.UTC(), said.UTC()
	return sent.Truncate(time.Second).Equal(at.Truncate(time.Second)) || sent.Truncate(24*time.Hour).Equal(at)
}

func sameURL(asked, answered string) bool {
	a, err := url.Parse(asked)
	b, err2 := url.Parse(answered)
	if err != nil || err2 != nil || a.Host == "" {
		return false
	}
	a.Path, b.Path = strings.TrimSuffix(a.Path, "/"), strings.TrimSuffix(b.Path, "/")
	return strings.EqualFold(hostOf(a), hostOf(b)) && a.Scheme == b.Scheme && a.RequestURI() == b.RequestURI()
}

// hostOf is the host without the port that its scheme has anyway.
func hostOf(u *url.URL) string {
	return strings.TrimSuffix(u.Host, map[string]string{"https": ":443", "http": ":80"}[u.Scheme])
}
