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
	assert.Equal(t, slices.Sorted(maps.Keys(methods)), documented(t, "Its methods are\n"))
}

// TestDocumentedSubscriptions: and the subscriptions.
func TestDocumentedSubscriptions(t *testing.T) {
	var names []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		names = append(names, kind+"Subscribe")
	}
	assert.ElementsMatch(t, names, documented(t, "Its subscriptions are\n"))
	assert.NotEmpty(t, names)
}

// documented are the names in docs/testing.md from some words up to the end of the sentence.
func documented(t *testing.T, from string) (names []string) {
	page, err := os.ReadFile("../../../docs/testing.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), from)
	require.True(t, found)
	section, _, _ = strings.Cut(section, ".\n")
	for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(section, -1) {
		names = append(names, m[1])
	}
	return names
}
