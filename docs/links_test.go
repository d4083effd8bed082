package docs_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/stretchr/testify/require"
)

// root is the repository, without what git ignores in it.
var root = os.DirFS("..")

// TestLinks: each relative link and each anchor in a page of this repository leads
// somewhere, and each file of it that a page names in backquotes is there.
func TestLinks(t *testing.T) {
	links, broken := checkPages(t, root)
	require.Empty(t, broken)
	require.Greater(t, links, 80)
}

// TestLinksBroken: the check sees what is broken.
func TestLinksBroken(t *testing.T) {
	links, broken := checkPages(t, fstest.MapFS{
		"README.md": {Data: []byte("# A page\n\n## Errors, `and` more\n\n## Errors, `and` more\n" +
			"[1](docs/a.md) [2](docs/a.md#first-part) [3](#errors-and-more) [4](#errors-and-more-1) ![5](docs)\n" +
			"```\n[in code](nowhere)\n```\n`[in code](nowhere)` [away](https://example.com/nowhere)\n" +
			"[6](docs/b.md) [7](docs/a.md#second) [8](#nothing) [9](docs/a.md 'title')\n" +
			"`docs/a.md` `docs/none.md` `docs/*.md`\n")},
		"docs/a.md": {Data: []byte("# First part\n[10](../README.md#a-page) [11](README.md)\n")},
	})
	require.Equal(t, []string{
		"README.md: `docs/none.md`: no such file",
		"README.md: (docs/b.md): no such file",
		"README.md: (docs/a.md#second): no such heading",
		"README.md: (#nothing): no such heading",
		"docs/a.md: (README.md): no such file",
	}, broken)
	require.Equal(t, 13, links)
}

var (
	fence    = regexp.MustCompile("(?ms)^ *```.*?^ *```")
	code     = regexp.MustCompile("`[^`\n]*`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)[^)]*\)`)
	named    = regexp.MustCompile("`((?:docs|contrib|examples|cmd|api|\\.ci)/[\\w./-]+)`")
	heading  = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	absolute = regexp.MustCompile(`^[a-z]+:`)
	version  = regexp.MustCompile(`/v\d+\.\d+\.\d+$`)
)

// checkPages checks the links of all pages in files and returns how many there are.
func checkPages(t *testing.T, files fs.FS) (links int, broken []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(files, ".", func(page string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if err != nil || path.Ext(page) != ".md" {
			return err
		}
		text, err := fs.ReadFile(files, page)
		if err != nil {
			return err
		}
		prose := fence.ReplaceAllString(string(text), "")
		for _, m := range named.FindAllStringSubmatch(prose, -1) {
			if version.MatchString(m[1]) {
				continue // a tag
			}
			links++
			if _, err := fs.Stat(files, path.Clean(m[1])); err != nil {
				broken = append(broken, fmt.Sprintf("%s: `%s`: no such file", page, m[1]))
			}
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(prose, ""), -1) {
			if absolute.MatchString(m[1]) {
				continue
			}
			links++
			if problem := checkLink(files, page, m[1]); problem != "" {
				broken = append(broken, fmt.Sprintf("%s: (%s): %s", page, m[1], problem))
			}
		}
		return nil
	}))
	return links, broken
}

func checkLink(files fs.FS, page, target string) (problem string) {
	file, anchor, _ := strings.Cut(target, "#")
	if file = path.Join(path.Dir(page), file); strings.HasPrefix(target, "#") {
		file = page
	}
	if _, err := fs.Stat(files, file); err != nil {
		return "no such file"
	}
	if anchor == "" {
		return ""
	}
	text, err := fs.ReadFile(files, file)
	if err != nil || !anchors(string(text))[anchor] {
		return "no such heading"
	}
	return ""
}

// anchors are those that a page's headings get: in lower case, without punctuation,
// with hyphens for spaces, numbered from the second of a name on.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	times := map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(m[1]))
		if n := times[name]; n > 0 {
			all[fmt.Sprintf("%s-%d", name, n)] = true
		} else {
			all[name] = true
		}
		times[name]++
	}
	return all
}
