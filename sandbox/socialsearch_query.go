package sandbox

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// socialSearchTerm decides on one post.
type socialSearchTerm func(*socialSearchPost) bool

// socialSearchQuery is a query: one of its groups must match, and of a group
// every term. So a blank binds closer than OR, which is the sandbox's choice:
// how they bind is not documented.
type socialSearchQuery [][]socialSearchTerm

func (q socialSearchQuery) matches(p *socialSearchPost) bool {
	return slices.ContainsFunc(q, func(group []socialSearchTerm) bool {
		return !slices.ContainsFunc(group, func(t socialSearchTerm) bool { return !t(p) })
	})
}

// socialSearchParse reads a query. Grouping by parentheses is not documented
// and not taken.
func socialSearchParse(text string) (socialSearchQuery, error) {
	query := socialSearchQuery{nil}
	last := 0
	rest := []rune(text)
	for {
		rest = socialSearchSkip(rest)
		if len(rest) == 0 {
			break
		}
		word, after, err := socialSearchNext(rest)
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
		term, err := socialSearchReadTerm(word)
		if err != nil {
			return nil, err
		}
		query[last] = append(query[last], term)
	}
	if query[last] == nil {
		return nil, fmt.Errorf("the query ends where a term is due")
	}
	return query, nil
}

func socialSearchSkip(text []rune) []rune {
	for len(text) > 0 && unicode.IsSpace(text[0]) {
		text = text[1:]
	}
	return text
}

// socialSearchNext cuts off the first word. Blanks between quotation marks
// belong to it.
func socialSearchNext(text []rune) (word string, rest []rune, err error) {
	quoted := false
	for i, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
			if next := i + 1; !quoted && next < len(text) && !unicode.IsSpace(text[next]) {
				return "", nil, fmt.Errorf("a blank is due after a closing quotation mark")
			}
		case quoted:
		case r == '(' || r == ')':
			return "", nil, fmt.Errorf("parentheses are not known")
		case unicode.IsSpace(r):
			return string(text[:i]), text[i:], nil
		}
	}
	if quoted {
		return "", nil, fmt.Errorf("a quotation mark is not closed")
	}
	return string(text), nil, nil
}

func socialSearchReadTerm(word string) (socialSearchTerm, error) {
	positive, negated := strings.CutPrefix(word, "-")
	term, err := socialSearchReadPositive(positive)
	if err != nil || !negated {
		return term, err
	}
	return func(p *socialSearchPost) bool { return !term(p) }, nil
}

func socialSearchReadPositive(word string) (socialSearchTerm, error) {
	switch {
	case word == "" || strings.HasPrefix(word, "-"):
		return nil, fmt.Errorf("a minus excludes nothing")
	case word[0] == '"':
		return socialSearchPhrase(strings.Trim(word, `"`))
	case word[0] == '$':
		return socialSearchTag(word, func(p *socialSearchPost) []string { return p.cashtags })
	case word[0] == '#':
		return socialSearchTag(word, func(p *socialSearchPost) []string { return p.hashtags })
	}
	name, value, isOperator := strings.Cut(word, ":")
	if !isOperator {
		if strings.Contains(word, `"`) {
			return nil, fmt.Errorf("a quotation mark amidst %s", word)
		}
		return socialSearchPhrase(word)
	}
	return socialSearchOperator(name, strings.Trim(value, `"`))
}

// socialSearchPhrase matches words that follow each other. A keyword is a
// phrase of one, or of what its punctuation parts it into.
func socialSearchPhrase(text string) (socialSearchTerm, error) {
	words := socialSearchWords(text)
	if len(words) == 0 {
		return nil, fmt.Errorf("%q has no word in it", text)
	}
	return func(p *socialSearchPost) bool {
		for i := range len(p.words) - len(words) + 1 {
			if slices.Equal(p.words[i:i+len(words)], words) {
				return true
			}
		}
		return false
	}, nil
}

func socialSearchTag(word string, of func(*socialSearchPost) []string) (socialSearchTerm, error) {
	tag := word[1:]
	if len(socialSearchWords(tag)) != 1 || !strings.EqualFold(socialSearchWords(tag)[0], tag) {
		return nil, fmt.Errorf("%s names no tag", word)
	}
	return func(p *socialSearchPost) bool {
		return slices.ContainsFunc(of(p), func(t string) bool { return strings.EqualFold(t, tag) })
	}, nil
}

func socialSearchOperator(name, value string) (socialSearchTerm, error) {
	if value == "" {
		return nil, fmt.Errorf("%s: is followed by nothing", name)
	}
	switch name + ":" + value {
	case "is:repost":
		return func(p *socialSearchPost) bool { return p.repost }, nil
	case "is:reply":
		return func(p *socialSearchPost) bool { return p.replyTo != nil }, nil
	case "has:links":
		return func(p *socialSearchPost) bool { return len(p.urls) > 0 }, nil
	case "has:media":
		return func(p *socialSearchPost) bool { return p.media }, nil
	}
	switch name {
	case "from":
		return func(p *socialSearchPost) bool { return strings.EqualFold(p.author.username, value) }, nil
	case "to":
		return func(p *socialSearchPost) bool {
			return p.replyTo != nil && strings.EqualFold(p.replyTo.username, value)
		}, nil
	case "url":
		return func(p *socialSearchPost) bool {
			return slices.ContainsFunc(p.urls, func(u string) bool { return socialSearchOn(u, value) })
		}, nil
	case "lang":
		return func(p *socialSearchPost) bool { return strings.EqualFold(p.lang, value) }, nil
	case "conversation_id":
		return func(p *socialSearchPost) bool { return p.conversation == value }, nil
	}
	return nil, fmt.Errorf("the operator %s:%s is not known", name, value)
}

// socialSearchOn reports whether a link leads to a domain or one below it.
func socialSearchOn(link, domain string) bool {
	u, err := url.Parse(link)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	domain = strings.ToLower(domain)
	return host == domain || strings.HasSuffix(host, "."+domain)
}
