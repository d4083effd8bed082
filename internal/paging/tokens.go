package paging

import "iter"

// Tokens iterates over a list of which each page has the token of the next page,
// from the page of start on ("" for the first). It ends on a page without a token
// and on a token that was requested before. An empty page with a token does not
// end it: a search may filter out all records of a page.
func Tokens[T any](start string, fetch func(token string) (items []T, next string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		w, asked := newWalk(yield), map[fingerprint]struct{}{}
		for token := start; ; {
			print := fingerprintOf(token)
			if _, again := asked[print]; again {
				return
			}
			asked[print] = struct{}{}
			items, next, err := fetch(token)
			if !w.page(items, err) || next == "" {
				return
			}
			token = next
		}
	}
}
