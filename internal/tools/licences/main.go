// Command licences lists the licences of all modules that the programs and packages of
// modules link, tests and tools left out.
//
//	licences [-w] [-known FILE] DOCUMENT MODULE-FOLDER...
//	licences [-w] -links DOCUMENT MODULE-FOLDER...
//
// With -links it holds the table in a document of what links what against the modules'
// packages: how many modules their go.mod lists and how many each package links. -w writes it,
// and for new rows the size of a program that uses all that the package exports.
//
// It exits with status 1 if the document differs (-w writes it), or if a module has no
// licence that is recognised and is not in the file of known exceptions. A line of it is
// a module, its licence and a sentence, with | between them.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

func main() {
	write := flag.Bool("w", false, "write the document")
	known := flag.String("known", "", "the file of what is known of modules without a licence")
	links := flag.Bool("links", false, "hold the table of what links what")
	flag.Parse()
	if flag.NArg() < 2 {
		flag.Usage()
		os.Exit(2)
	}
	check := func() (int, error) { return run(os.Stdout, flag.Arg(0), flag.Args()[1:], *known, *write) }
	if *links {
		check = func() (int, error) { return checkLinks(os.Stdout, flag.Arg(0), flag.Args()[1:], *write) }
	}
	problems, err := check()
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(2)
	}
	if problems > 0 {
		os.Exit(1)
	}
}

func run(out io.Writer, document string, folders []string, known string, write bool) (problems int, err error) {
	exceptions, err := readKnown(known)
	if err != nil {
		return 0, err
	}
	linked, err := linkedBy(folders)
	if err != nil {
		return 0, err
	}
	c, err := newClassifier()
	if err != nil {
		return 0, err
	}
	unused := maps.Clone(exceptions)
	for i := range linked {
		m := &linked[i]
		if m.licences, err = c.folder(m.Dir); err != nil {
			return 0, err
		}
		m.known = exceptions[m.Path]
		delete(unused, m.Path)
		switch {
		case len(m.licences) == 0 && m.known.text == "":
			problems++
			fmt.Fprintf(out, "%s %s has no licence that is recognised: see %s\n", m.Path, m.Version, m.Dir)
		case len(m.licences) > 0 && m.known.text != "":
			problems++
			fmt.Fprintf(out, "%s has a licence by now: it is no exception\n", m.Path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(unused)) {
		problems++
		fmt.Fprintf(out, "%s is not linked any more: it is no exception\n", path)
	}
	want := render(linked)
	if write {
		return problems, os.WriteFile(document, want, 0o644)
	}
	have, err := os.ReadFile(document)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	if !bytes.Equal(have, want) {
		problems++
		fmt.Fprintf(out, "%s is not what is linked: run .ci/release -w\n", document)
	}
	return problems, nil
}

// exception is a licence that was found by hand.
type exception struct{ licence, text string }

func readKnown(file string) (map[string]exception, error) {
	known := map[string]exception{}
	if file == "" {
		return known, nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 {
			return nil, fmt.Errorf("%s: %q is not of the form module | licence | sentence", file, line)
		}
		known[parts[0]] = exception{parts[1], parts[2]}
	}
	return known, nil
}
