package web

import (
	"strings"

	"github.com/walletfi/walletfi-go/signing"
)

// reportView is a guard's report for people: its text, line by line and in its order, so that
// the page claims no more than the guard does.
type reportView struct {
	Parts    []part
	Refusals []*signing.GuardError
}

// part is a line of the report, with those that belong to it.
type part struct {
	Line  string
	Under []string
	Class string // of the line, or of each under it
}

func viewReport(r *signing.Report) (view reportView) {
	if r == nil {
		return view
	}
	for line := range strings.Lines(r.Text()) {
		line = strings.TrimSuffix(line, "\n")
		if under, ok := strings.CutPrefix(line, "  "); ok && len(view.Parts) > 0 {
			last := &view.Parts[len(view.Parts)-1]
			last.Under = append(last.Under, under)
			continue
		}
		view.Parts = append(view.Parts, part{Line: line, Class: classOf(line)})
	}
	if r.Refusal != nil {
		view.Refusals = append([]*signing.GuardError{r.Refusal}, r.Also...)
	}
	return view
}

// classes are those of lines, by how they begin.
var classes = []struct{ begins, class string }{
	{"You asked for", "asked"}, {"At worst you lose: ", "notice warn"}, {"NOT CHECKED: ", "notice bad"},
	{"WARNING: ", "notice warn"}, {"NOT SIGNED: ", "notice bad"}, {"REFUSED", "notice bad"},
	{"Treat this as ", "notice bad"}, {"What it does could not be checked", "notice bad"},
	{"Proven by ", "yes"}, {"Shown by ", "no"}, {"Not proven", "no"},
}

func classOf(line string) string {
	for _, c := range classes {
		if strings.HasPrefix(line, c.begins) {
			return c.class
		}
	}
	return "small address"
}
