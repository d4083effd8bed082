package socialsearch

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
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
func parse(text string) (query, error) {
	query := query{nil}
	last := 0
	rest := []rune(text)
	for {
		rest = skip(rest)
		if len(rest) == 0 {
			break
		}
		word, after, err := next(rest)
		if err != nil {
			return nil, err
		}
		rest = after
		if word == "OR" {
			if query[last] == nil {
				return nil, fmt.Errorf("OR has nothing before it")
			}
			query, last = append(query, nil), last+1
			continue
		}
		term, err := readTerm(word)
		if err != nil {
			return nil, err
		}
		query[last] = append(query[last], term)
	}
	if query[last] == nil {
		return nil, fmt.Errorf("the query ends before a term")
	}
	return query, nil
}

func skip(text []rune) []rune {
	for len(text) > 0 && unicode.IsSpace(text[0]) {
		text = text[1:]
	}
	return text
}

// next cuts off the first word. Blanks between quotation marks
// belong to it.
func next(text []rune) (word string, rest []rune, err error) {
	quoted := false
	for i, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
			if next := i + 1; !quoted && next < len(text) && !unicode.IsSpace(text[next]) {
				return "", nil, fmt.Errorf("a blank is due after a closing quotation mark")
			}
		case quoted:
		case unicode.IsSpace(r):
			return string(text[:i]), text[i:], nil
		}
	}
	if quoted {
		return "", nil, fmt.Errorf("a quotation mark is not closed")
	}
	return string(text), nil, nil
}

func readTerm(word string) (term, error) {
	positive, negated := strings.CutPrefix(word, "-")
	term, err := readPositive(positive)
	if err != nil || !negated {
		return term, err
	}
	return func(p *post) bool { return !term(p) }, nil
}

// operatorName matches the name of an operator. A colon after anything
// else belongs to a keyword.
var operatorName = regexp.MustCompile(`^[a-z_]+$`)

func readPositive(word string) (term, error) {
	switch {
	case word == "" || strings.HasPrefix(word, "-"):
		return nil, fmt.Errorf("a minus excludes nothing")
	case word[0] == '"':
		return phrase(strings.Trim(word, `"`))
	case word[0] == '$':
		return tag(word, func(p *post) []string { return p.cashtags })
	case word[0] == '#':
		return tag(word, func(p *post) []string { return p.hashtags })
	}
	name, value, isOperator := strings.Cut(word, ":")
	if !isOperator || !operatorName.MatchString(name) {
		if strings.Contains(word, `"`) {
			return nil, fmt.Errorf("a quotation mark amidst %s", word)
		}
		return phrase(word)
	}
	return operator(name, strings.Trim(value, `"`))
}

// phrase matches words that follow each other. A keyword is a
// phrase of one, or of what its punctuation parts it into.
func phrase(text string) (term, error) {
	words := words(text)
	if text == "" {
		return nil, fmt.Errorf("a phrase is empty")
	}
	if len(words) == 0 { // signs, which are no words
		return func(p *post) bool { return strings.Contains(p.text, text) }, nil
	}
	return func(p *post) bool {
		for i := range len(p.words) - len(words) + 1 {
			if slices.Equal(p.words[i:i+len(words)], words) {
				return true
			}
		}
		return false
	}, nil
}

func tag(word string, of func(*post) []string) (term, error) {
	tag := word[1:]
	if len(words(tag)) != 1 || !strings.EqualFold(words(tag)[0], tag) {
		return nil, fmt.Errorf("%s names no tag", word)
	}
	return func(p *post) bool {
		return slices.ContainsFunc(of(p), func(t string) bool { return strings.EqualFold(t, tag) })
	}, nil
}

func operator(name, value string) (term, error) {
	if value == "" {
		return nil, fmt.Errorf("%s: is followed by nothing", name)
	}
	switch name + ":" + value {
	case "is:repost":
		return func(p *post) bool { return p.repost }, nil
	case "is:reply":
		return func(p *post) bool { return p.replyTo != nil }, nil
	case "has:links":
		return func(p *post) bool { return len(p.urls) > 0 }, nil
	case "has:media":
		return func(p *post) bool { return p.media }, nil
	}
	switch name {
	case "from":
		return func(p *post) bool { return strings.EqualFold(p.author.username, value) }, nil
	case "to":
		return func(p *post) bool {
			return p.replyTo != nil && strings.EqualFold(p.replyTo.username, value)
		}, nil
	case "url":
		return func(p *post) bool {
			return slices.ContainsFunc(p.urls, func(u string) bool { return on(u, value) })
		}, nil
	case "lang":
		return func(p *post) bool { return strings.EqualFold(p.lang, value) }, nil
	case "conversation_id":
		return func(p *post) bool { return p.conversation == value }, nil
	}
	return nil, fmt.Errorf("the operator %s:%s is not known", name, value)
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
