// Command sum adds up ranges that the tests of package paid played apart and
// prints the same lines as they do:
//
//	go run ./e2e/world/sum FILE...
//
// Each file has what -world.out wrote. Seeds that two ranges of a mode have in
// common are an error: they would count twice. So is a loss.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/walletfi/walletfi-go/e2e/world/paid"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sum:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, files []string) error {
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
	return nil
}

func read(name string) ([]paid.Range, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return paid.Read(f)
}
