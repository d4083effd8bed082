package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// consumption is the line that says what a program spent. Its numbers are compared as units, kind by kind.
var consumption = regexp.MustCompile(`^Program (\w+) consumed (\d+) of \d+ compute units$`)

func withoutUnits(line string) string {
	return consumption.ReplaceAllString(line, "Program $1 consumed units")
}

// logsDiffer is the first line in which two logs differ, as each has it. It is empty if none does.
func logsDiffer(runtime, sandbox []string) (difference string) {
	line := func(all []string, n int) string {
		if n < len(all) {
			return withoutUnits(all[n])
		}
		return "the end"
	}
	for n := range max(len(runtime), len(sandbox)) {
		if r, s := line(runtime, n), line(sandbox, n); r != s {
			return fmt.Sprintf("the runtime logs %q, the sandbox %q", r, s)
		}
	}
	return ""
}

// addresses are left out of a class of differences.
var addresses = regexp.MustCompile(`\b[1-9A-HJ-NP-Za-km-z]{32,44}\b`)

// consumed returns the units of a program that the transaction itself names, by the log. The runtime's own
// programs log none: of those it returns the transaction's.
func (o outcome) consumed(v verdict) uint64 {
	program := o.subject().program.String()
	sum, depth, found := uint64(0), 0, false
	for _, l := range v.Logs {
		switch m := consumption.FindStringSubmatch(l); {
		case strings.HasPrefix(l, "Program ") && strings.Contains(l, " invoke ["):
			depth++
		case m != nil && depth == 1 && m[1] == program:
			n, _ := strconv.ParseUint(m[2], 10, 64) // the expression has digits only
			sum, found = sum+n, true
		case strings.HasSuffix(l, " success") && strings.HasPrefix(l, "Program "):
			depth--
		}
	}
	if !found {
		return v.Units
	}
	return sum
}

// subject is the instruction that the case is about.
func (o outcome) subject() ins {
	for _, i := range o.all {
		if i.name == o.trial.kind.name {
			return i
		}
	}
	return o.all[0]
}

// spent holds what one kind of instruction spent wherever both executed it well, and the numbers of those cases.
type spent struct {
	runtime, sandbox []uint64
	cases            []int
}

func sum(all []uint64) (n uint64) {
	for _, u := range all {
		n += u
	}
	return n
}

// enough is how many executions of a kind decide.
const enough = 3

// right reports whether the sandbox counts within a tenth of what the runtime does, if there is enough to tell.
func (s spent) right() bool { return len(s.runtime) < enough || near(sum(s.sandbox), sum(s.runtime)) }

// exact counts the executions that are within a tenth each.
func (s spent) exact() (n int) {
	for i := range s.runtime {
		if near(s.sandbox[i], s.runtime[i]) {
			n++
		}
	}
	return n
}

// executed counts a case that both executed in the same way: its log, and its units if it succeeded.
func (r *report) executed(o outcome) {
	r.logged.n++
	if d := logsDiffer(o.runtime.Logs, o.sandbox.Logs); d == "" {
		r.logged.agree++
	} else {
		d = addresses.ReplaceAllString(d, "...")
		r.lines[d] = append(r.lines[d], o.trial.number)
	}
	if o.runtime.err() != "null" || len(o.all) == 0 {
		return
	}
	s := r.units[o.trial.kind.name]
	s.runtime = append(s.runtime, o.consumed(o.runtime))
	s.sandbox = append(s.sandbox, o.consumed(o.sandbox))
	s.cases = append(s.cases, o.trial.number)
	r.units[o.trial.kind.name] = s
}

// printUnits prints what the runtime and the sandbox count for each kind of instruction.
func (r *report) printUnits(out io.Writer) {
	fmt.Fprintf(out, "\n%-45s %6s %17s %17s\n", "units of an instruction", "cases", "runtime", "sandbox")
	for _, name := range slices.Sorted(maps.Keys(r.units)) {
		s := r.units[name]
		mark := ""
		if !s.right() {
			mark = "  not within a tenth"
		}
		fmt.Fprintf(out, "%-45s %6d %8d-%8d %8d-%8d%s\n", name, len(s.runtime), slices.Min(s.runtime),
			slices.Max(s.runtime), slices.Min(s.sandbox), slices.Max(s.sandbox), mark)
		for i, n := range s.cases {
			if !near(s.sandbox[i], s.runtime[i]) {
				fmt.Fprintf(out, "      case %d: %d, not %d\n", n, s.sandbox[i], s.runtime[i])
			}
		}
	}
}

// printLines prints where logs differ.
func (r *report) printLines(out io.Writer) {
	counts := map[string]int{}
	for difference, cases := range r.lines {
		counts[difference] = len(cases)
	}
	fmt.Fprintf(out, "\ndifferences of logs\n")
	for _, difference := range ranked(counts) {
		fmt.Fprintf(out, "%6d  %s\n        case %d\n", counts[difference], difference, r.lines[difference][0])
	}
}

// closeLogs prints what the logs and the units come to, and reports whether they are the runtime's.
func (r *report) closeLogs(out io.Writer, least float64) bool {
	n, exact, wrong, few := 0, 0, 0, 0
	for _, s := range r.units {
		n += len(s.runtime)
		exact += s.exact()
		if len(s.runtime) < enough {
			few++
		}
		if !s.right() {
			wrong++
		}
	}
	percent := 100 * float64(exact) / float64(max(n, 1))
	fmt.Fprintf(out, "units: kinds=%d too few=%d not within a tenth=%d; executions=%d within a tenth=%d (%.1f%%)\n",
		len(r.units), few, wrong, n, exact, percent)
	same := r.logged.percent()
	fmt.Fprintf(out, "logs: transactions=%d the same lines=%d (%.1f%%)\n", r.logged.n, r.logged.agree, same)
	return wrong == 0 && same >= least
}
