package dialect

import "strings"

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
