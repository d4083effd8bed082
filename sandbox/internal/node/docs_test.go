package node

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDocumentedMethods: docs/testing.md lists the methods that there are, each once.
func TestDocumentedMethods(t *testing.T) {
	page, err := os.ReadFile("../../../docs/testing.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "Its methods are\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, ".\n")
	documented := []string{}
	for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(section, -1) {
		documented = append(documented, m[1])
	}
	assert.Equal(t, slices.Sorted(maps.Keys(methods)), documented)
}
