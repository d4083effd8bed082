package deployment

import (
	"maps"
	"slices"
	"strings"
)

// list is a map's names for people.
func list[V any](names map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}

// suggestion returns "; do you mean x?" if one of the names is close to word.
func suggestion[V any](word string, names map[string]V) string {
	best, least := "", 1+min(3, len(word)/2)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if d := distance(strings.ToLower(word), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return "; do you mean " + best + "?"
}

// distance counts the letters to insert, remove or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
