// Command api holds the exported API of a module to a file with one line for each
// identifier, in the form of the api files of Go itself.
//
//	api [-w] [-except FILE] MODULE-FOLDER API-FILE
//
// A line of the file that the code no longer has is a break, unless the file of
// exceptions lists it. A line of the code that the file does not have is an addition:
// -w writes it. It exits with status 1 if there is either.
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	write := flag.Bool("w", false, "write additions to the file")
	except := flag.String("except", "", "the file of the breaks that are meant")
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	ok, err := run(os.Stdout, flag.Arg(0), flag.Arg(1), *except, *write)
	if err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(out io.Writer, folder, file, exceptions string, write bool) (ok bool, err error) {
	now, err := module(folder)
	if err != nil {
		return false, err
	}
	listed, err := read(file)
	if err != nil && !(write && os.IsNotExist(err)) {
		return false, err
	}
	var meant []string
	if exceptions != "" {
		if meant, err = read(exceptions); err != nil {
			return false, err
		}
	}
	d := compare(now, listed, meant)
	for _, line := range d.broken {
		fmt.Fprintf(out, "%s: gone or changed: %s\n", file, line)
	}
	if write && len(d.added) > 0 {
		all := slices.Sorted(slices.Values(append(slices.Clone(listed), d.added...)))
		return len(d.broken) == 0, os.WriteFile(file, []byte(strings.Join(all, "\n")+"\n"), 0o644)
	}
	for _, line := range d.added {
		fmt.Fprintf(out, "%s: not listed: %s\n", file, line)
	}
	return len(d.broken)+len(d.added) == 0, nil
}

// difference lists what the code has and the file lacks, and the reverse.
type difference struct{ broken, added []string }

// compare holds the lines of the code to those of the file. A break that is meant is
// listed with the line that is gone.
func compare(now, listed, meant []string) (d difference) {
	for _, line := range listed {
		if !slices.Contains(now, line) && !slices.Contains(meant, line) {
			d.broken = append(d.broken, line)
		}
	}
	for _, line := range now {
		if _, found := slices.BinarySearch(listed, line); !found {
			d.added = append(d.added, line)
		}
	}
	return d
}

// read returns the lines of a file, sorted, without comments and empty ones.
func read(file string) (lines []string, err error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	scanner := bufio.NewScanner(bytes.NewReader(b))
	for scanner.Scan() {
		if line := strings.TrimSpace(scanner.Text()); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines), scanner.Err()
}
