package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// reason lists a difference on purpose: how the two differ, to the errors' names, and in which instructions.
type reason struct {
	Instructions []string // their names, or those of their programs
	Breakages    []string // the names, or none for any
	Class        string   // without places
	Reason       string
}

func readListed(name string) ([]reason, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []reason
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, r := range all {
		if r.Reason == "" || r.Class == "" || len(r.Instructions) == 0 {
			return nil, fmt.Errorf("%s: an entry without instructions, a class or a reason", name)
		}
		for _, i := range r.Instructions {
			if !slices.ContainsFunc(kinds(), func(k kind) bool { return isOf(k.name, i) }) {
				return nil, fmt.Errorf("%s: no instruction is called %q", name, i)
			}
		}
		for _, way := range r.Breakages {
			if !slices.ContainsFunc(breakages, func(b breakage) bool { return b.name == way }) {
				return nil, fmt.Errorf("%s: no breakage is called %q", name, way)
			}
		}
	}
	return all, nil
}

// isOf reports whether an instruction has the name, or is of the program of that name.
func isOf(instruction, name string) bool {
	program, _, _ := strings.Cut(instruction, ".")
	return name == instruction || name == program
}

func (r reason) fits(o outcome) bool {
	return slices.ContainsFunc(r.Instructions, func(name string) bool { return isOf(o.failed(), name) }) &&
		(len(r.Breakages) == 0 || slices.Contains(r.Breakages, o.trial.breakage.name)) &&
		withoutPlace(o.class) == r.Class
}

// failed is the instruction that both say failed, none if they name two, and the case's own if one names none.
func (o outcome) failed() string {
	r, named := failedAt(o.runtime)
	s, both := failedAt(o.sandbox)
	switch {
	case !named || !both || o.setup != "":
		return o.place()
	case r != s || r >= len(o.all):
		return ""
	}
	return o.all[r].name
}

// tally counts the cases of one row.
type tally struct{ n, agree, refused, listed int }

// percent is how many of those that are not listed agree.
func (t tally) percent() float64 { return 100 * float64(t.agree) / float64(max(t.n-t.listed, 1)) }

type report struct {
	outcomes           []outcome
	all                tally
	probes             tally // the cases that came to their probe
	logged             tally // those that both executed in the same way, and of them those with the same log
	instructions, ways map[string]*tally
	units              map[string]spent
	lines              map[string][]int // the cases of each difference of logs
	classes            map[string][]outcome
	reasons            map[string]int // how often each was needed
}

func row(m map[string]*tally, name string) *tally {
	if m[name] == nil {
		m[name] = &tally{}
	}
	return m[name]
}

func newReport(outcomes []outcome, reasons []reason) *report {
	r := &report{outcomes: outcomes, instructions: map[string]*tally{}, ways: map[string]*tally{},
		units: map[string]spent{}, lines: map[string][]int{}, classes: map[string][]outcome{}, reasons: map[string]int{}}
	for _, o := range outcomes {
		why := ""
		if n := slices.IndexFunc(reasons, func(l reason) bool { return o.class != "" && l.fits(o) }); n >= 0 {
			why = reasons[n].Reason
			r.reasons[why]++
		}
		for _, t := range []*tally{&r.all, row(r.instructions, o.trial.kind.name), row(r.ways, o.trial.breakage.name)} {
			t.n++
			if o.class == "" {
				t.agree++
			}
			if o.runtime.err() != "null" {
				t.refused++
			}
			if why != "" {
				t.listed++
			}
		}
		if o.setup == "" {
			r.probes.n++
			if o.class == "" {
				r.probes.agree++
			}
		}
		if o.class == "" && o.setup == "" && o.runtime.Landed {
			r.executed(o)
		}
		if o.class == "" || why != "" {
			continue
		}
		r.classes[o.name()] = append(r.classes[o.name()], o)
	}
	return r
}

// near reports whether the units are within a tenth of the runtime's.
func near(got, want uint64) bool { return 10*got >= 9*want && 10*got <= 11*want }

// place is the instruction in which the two differ.
func (o outcome) place() string {
	if o.setup != "" {
		return o.setup + " (in a setup)"
	}
	return o.trial.kind.name
}

// name is the class of a disagreement: where it is, and how the two differ.
func (o outcome) name() string { return o.place() + ": " + withoutPlace(o.class) }

func (r *report) print(out io.Writer) {
	table := func(title string, rows map[string]*tally) {
		fmt.Fprintf(out, "\n%-45s %6s %8s %7s %6s\n", title, "cases", "refused", "listed", "agree")
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			t := rows[name]
			mark := ""
			if t.n < 10 {
				mark = "  under ten"
			} else if t.percent() < 90 {
				mark = "  under 90 %"
			}
			fmt.Fprintf(out, "%-45s %6d %8d %7d %5.1f%%%s\n", name, t.n, t.refused, t.listed, t.percent(), mark)
		}
	}
	table("instruction", r.instructions)
	table("breakage", r.ways)
	r.printUnits(out)
	r.printLines(out)
	r.printDifferences(out)
	for _, why := range slices.Sorted(maps.Keys(r.reasons)) {
		fmt.Fprintf(out, "\nlisted, %d times: %s\n", r.reasons[why], why)
	}
}

// printDifferences prints how the two differ, whatever the instruction.
func (r *report) printDifferences(out io.Writer) {
	counts := map[string]int{}
	where := map[string][]string{}
	for _, cases := range r.classes {
		for _, o := range cases {
			class, name := withoutPlace(o.class), o.place()
			counts[class]++
			if !slices.Contains(where[class], name) {
				where[class] = append(where[class], name)
			}
		}
	}
	fmt.Fprintf(out, "\ndifferences, by what the two say\n")
	for _, class := range ranked(counts) {
		slices.Sort(where[class])
		fmt.Fprintf(out, "%6d  %s\n        %s\n", counts[class], class, strings.Join(where[class], ", "))
	}
}

// ranked are the names, those with the greatest count first.
func ranked(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
}

// examples prints the smallest case of each class, and with whole each case that was run.
func (r *report) examples(out io.Writer, folder string, most int, whole bool) error {
	if whole {
		for _, o := range r.outcomes {
			o.print(out)
		}
	}
	fmt.Fprintf(out, "\n%d classes of disagreement\n", len(r.classes))
	counts := map[string]int{}
	for name, cases := range r.classes {
		counts[name] = len(cases)
	}
	for n, name := range ranked(counts) {
		cases := r.classes[name]
		fmt.Fprintf(out, "\n%d. %d times %s\n", n+1, len(cases), name)
		if n >= most {
			fmt.Fprintf(out, "   case %d\n", cases[0].trial.number)
			continue
		}
		o, err := shrink(folder, cases[0])
		if err != nil {
			return err
		}
		o.print(out)
	}
	return nil
}

// print shows a case as it can be made again.
func (o outcome) print(out io.Writer) {
	t := o.trial
	fmt.Fprintf(out, "   case %d of seed %d: %s, %s\n", t.number, t.seed, t.kind.name, t.breakage.name)
	for _, i := range o.all {
		fmt.Fprintf(out, "   %s %s data %x\n", i.name, i.program, i.data)
		for _, m := range i.metas {
			flags := ""
			if m.signer {
				flags += "s"
			}
			if m.writable {
				flags += "w"
			}
			fmt.Fprintf(out, "      %s %s\n", m.key, flags)
		}
	}
	fmt.Fprintf(out, "   runtime: landed %t, %s, %d units\n", o.runtime.Landed, plain(o.runtime.err()), o.runtime.Units)
	fmt.Fprintf(out, "   sandbox: landed %t, %s, %d units\n", o.sandbox.Landed, plain(o.sandbox.err()), o.sandbox.Units)
	for _, l := range o.runtime.Logs {
		fmt.Fprintf(out, "      %s\n", l)
	}
	if o.detail != "" {
		fmt.Fprintf(out, "   %s\n", o.detail)
	}
}

// close prints the closing line and reports whether enough agree.
func (r *report) close(out io.Writer, least float64) bool {
	rare, low := 0, 0
	for _, rows := range []map[string]*tally{r.instructions, r.ways} {
		for _, t := range rows {
			if t.n < 10 {
				rare++
			}
			if t.percent() < 90 {
				low++
			}
		}
	}
	refused := 100 * float64(r.all.refused) / float64(max(r.all.n, 1))
	fmt.Fprintf(out, "\nrefused by the runtime: %.1f%%; rows under ten cases: %d, under 90 %%: %d\n", refused, rare, low)
	fmt.Fprintf(out, "decided in a setup: %d; of the others %.1f%% agree\n", r.all.n-r.probes.n, r.probes.percent())
	told := r.closeLogs(out, least)
	percent := 100 * float64(r.all.agree) / float64(max(r.all.n, 1))
	unlisted := r.all.n - r.all.agree - r.all.listed
	fmt.Fprintf(out, "runtime: transactions=%d agree=%d (%.1f%%) listed=%d unlisted=%d\n",
		r.all.n, r.all.agree, percent, r.all.listed, unlisted)
	few := 100*r.all.listed <= 2*r.all.n
	return percent >= least && few && unlisted == 0 && refused >= 40 && rare == 0 && low == 0 && told
}
