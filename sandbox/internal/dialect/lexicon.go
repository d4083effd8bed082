package dialect

import (
	"fmt"
	"maps"
	"strings"

	"github.com/walletfi/walletfi-go/deployment"
)

// lexicon has words in both directions.
type lexicon struct {
	live       map[string]string // by documented word
	documented map[string]string // by live word
}

// newLexicon adds the words of an operation to those of its service.
func newLexicon(service, operation map[string]string) (lexicon, error) {
	x := lexicon{map[string]string{}, map[string]string{}}
	maps.Copy(x.live, service)
	maps.Copy(x.live, operation)
	for documented, live := range x.live {
		if live == "" {
			return x, fmt.Errorf("the live word of %q is empty", documented)
		}
		if other, taken := x.documented[live]; taken {
			return x, fmt.Errorf("the live word %q is that of %q and of %q", live, documented, other)
		}
		x.documented[live] = documented
	}
	return x, nil
}

// say returns the live word.
func (x lexicon) say(documented string) string {
	if live, ok := x.live[documented]; ok {
		return live
	}
	return documented
}

// hear returns the documented word. A documented word that has another live one is a
// problem.
func (x lexicon) hear(live string) (documented, problem string) {
	if documented, ok := x.documented[live]; ok {
		return documented, ""
	}
	if other, renamed := x.live[live]; renamed {
		return live, fmt.Sprintf("%q, which the deployment calls %q", live, other)
	}
	return live, ""
}

// words are all words of an operation, or of a service where no operation is known.
type words struct {
	query, keys lexicon
	values      map[string]lexicon
	numbers     map[string]deployment.Number
	extra       deployment.Extra
	templates   map[string]words // of a webhook's arguments, by the id of their template
}

func newWords(service, operation deployment.Words) (w words, err error) {
	if w.query, err = newLexicon(service.Query, operation.Query); err != nil {
		return w, fmt.Errorf("query: %w", err)
	}
	if w.keys, err = newLexicon(service.Keys, operation.Keys); err != nil {
		return w, fmt.Errorf("keys: %w", err)
	}
	w.values = map[string]lexicon{}
	for _, names := range []map[string]map[string]string{service.Values, operation.Values} {
		for name := range names {
			if w.values[name], err = newLexicon(service.Values[name], operation.Values[name]); err != nil {
				return w, fmt.Errorf("values of %s: %w", name, err)
			}
		}
	}
	w.numbers = added(service.Numbers, operation.Numbers)
	w.extra = deployment.Extra{
		Query:   added(service.Extra.Query, operation.Extra.Query),
		Headers: added(service.Extra.Headers, operation.Extra.Headers),
		Body:    added(service.Extra.Body, operation.Extra.Body),
	}
	return w, nil
}

// added is the service's map with that of the operation on top.
func added[V any](service, operation map[string]V) map[string]V {
	all := map[string]V{}
	maps.Copy(all, service)
	maps.Copy(all, operation)
	return all
}

// hearText reads the value of a query parameter.
func (w words) hearText(name, text string) (documented, problem string) {
	if form, ok := w.numbers[name]; ok {
		if text, problem = hearDigits(form, text, true); problem != "" {
			return text, problem
		}
	}
	values, ok := w.values[name]
	if !ok {
		return text, ""
	}
	items := strings.Split(text, ",")
	for i, item := range items {
		if items[i], problem = values.hear(item); problem != "" {
			return text, "has " + problem
		}
	}
	return strings.Join(items, ","), ""
}

// hearSearch translates the values of operators in a search query, such as is:repost
// or -has:links. Phrases stay as they are.
func (w words) hearSearch(text string) (documented, problem string) {
	var out strings.Builder
	phrase := false
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && (phrase || !strings.ContainsRune(" ()\"", rune(text[end]))) && (!phrase || text[end] != '"') {
			end++
		}
		term := text[i:end]
		if !phrase {
			var wrong string
			if term, wrong = w.hearTerm(term); wrong != "" {
				problem = wrong
			}
		}
		out.WriteString(term)
		if end < len(text) {
			phrase = phrase != (text[end] == '"')
			out.WriteByte(text[end])
			end++
		}
		i = end
	}
	return out.String(), problem
}

// hearTerm translates a term outside a phrase.
func (w words) hearTerm(term string) (documented, problem string) {
	operator, value, ok := strings.Cut(term, ":")
	values, named := w.values[strings.TrimPrefix(operator, "-")]
	if !ok || !named {
		return term, ""
	}
	value, problem = values.hear(value)
	if problem != "" {
		problem = "has " + problem
	}
	return operator + ":" + value, problem
}
