package socialsearch

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/dialect"
)

// maxQuery is the longest query, in characters.
const maxQuery = 1024

// Query is a search query. [NewQuery] makes one from terms, [RawQuery] from
// text.
type Query struct {
	text  string
	terms []Term // nil for a raw query
	err   error
}

// NewQuery joins terms by spaces, in the given order: a post must match all of
// them. With [Or] between two terms it must match one of the two. No grouping is
// documented, and so neither is the precedence of Or and spaces.
//
// Values of a [walletfi.Options] Deployment translate the words of [IsRepost],
// [IsReply], [HasLinks] and [HasMedia], under "is" and "has". Text of the caller is never
// translated.
//
// A call with an invalid term fails; Err reports it earlier.
func NewQuery(terms ...Term) Query {
	parts := make([]string, len(terms))
	for i, t := range terms {
		if t.err != nil {
			return Query{err: t.err}
		}
		edge := i == 0 || i == len(terms)-1
		if t.isOr() && (edge || terms[i-1].isOr()) {
			return Query{err: queryError("must have OR only between two terms")}
		}
		parts[i] = t.text
	}
	return Query{text: strings.Join(parts, " "), terms: slices.Clone(terms)}
}

// RawQuery makes a query of text as it is, with operators in the service's words.
func RawQuery(text string) Query { return Query{text: text} }

// String returns the query in the documented words.
func (q Query) String() string { return q.text }

// Len returns the length of the query in characters. The service accepts 1,024.
func (q Query) Len() int { return utf8.RuneCountInString(q.text) }

// live returns the query in the words of a deployment.
func (q Query) live(o *dialect.Operation) Query {
	if q.err != nil || q.terms == nil {
		return q
	}
	parts := make([]string, len(q.terms))
	for i, t := range q.terms {
		parts[i] = t.live(o)
	}
	q.text = strings.Join(parts, " ")
	return q
}

// Err returns what is wrong with the query, nil if it is valid.
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

// Or goes between two terms and matches what either of them matches.
var Or = Term{text: "OR"}

func (t Term) isOr() bool { return t == Or }

// live returns the term's text in the words of a deployment.
func (t Term) live(o *dialect.Operation) string {
	if t.choice == "" {
		return t.text
	}
	operator, value, _ := strings.Cut(t.text, ":")
	return operator + ":" + o.Value(t.choice, value)
}

// Not excludes what the term matches.
func (t Term) Not() Term {
	switch {
	case t.err != nil:
		return t
	case t.isOr():
		return Term{err: queryError("must not exclude OR")}
	case strings.HasPrefix(t.text, "-"):
		return Term{err: queryError("must not exclude a term twice")}
	}
	t.text = "-" + t.text
	return t
}

// Keyword matches a word. It quotes a word that has a space or could be read as an
// operator.
func Keyword(word string) Term {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '\'' || unicode.IsMark(r)
	}
	if word != "" && word != "OR" && word != "AND" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return Term{text: word}
	}
	return Phrase(word)
}

// Phrase matches consecutive words.
func Phrase(text string) Term {
	switch {
	case strings.TrimSpace(text) == "":
		return Term{err: queryError("must not have an empty phrase")}
	case strings.ContainsRune(text, '"'):
		return Term{err: queryError("must not have a quotation mark in a phrase: no escape is documented")}
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

// choice returns an operator whose value is one of a few words.
func choice(operator, word string) Term {
	return Term{text: operator + ":" + word, choice: operator}
}

// operator joins a value to its operator. It refuses a value with a character that
// would end the value, or that repeats the operator's sign.
func operator(name, value string) Term {
	bad := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`"@$#():`, r)
	}
	if value == "" || value[0] == '-' || strings.ContainsFunc(value, bad) {
		return Term{err: queryError(name + " needs a value without spaces, quotation marks or signs")}
	}
	return Term{text: name + value}
}
