package echo

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed testdata/table.txt
var tableText string

// row is a line of the table.
type row struct {
	call, asked, answered string
	reason                string // "held", with a bound, or why it repeats nothing
	used                  bool
}

func (r *row) holds() bool { return strings.HasPrefix(r.reason, "held") }

// table is testdata/table.txt, in order.
type table []*row

func newTable(t *testing.T, text string) table {
	t.Helper()
	var all table
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		require.Len(t, f, 4, line)
		all = append(all, &row{call: f[0], asked: f[1], answered: f[2], reason: f[3]})
	}
	return all
}

// of is the first row that fits a pair, or nil.
func (t table) of(c call, p pair) *row {
	for _, r := range t {
		if globbed(r.call, c.name) && globbed(r.asked, p.asked) && globbed(r.answered, p.answered) {
			r.used = true
			return r
		}
	}
	return nil
}

// globbed matches a text against a pattern with at most one "*".
func globbed(pattern, text string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == text
	}
	return len(text) >= len(before)+len(after) && strings.HasPrefix(text, before) && strings.HasSuffix(text, after)
}
