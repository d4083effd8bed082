package terms_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

const head = `# Terms

The fields of all requests and answers, by the services' words for them: one term has one name in Go, one
type and one unit in all services, whatever a service calls it. A word is a string type of the package
with its values as constants, an object a struct of the package. ` + "`go test ./e2e/terms -terms.write`" + ` writes this page.

| term | in Go | type | unit | where |
|---|---|---|---|---|
`

// page is docs/terms.md.
func page(rows map[string]row) string {
	var b strings.Builder
	b.WriteString(head)
	for _, term := range slices.Sorted(maps.Keys(rows)) {
		kinds, units, where := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for kind, fields := range rows[term].kinds {
			kinds[kind] = true
			for _, f := range fields {
				units[unitOf(f)] = true
				service, _, _ := strings.Cut(strings.TrimPrefix(f.path, "*"), ".")
				where[service] = true
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", term,
			list(rows[term].names), list(kinds), list(units), list(where))
	}
	b.WriteString("\n## With several names or types\n\n")
	for _, exceptions := range []map[string]string{otherNames, otherTypes} {
		for _, term := range slices.Sorted(maps.Keys(exceptions)) {
			fmt.Fprintf(&b, "- %s: %s\n", term, exceptions[term])
		}
	}
	return b.String()
}

func list[V any](set map[string]V) string {
	delete(set, "")
	return strings.Join(slices.Sorted(maps.Keys(set)), ", ")
}
