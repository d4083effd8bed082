package echo

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/calls"
)

// TestEcho gives each member that an answer repeats another value, in each call, and prints
// the table.
func TestEcho(t *testing.T) {
	var recorded []*calls.Row
	for shape := range 2 {
		recorded = append(recorded, calls.Record(t, shape+1, more)...)
	}
	rows := newTable(t, tableText)
	members, flipped, accepted := 0, 0, 0
	for _, c := range documented() {
		var answers []*calls.Row
		for _, r := range recorded {
			if c.made(r) {
				answers = append(answers, r)
			}
		}
		require.NotEmpty(t, answers, "%s %s: nobody makes the call", c.name, c.of.Route)
		all := rows.held(t, c, answers)
		line := []string{}
		for _, h := range all {
			members++
			for _, absent := range []bool{false, true} {
				for _, r := range answers {
					if !absent || h.flipped == 0 {
						h.flip(t.Context(), c, r, absent)
					}
				}
			}
			if h.flipped > 0 {
				flipped++
			} else {
				t.Errorf("%s: no request has %s and an answer %s", c.name, h.asked, h.answered)
			}
			if len(h.accepted) > 0 {
				accepted++
				t.Errorf("%s %s -> %s: %s", c.name, h.asked, h.answered, strings.Join(h.accepted, "\n\t"))
			}
			line = append(line, h.asked+" -> "+h.answered)
		}
		if len(line) == 0 {
			line = []string{"none repeated: " + rows.reason(t, c, answers)}
		}
		t.Logf("%s (%s): %s", c.name, c.of.Route, strings.Join(line, ", "))
	}
	for _, r := range rows {
		if !r.used {
			t.Errorf("the line %s %s %s fits nothing", r.call, r.asked, r.answered)
		}
	}
	t.Logf("calls=%d members=%d flipped=%d accepted=%d", countRoutes(), members, flipped, accepted)
}

// held are the pairs of a call that the table holds, and those that it adds.
func (t table) held(tt *testing.T, c call, answers []*calls.Row) []*held {
	tt.Helper()
	found := c.pairs(answers)
	for _, r := range t {
		if r.call == c.name && r.holds() && !strings.Contains(r.asked+r.answered, "*") {
			found[pair{r.asked, r.answered}] = true
		}
	}
	var all []*held
	for p := range found {
		r := t.of(c, p)
		if r == nil {
			tt.Errorf("%s: %s and %s have one name or value, and no line in the table", c.name, p.asked, p.answered)
		} else if r.holds() {
			all = append(all, &held{pair: p, row: r})
		}
	}
	slices.SortFunc(all, func(a, b *held) int {
		return strings.Compare(a.asked+" "+a.answered, b.asked+" "+b.answered)
	})
	return all
}

// reason is why a call repeats nothing.
func (t table) reason(tt *testing.T, c call, answers []*calls.Row) string {
	tt.Helper()
	if len(c.asked()) == 0 {
		return "nothing is asked for"
	}
	for p := range c.pairs(answers) {
		r := t.of(c, p)
		return p.asked + ": " + r.reason
	}
	if r := t.of(c, pair{"-", "-"}); r != nil {
		return r.reason
	}
	tt.Errorf("%s: no line in the table", c.name)
	return ""
}

func countRoutes() int {
	routes := map[string]bool{}
	for _, c := range documented() {
		service, _, _ := strings.Cut(c.name, ".")
		routes[service+" "+c.of.Route] = true
	}
	return len(routes)
}
