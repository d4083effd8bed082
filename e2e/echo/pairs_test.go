package echo

import (
	"strings"

	"github.com/walletfi/walletfi-go/e2e/calls"
)

// pair is a member of a request and the one of an answer that may repeat it.
type pair struct{ asked, answered string }

// pairs are those of one name in the documented shapes, and those of one value in what was
// recorded. What is created has every member of its request, whatever is documented.
func (c call) pairs(rows []*calls.Row) map[pair]bool {
	all := map[pair]bool{}
	for _, asked := range c.asked() {
		for _, answered := range c.answers() {
			if alike(asked, answered) {
				all[pair{asked, answered}] = true
			}
		}
		if isNew(c) && !strings.HasPrefix(asked, "{") {
			all[pair{asked, asked}] = true
		}
	}
	for _, r := range rows {
		for _, x := range r.Exchanges[:1] {
			said := leaves(decoded(x.Body))
			for asked, values := range c.values(x) {
				for _, l := range said {
					if repeats(asked, values, l) {
						all[pair{asked, l.path}] = true
					}
				}
			}
		}
	}
	return all
}

// isNew reports whether a call makes a resource of its body.
func isNew(c call) bool {
	_, method, _ := strings.Cut(c.name, ".")
	return c.of.Effect == "create" && strings.HasPrefix(method, "Create")
}

// repeats reports whether an answer has a value that was asked for: under a name that is like
// the one in the request, or one that does not come by chance.
func repeats(asked string, values []string, l leaf) bool {
	const byChance = 12
	for _, value := range values {
		if value == text(l.value) && value != "" {
			return alike(asked, l.path) || len(value) > byChance
		}
	}
	return false
}

// alike reports whether two members have one name, or one has the other's in it.
func alike(asked, answered string) bool {
	a, b := folded(asked), folded(answered)
	return a == b || min(len(a), len(b)) > 1 && (strings.Contains(a, b) || strings.Contains(b, a))
}

// folded is the last name of a path as all services would write it.
func folded(path string) string {
	name := strings.Trim(strings.ReplaceAll(path, "[]", ""), "?{}")
	name = name[strings.LastIndexByte(name, '.')+1:]
	name = strings.ToLower(strings.ReplaceAll(name, "_", ""))
	if len(name) > 3 {
		name = strings.TrimSuffix(name, "s")
	}
	return name
}
