// Command judge holds the sandbox's ledger against the runtime: it draws transactions by a
// seed, valid ones and broken ones, has LiteSVM and the sandbox execute the same signed bytes
// on the same accounts, and compares verdict, error and every account. See README.md.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	n := flag.Int("n", 1500, "how many transactions")
	seed := flag.Uint64("seed", 1, "what they are drawn from")
	only := flag.Int("only", 0, "run the case of this number alone, and print it")
	folder := flag.String("runtime", "runtime", "the folder of runtime.mjs, with its modules installed")
	listed := flag.String("listed", "listed.json", "the differences on purpose")
	examples := flag.Int("examples", 40, "how many classes of disagreement are shrunk and printed")
	least := flag.Float64("least", 98, "the percentage that must agree")
	sets := flag.Int("sets", 1000, "how many sets a guard signs, for its conservation property")
	flag.Parse()
	good, err := run(*n, *seed, *only, *folder, *listed, *examples, *least)
	if err == nil && *only == 0 && *sets > 0 {
		var kept bool
		kept, err = conserve(os.Stdout, *folder, *sets, *seed)
		good = good && kept
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

func run(n int, seed uint64, only int, folder, listed string, examples int, least float64) (bool, error) {
	reasons, err := readListed(listed)
	if err != nil {
		return false, err
	}
	all := trials(seed, n)
	if only > 0 {
		all = all[only-1 : only]
	}
	outcomes, err := judgeAll(folder, all)
	if err != nil {
		return false, err
	}
	r := newReport(outcomes, reasons)
	r.print(os.Stdout)
	if err := r.examples(os.Stdout, folder, examples, only > 0); err != nil {
		return false, err
	}
	return r.close(os.Stdout, least), nil
}

// perWorld is how many cases share a world. They share no account but native mints.
const perWorld = 100

// judgeAll runs the cases in order. Only the programs of the two ledgers outlive a world.
func judgeAll(folder string, all []trial) ([]outcome, error) {
	var outcomes []outcome
	var w *world
	defer func() {
		if w != nil {
			w.close()
		}
	}()
	for n, t := range all {
		if w != nil && n%perWorld == 0 {
			w.close()
			w = nil
		}
		if w == nil {
			var err error
			if w, err = newWorld(folder); err != nil {
				return nil, err
			}
		}
		o, err := w.judge(t)
		if err == errGone {
			w.close()
			w, err = nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("case %d, %s, %s: %w", t.number, t.kind.name, t.breakage.name, err)
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}
