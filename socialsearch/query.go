package socialsearch

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// maxQuery is the longest query, in characters.
const maxQuery = 1024

// Query is what to search for. Make one with NewQuery from terms, or with
// RawQuery from text.
type Query struct {
	text  string
	terms []Term // nil for a raw query
	err   error
}

// NewQuery joins terms by blanks in the order given, which means that all must
// match; Or between two terms means that one is enough. No grouping is
// documented, so how Or and blanks bind when they meet is the service's
// affair.
//
// A Vocabulary's Values have the live words of IsRepost, IsReply, HasLinks and
// HasMedia, under "is" and "has". What the caller writes is never translated.
//
// A term that cannot be is reported when the query is used, and by Err.
func NewQuery(terms ...Term) Query {
	parts := make([]string, len(terms))
	for i, t := range terms {
		if t.err != nil {
			return Query{err: t.err}
		}
		edge := i == 0 || i == len(terms)-1
		if t.isOr() && (edge || terms[i-1].isOr()) {
			return Query{err: queryError("OR must stand between two terms")}
		}
		parts[i] = t.text
	}
	return Query{text: strings.Join(parts, " "), terms: slices.Clone(terms)}
}

// RawQuery takes the text as it is, operators in the service's words included.
func RawQuery(text string) Query { return Query{text: text} }

// String is the query, in the documentation's words.
func (q Query) String() string { return q.text }

// Len counts the query in characters, of which the service takes 1,024.
func (q Query) Len() int { return utf8.RuneCountInString(q.text) }

// live is the query in the words of a deployment.
func (q Query) live(words transport.Vocabulary) Query {
	if q.err != nil || q.terms == nil {
		return q
	}
	parts := make([]string, len(q.terms))
	for i, t := range q.terms {
		parts[i] = t.live(words)
	}
	q.text = strings.Join(parts, " ")
	return q
}

// Err says what is wrong with the query, nil where nothing is.
func (q Query) Err() error { return q.problem() }

func (q Query) problem() error {
	switch {
	case q.err != nil:
		return q.err
	case strings.TrimSpace(q.text) == "":
		return queryError("is required")
	case !utf8.ValidString(q.text):
		return queryError("is not UTF-8")
	case q.Len() > maxQuery:
		return queryError("has more than 1024 characters")
	}
	return nil
}

func queryError(problem string) error {
	return &walletfi.ValidationError{Field: "query", Problem: problem}
}

// Term is one operand of a query, or Or.
type Term struct {
	text   string
	choice string // the operator whose value is the service's word, else empty
	err    error
}

// Or stands between two terms of which one is enough.
var Or = Term{text: "OR"}

func (t Term) isOr() bool { return t == Or }

// live is the term's text with the service's own word in it translated.
func (t Term) live(words transport.Vocabulary) string {
	if t.choice == "" {
		return t.text
	}
	operator, value, _ := strings.Cut(t.text, ":")
	return operator + ":" + words.Value(t.choice, value)
}

// Not excludes what the term matches.
func (t Term) Not() Term {
	switch {
	case t.err != nil:
		return t
	case t.isOr():
		return Term{err: queryError("OR cannot be excluded")}
	case strings.HasPrefix(t.text, "-"):
		return Term{err: queryError("a term is excluded twice")}
	}
	t.text = "-" + t.text
	return t
}

// Keyword matches a word. What would be read as an operator, or has a blank in
// it, is quoted.
func Keyword(word string) Term {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '\'' || unicode.IsMark(r)
	}
	if word != "" && word != "OR" && word != "AND" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return Term{text: word}
	}
	return Phrase(word)
}

// Phrase matches words that stand next to one another.
func Phrase(text string) Term {
	switch {
	case strings.TrimSpace(text) == "":
		return Term{err: queryError("a phrase is empty")}
	case strings.ContainsRune(text, '"'):
		return Term{err: queryError("a phrase holds a quotation mark, which no documented escape can write")}
	}
	return Term{text: `"` + text + `"`}
}

// From matches posts by a user, named without "@".
func From(username string) Term { return operator("from:", username) }

// To matches posts to a user, named without "@".
func To(username string) Term { return operator("to:", username) }

// URL matches posts with a link to a domain.
func URL(domain string) Term { return operator("url:", domain) }

// Lang matches posts in a language, by its code such as "en".
func Lang(code string) Term { return operator("lang:", code) }

// ConversationID matches the posts of a conversation.
func ConversationID(id string) Term { return operator("conversation_id:", id) }

// Cashtag matches a ticker, given without "$".
func Cashtag(ticker string) Term { return operator("$", ticker) }

// Hashtag matches a tag, given without "#".
func Hashtag(tag string) Term { return operator("#", tag) }

// IsRepost matches reposts; IsRepost().Not() keeps originals.
func IsRepost() Term { return choice("is", "repost") }

// IsReply matches replies.
func IsReply() Term { return choice("is", "reply") }

// HasLinks matches posts with a link.
func HasLinks() Term { return choice("has", "links") }

// HasMedia matches posts with a picture or video.
func HasMedia() Term { return choice("has", "media") }

// choice is an operator that takes one of a few words.
func choice(operator, word string) Term {
	return Term{text: operator + ":" + word, choice: operator}
}

// operator joins a value to its operator. What would end the value early, or
// repeat the operator's own sign, is refused.
func operator(name, value string) Term {
	bad := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`"@$#():`, r)
	}
	if value == "" || value[0] == '-' || strings.ContainsFunc(value, bad) {
		return Term{err: queryError(name + " takes a bare value, without blanks, quotation marks or signs")}
	}
	return Term{text: name + value}
}
