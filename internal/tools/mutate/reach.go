package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// test is a test, fuzz target or example, and what it reaches.
type test struct {
	name    string
	in      *binary
	took    time.Duration
	reached map[int]bool // mutants
}

// reach runs each test once, alone and with no mutant on. A test that fails so, and
// once more when nothing else runs, could hold nothing.
func (p *plan) reach(scratch string, todo []int, jobs int) error {
	var all []*test
	for _, b := range p.binaries {
		if !slices.ContainsFunc(todo, func(id int) bool { return p.judges(b, id) }) {
			continue
		}
		names, err := b.list()
		if err != nil {
			return err
		}
		for _, name := range names {
			b.tests = append(b.tests, &test{name: name, in: b})
		}
		all = append(all, b.tests...)
	}
	failed := make([]error, len(all))
	record := func(i int) {
		failed[i] = all[i].record(filepath.Join(scratch, fmt.Sprintf("reached%d", i)), len(p.mutants))
	}
	each(len(all), jobs, record)
	for i, err := range failed {
		if err != nil {
			record(i)
		}
	}
	return errors.Join(failed...)
}

// judges reports whether the tests of b are to notice the mutant.
func (p *plan) judges(b *binary, id int) bool {
	return slices.Contains(p.areas[p.area[id]].testPackages(), b.pkg)
}

func (b *binary) list() ([]string, error) {
	out, err := b.command("", "-test.list", ".").Output()
	if err != nil {
		return nil, fmt.Errorf("list the tests of %s: %w", b.pkg, err)
	}
	var names []string
	for name := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(name, "Benchmark") {
			names = append(names, name)
		}
	}
	return names, nil
}

// record runs the test with a word for each mutant in a file, which it sets.
func (t *test) record(path string, mutants int) error {
	if err := os.WriteFile(path, make([]byte, 4*mutants), 0o600); err != nil {
		return err
	}
	cmd := t.in.command("MUTANT_REACHED="+path, "-test.run", "^"+t.name+"$", "-test.timeout", "5m")
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s of %s fails without a mutant: %w\n%s", t.name, t.in.pkg, err, out)
	}
	t.took, t.reached = time.Since(began), map[int]bool{}
	marks, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for id := range mutants {
		if !bytes.Equal(marks[4*id:4*id+4], make([]byte, 4)) {
			t.reached[id] = true
		}
	}
	return os.Remove(path)
}

// each calls f for 0 to n-1, jobs at once.
func each(n, jobs int, f func(int)) {
	var (
		wg   sync.WaitGroup
		next = make(chan int)
	)
	for range max(1, jobs) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}
