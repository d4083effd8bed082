package hostile

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	// openFile has the places at which a lie is still believed, a line each. A place that
	// is mended has to leave it, and none may be added.
	openFile = "testdata/open.txt"
	// statedFile has the places at which a lie is believed for a reason, which is its last
	// column. An operation and a path may end or begin with "*".
	statedFile = "testdata/stated.txt"
)

// stated is a line of statedFile.
type stated struct {
	place
	reason string
	met    int
}

func (s *stated) covers(p place) bool {
	return globbed(s.op, p.op) && fits(s.path, p.path) && (s.class == "*" || s.class == p.class)
}

// table reads the lines of a file with so many columns.
func table(t *testing.T, path string, columns int) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, "\t")
		require.Len(t, row, columns, line)
		rows = append(rows, row)
	}
	return rows
}

func readStated(t *testing.T) (all []*stated) {
	t.Helper()
	for _, row := range table(t, statedFile, 4) {
		require.GreaterOrEqual(t, len(strings.Fields(row[3])), 4, "a reason in words: %v", row)
		all = append(all, &stated{place: place{row[0], row[1], row[2]}, reason: row[3]})
	}
	return all
}

// ratchet holds what was believed to the two files. It returns the places that are believed
// for a reason, and those that are open.
func (j *judge) ratchet(t *testing.T, entire bool) (reasoned, open int) {
	t.Helper()
	reasons, known := readStated(t), map[place]bool{}
	for _, row := range table(t, openFile, 3) {
		known[place{row[0], row[1], row[2]}] = true
	}
	for p, f := range j.believed {
		isStated := false
		for _, s := range reasons {
			if s.covers(p) {
				s.met++
				isStated = true
			}
		}
		switch {
		case isStated:
			reasoned++
		case known[p]:
			open++
		default:
			t.Errorf("a lie is believed that was not before (%s): %s, as in %s", f.harm, p, f.sample)
		}
		if isStated && known[p] {
			t.Errorf("%s has the stated place %s", openFile, p)
		}
	}
	for p := range known {
		if j.believed[p] == nil && (j.tested[p] || entire) {
			t.Errorf("no lie is believed any more at %s: delete its line of %s", p, openFile)
		}
	}
	for _, s := range reasons {
		if s.met == 0 && entire {
			t.Errorf("%s: never met: %s", statedFile, s.place)
		}
	}
	return reasoned, open
}

// write writes openFile from what was believed.
func (j *judge) write(t *testing.T) {
	t.Helper()
	reasons := readStated(t)
	lines := []string{"# Where a lie is still believed: operation, member, class. -hostile.update writes this file."}
	for _, p := range slices.SortedFunc(maps.Keys(j.believed), byName) {
		if !slices.ContainsFunc(reasons, func(s *stated) bool { return s.covers(p) }) {
			lines = append(lines, p.String())
		}
	}
	require.NoError(t, os.WriteFile(openFile, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
}

func byName(a, b place) int { return strings.Compare(a.String(), b.String()) }

// report lists what was believed: the counts of each class, and the worst places.
func (j *judge) report(most int) string {
	classes, answers := map[string][6]int{}, map[string]int{}
	for p, f := range j.believed {
		c := classes[p.class]
		c[f.harm]++
		classes[p.class] = c
		answers[p.class] += f.count
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s %8s %8s %8s %8s %8s %8s\n", "class", "answers", "wrong", "silent", "against", "little", "quiet")
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		c := classes[class]
		fmt.Fprintf(&b, "%-10s %8d %8d %8d %8d %8d %8d\n",
			class, answers[class], c[worst], c[silent], c[against], c[little], c[quiet])
	}
	places := slices.SortedFunc(maps.Keys(j.believed), func(a, b place) int {
		if d := int(j.believed[a].harm) - int(j.believed[b].harm); d != 0 {
			return d
		}
		return byName(a, b)
	})
	for _, p := range places[:min(most, len(places))] {
		f := j.believed[p]
		fmt.Fprintf(&b, "%s\t%s\t%d answers, as in %s\n", f.harm, p, f.count, f.sample)
	}
	return b.String()
}

func (h harm) String() string {
	return [...]string{"", "wrong", "silent", "against", "little", "quiet"}[h]
}
