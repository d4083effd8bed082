package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

// count is the sum of an area.
type count struct{ killed, timeout, survived, equivalent int }

func (c count) score() float64 {
	if c.killed+c.survived == 0 {
		return 100
	}
	return 100 * float64(c.killed) / float64(c.killed+c.survived)
}

// report writes the survivors, a line an area, and the score. Equivalent mutants do
// not count.
func (p *plan) report(out io.Writer, o options, verdicts map[int]verdict, equivalent map[int]bool) error {
	counts := make([]count, len(p.areas))
	var (
		all  count
		left []entry
	)
	for _, m := range p.mutants {
		v, ran := verdicts[m.ID]
		c := &counts[p.area[m.ID]]
		switch {
		case equivalent[m.ID]:
			c.equivalent++
			if ran && v >= killed {
				fmt.Fprintf(out, "listed as equivalent, but a test fails: %v\n", m)
			}
		case !ran:
		case v >= killed:
			c.killed++
			if v == timeout {
				c.timeout++
			}
		default:
			c.survived++
			word := "survived"
			if v == unreached {
				word = "no test reaches"
			}
			fmt.Fprintf(out, "%s: %v\n", word, m)
			left = append(left, entry{m, ""})
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "area\tmutants\tkilled\t(timeout)\tsurvived\tequivalent\tscore")
	for i, c := range counts {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%.1f%%\n", p.areas[i].name, c.killed+c.survived, c.killed, c.timeout,
			c.survived, c.equivalent, c.score())
		all.killed += c.killed
		all.survived += c.survived
		all.equivalent += c.equivalent
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "score=%.1f%% killed=%d survived=%d equivalent=%d\n",
		all.score(), all.killed, all.survived, all.equivalent)
	if o.out != "" {
		text, err := json.MarshalIndent(left, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(o.out, text, 0o600); err != nil {
			return err
		}
	}
	if all.score() < o.least {
		return fmt.Errorf("%w: %.1f%%, the least is %.1f%%", errScore, all.score(), o.least)
	}
	return nil
}
