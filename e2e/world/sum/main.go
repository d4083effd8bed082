// Command sum adds up ranges that the tests of package paid played apart and
// prints the same lines as they do:
//
//	go run ./e2e/world/sum [-told 99] FILE...
//
// Each file has what -world.out wrote. Seeds that two ranges of a mode have in
// common are an error: they would count twice. So is a loss, and a mode of which less
// than so many percent of what could be proven were told in time, as package paid asks it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/walletfi/walletfi-go/e2e/world/paid"
)

func main() {
	told := flag.Float64("told", 99, "the percent of what can be proven that must have been told in time")
	flag.Parse()
	if err := run(os.Stdout, *told, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sum:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, told float64, files []string) error {
	if len(files) == 0 {
		return errors.New("name the files to add up")
	}
	var all []paid.Range
	for _, name := range files {
		ranges, err := read(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, ranges...)
	}
	modes, sums, err := paid.Sum(all)
	if err != nil {
		return err
	}
	if err := paid.Print(out, modes, sums); err != nil {
		return err
	}
	for _, mode := range modes {
		if sum := sums[mode]; sum.Twice+sum.False > 0 {
			return fmt.Errorf("mode %s loses:%s", mode, sum.KindsLine())
		}
	}
	return paid.Late(modes, sums, told)
}

func read(name string) ([]paid.Range, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return paid.Read(f)
}
