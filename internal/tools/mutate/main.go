// Mutate changes the code that moves money, a small change at a time, and tells
// which changes the tests of its package do not notice.
//
//	go run ./internal/tools/mutate                      # everything
//	go run ./internal/tools/mutate -sample 200 -seed 1  # 200 of the changes
//	go run ./internal/tools/mutate -packages guard,./internal/peer
//
// All changes are compiled once, each guarded by a switch that an environment variable
// turns; a test binary then runs once for each, with only the tests that reach it.
package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
)

//go:embed switch.go.txt
var switchSource string

//go:embed equivalent.json
var equivalents []byte

type options struct {
	dir, packages, match, out string
	sample, jobs              int
	seed                      uint64
	least                     float64
	equivalents               []byte
	recheck                   bool
}

func main() {
	o := options{dir: ".", equivalents: equivalents}
	flag.StringVar(&o.packages, "packages", "", "areas or packages (./path), separated by commas; all areas if empty")
	flag.StringVar(&o.match, "match", "", "only mutants whose line of the report matches this regular expression")
	flag.StringVar(&o.out, "out", "", "a file for the survivors, as entries of equivalent.json")
	flag.IntVar(&o.sample, "sample", 0, "how many mutants, chosen at random; 0 for all")
	flag.Uint64Var(&o.seed, "seed", 1, "the seed of the sample")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "how many run at once")
	flag.Float64Var(&o.least, "min", 0, "the score in percent below which the run fails")
	flag.BoolVar(&o.recheck, "equivalents", false,
		"run the mutants of equivalent.json, to find those that a test does notice")
	flag.Parse()
	if err := run(o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

var errScore = errors.New("the score is too low")

// run does what the package's comment says.
func run(o options, out io.Writer) error {
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	picked, err := chosen(o.packages)
	if err != nil {
		return err
	}
	dir, err := root(o.dir)
	if err != nil {
		return err
	}
	p, err := newPlan(dir, scratch, picked)
	if err != nil {
		return err
	}
	equivalent, err := readEquivalents(o.equivalents, p)
	if err != nil {
		return err
	}
	todo, err := p.choose(o, equivalent)
	if err != nil {
		return err
	}
	if err := p.reach(scratch, todo, o.jobs); err != nil {
		return err
	}
	verdicts := p.judge(scratch, todo, o.jobs)
	return p.report(out, o, verdicts, equivalent)
}
