// Command judge holds the sandbox's ledger against the runtime: it draws transactions by a
// seed, valid ones and broken ones, has LiteSVM and the sandbox execute the same signed bytes
// on the same accounts, and compares verdict, error and every account. See README.md.
package main

import (
	"flag"
	"fmt"
	"os"
	cores "runtime"

	"golang.org/x/sync/errgroup"
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

// judgeAll runs the cases, as many worlds at a time as there are cores: each keeps one busy, its own or the
// runtime's.
func judgeAll(folder string, all []trial) ([]outcome, error) {
	outcomes := make([]outcome, len(all))
	var group errgroup.Group
	group.SetLimit(cores.NumCPU())
	for from := 0; from < len(all); from += perWorld {
		to := min(from+perWorld, len(all))
		group.Go(func() error { return judgeWorld(folder, all[from:to], outcomes[from:to]) })
	}
	return outcomes, group.Wait()
}

// judgeWorld runs the cases in order in one world. A new one takes its place when the runtime's process ends.
func judgeWorld(folder string, all []trial, outcomes []outcome) error {
	var w *world
	defer func() {
		if w != nil {
			w.close()
		}
	}()
	for n, t := range all {
		var err error
		if w == nil {
			if w, err = newWorld(folder); err != nil {
				return err
			}
		}
		if outcomes[n], err = w.judge(t); err == errGone {
			w.close()
			w, err = nil, nil
		}
		if err != nil {
			return fmt.Errorf("case %d, %s, %s: %w", t.number, t.kind.name, t.breakage.name, err)
		}
	}
	return nil
}
