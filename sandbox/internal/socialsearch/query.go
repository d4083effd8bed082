package socialsearch

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// term decides on one post.
type term func(*post) bool

// query is a query: one of its groups must match, and of a group every term. A
// blank binds closer than OR. The precedence is undocumented; this is the
// sandbox's choice.
type query [][]term

func (q query) matches(p *post) bool {
	return slices.ContainsFunc(q, func(group []term) bool {
		return !slices.ContainsFunc(group, func(t term) bool { return !t(p) })
	})
}

// parse reads a query. Grouping by parentheses is undocumented and refused.
func parse(text string) (query query, err error) {
	return query, kit.Attempt(func() { query = read([]rune(text)) })
}

func read(rest []rune) query {
	query := query{nil}
	last := 0
	for rest = skip(rest); len(rest) > 0; rest = skip(rest) {
		var word string
		if word, rest = next(rest); word != "OR" {
			query[last] = append(query[last], readTerm(word))
			continue
		}
		kit.BadIf(query[last] == nil, "OR has nothing before it")
		query, last = append(query, nil), last+1
	}
	kit.BadIf(query[last] == nil, "the query ends before a term")
	return query
}

func skip(text []rune) []rune {
	for len(text) > 0 && unicode.IsSpace(text[0]) {
		text = text[1:]
	}
	return text
}

// next cuts off the first word. Blanks between quotation marks
// belong to it.
func next(text []rune) (word string, rest []rune) {
	quoted := false
	for i, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
			next := i + 1
			kit.BadIf(!quoted && next < len(text) && !unicode.IsSpace(text[next]),
				"a blank is due after a closing quotation mark")
		case quoted:
		case unicode.IsSpace(r):
			return string(text[:i]), text[i:]
		}
	}
	kit.BadIf(quoted, "a quotation mark is not closed")
	return string(text), nil
}

func readTerm(word string) term {
	positive, negated := strings.CutPrefix(word, "-")
	term := readPositive(positive)
	if !negated {
		return term
	}
	return func(p *post) bool { return !term(p) }
}

// operatorName matches the name of an operator. A colon after anything
// else belongs to a keyword.
var operatorName = regexp.MustCompile(`^[a-z_]+$`)

func readPositive(word string) term {
	kit.BadIf(word == "" || strings.HasPrefix(word, "-"), "a minus excludes nothing")
	switch word[0] {
	case '"':
		return phrase(strings.Trim(word, `"`))
	case '$':
		return tag(word, func(p *post) []string { return p.cashtags })
	case '#':
		return tag(word, func(p *post) []string { return p.hashtags })
	}
	name, value, isOperator := strings.Cut(word, ":")
	if !isOperator || !operatorName.MatchString(name) {
		kit.BadIf(strings.Contains(word, `"`), "a quotation mark amidst %s", word)
		return phrase(word)
	}
	return operator(name, strings.Trim(value, `"`))
}

// phrase matches words that follow each other. A keyword is a
// phrase of one, or of what its punctuation parts it into.
func phrase(text string) term {
	words := words(text)
	kit.BadIf(text == "", "a phrase is empty")
	if len(words) == 0 { // signs, which are no words
		return func(p *post) bool { return strings.Contains(p.text, text) }
	}
	return func(p *post) bool {
		for i := range len(p.words) - len(words) + 1 {
			if slices.Equal(p.words[i:i+len(words)], words) {
				return true
			}
		}
		return false
	}
}

func tag(word string, of func(*post) []string) term {
	tag := word[1:]
	kit.BadIf(len(words(tag)) != 1 || !strings.EqualFold(words(tag)[0], tag), "%s names no tag", word)
	return func(p *post) bool {
		return slices.ContainsFunc(of(p), func(t string) bool { return strings.EqualFold(t, tag) })
	}
}

func operator(name, value string) term {
	kit.BadIf(value == "", "%s: is followed by nothing", name)
	switch name + ":" + value {
	case "is:repost":
		return func(p *post) bool { return p.repost }
	case "is:reply":
		return func(p *post) bool { return p.replyTo != nil }
	case "has:links":
		return func(p *post) bool { return len(p.urls) > 0 }
	case "has:media":
		return func(p *post) bool { return p.media }
	}
	switch name {
	case "from":
		return func(p *post) bool { return strings.EqualFold(p.author.username, value) }
	case "to":
		return func(p *post) bool { return p.replyTo != nil && strings.EqualFold(p.replyTo.username, value) }
	case "url":
		return func(p *post) bool { return slices.ContainsFunc(p.urls, func(u string) bool { return on(u, value) }) }
	case "lang":
		return func(p *post) bool { return strings.EqualFold(p.lang, value) }
	case "conversation_id":
		return func(p *post) bool { return p.conversation == value }
	}
	panic(kit.Bad("the operator %s:%s is not known", name, value))
}

// on reports whether a link leads to a domain or one below it.
func on(link, domain string) bool {
	u, err := url.Parse(link)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	domain = strings.ToLower(domain)
	return host == domain || strings.HasSuffix(host, "."+domain)
}
