package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// area is code that is judged together: what is changed and whose tests must notice.
type area struct {
	name     string
	packages []string // whose sources are changed
	files    string   // which of them, as a regular expression; "" for all
	tests    []string // packages whose tests run; empty for the same packages
}

// areas are the paths that money takes. The suite that every store of a kind has to
// pass is a test of the package's own one.
var areas = []area{
	{name: "transport", packages: []string{"./internal/transport"}},
	{name: "bearer", packages: []string{"./internal/bearer"}},
	{name: "ratelimit", packages: []string{"./ratelimit"}, tests: []string{"./ratelimit", "./ratelimit/limitertest"}},
	{
		name:     "guard",
		packages: []string{"./signing", "./signing/internal/judge", "./signing/internal/caps", "./signing/internal/program"},
	},
	{name: "webhooks", packages: []string{"./webhooks"},
		tests: []string{"./webhooks", "./webhooks/inboxtest", "./webhooks/seentest"}},
	{
		name: "wallet", packages: []string{
			"./wallet", "./wallet/internal/intents", "./wallet/internal/altered", "./wallet/internal/evidence",
			"./wallet/internal/fees",
		},
		files: `wallet/([^fmj]|f[^i]|m[^e])[^/]*$|/(intents|altered|evidence)/|fees/(measure|tips)\.go$`,
		tests: []string{"./wallet", "./wallet/internal/intents", "./wallet/internal/evidence"},
	},
	{name: "proof", packages: []string{"./internal/proof"}},
	{
		name: "journal", packages: []string{"./wallet", "./wallet/internal/framelog", "./wallet/internal/entryfile"},
		files: `wallet/(filejournal|memoryjournal|journal)\.go|framelog/|entryfile/`,
		tests: []string{"./wallet", "./wallet/internal/framelog", "./wallet/internal/entryfile", "./wallet/journaltest"},
	},
	{
		name: "spend meter", packages: []string{"./socialsearch"}, files: `/(spend|spendstore|settle|charge)\.go$`,
		tests: []string{"./socialsearch", "./socialsearch/spendtest"},
	},
	{name: "submit", packages: []string{"./rpcnode"}, files: `/(submit|status|repeat|effects|failure|code)\.go$`},
}

// chosen returns the areas that a list of names and package paths means.
func chosen(list string) ([]area, error) {
	if list == "" {
		return areas, nil
	}
	var picked []area
	for _, name := range strings.Split(list, ",") {
		i := slices.IndexFunc(areas, func(a area) bool { return a.name == name })
		switch {
		case i >= 0:
			picked = append(picked, areas[i])
		case strings.HasPrefix(name, "."):
			picked = append(picked, area{name: name, packages: []string{name}})
		default:
			return nil, fmt.Errorf("no area %q; a package begins with ./", name)
		}
	}
	return picked, nil
}

func (a area) only() *regexp.Regexp {
	if a.files == "" {
		return nil
	}
	return regexp.MustCompile(a.files)
}

func (a area) testPackages() []string {
	if a.tests == nil {
		return a.packages
	}
	return a.tests
}
