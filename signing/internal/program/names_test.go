package program

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/walletfi/walletfi-go/signing/internal/lookalike"
)

// TestNames: each line of the file names a program that has no rules, and no two names can
// be taken for one another.
func TestNames(t *testing.T) {
	lines, seen := 0, map[string]bool{}
	for _, p := range known {
		seen[lookalike.Skeleton(p.Name)] = true
	}
	for line := range strings.Lines(namesFile) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		lines++
		id, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		assert.Equal(t, name, FamiliarName(key(id)))
		assert.Equal(t, name+" ("+id+")", Name(key(id)))
		assert.Equal(t, Unruled, Lookup(new(key(id))).Kind, "%s has rules, and a name with them", id)
		assert.Regexp(t, `^[A-Z][A-Za-z.]+( [A-Za-z0-9]+)*$`, name)
		assert.False(t, seen[lookalike.Skeleton(name)], name)
		seen[lookalike.Skeleton(name)] = true
	}
	assert.Len(t, familiar(), lines, "an id has two lines")
	assert.Empty(t, FamiliarName(address("nobody's")))
}
