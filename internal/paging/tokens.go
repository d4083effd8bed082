package paging

import "iter"

// Tokens iterates over a list whose pages each name the next one by a token,
// from the page of start on ("" for the first). It ends where no token comes
// and where one comes again that was asked for before. A page without records
// is passed over if it names a next one: a search may filter all of a page
// away and still go on.
func Tokens[T any](start string, fetch func(token string) (items []T, next string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		asked := map[string]bool{}
		for token := start; !asked[token]; {
			asked[token] = true
			items, next, err := fetch(token)
			if !page(items, err, yield) || next == "" {
				return
			}
			token = next
		}
	}
}
