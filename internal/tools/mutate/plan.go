package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// plan is the changed module: its mutants, the area of each, and its test binaries.
type plan struct {
	mutants  []mutant // by id
	area     []int    // of each mutant
	areas    []area
	binaries []*binary
}

// binary is the compiled tests of a package.
type binary struct {
	pkg, path, dir string // pattern, the program, where it has to run
	tests          []*test
}

// newPlan changes the packages of the areas and compiles their tests, in scratch.
func newPlan(dir, scratch string, picked []area) (*plan, error) {
	p := &plan{areas: picked}
	var patterns []string
	for _, a := range picked {
		patterns = append(patterns, a.packages...)
		patterns = append(patterns, a.testPackages()...)
	}
	slices.Sort(patterns)
	patterns = slices.Compact(patterns)
	in, fset, pkgs, err := load(dir, patterns)
	if err != nil {
		return nil, err
	}
	changed, next := map[string][]byte{}, 0
	seen := map[mutant]int{}
	for i, a := range picked {
		for _, pkg := range pkgs {
			if !slices.ContainsFunc(a.packages, func(pattern string) bool { return pkg.dir == filepath.Join(dir, pattern) }) {
				continue
			}
			s := &sites{fset: fset, pkg: pkg, only: a.only(), next: &next, seen: seen}
			for path, text := range s.rewrite(in.path) {
				if changed[path] != nil {
					return nil, fmt.Errorf("%s is in two areas", path)
				}
				changed[path] = text
			}
			for range s.mutants {
				p.area = append(p.area, i)
			}
			p.mutants = append(p.mutants, s.mutants...)
		}
	}
	if len(p.mutants) == 0 {
		return nil, fmt.Errorf("nothing to change in %s", strings.Join(patterns, " "))
	}
	return p, p.compile(dir, scratch, in, changed, patterns, pkgs)
}

// compile builds the test binaries with the changed files in place of the real ones.
func (p *plan) compile(
	dir, scratch string, in module, changed map[string][]byte, patterns []string, pkgs []*loaded,
) error {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	changed[filepath.Join(in.dir, "internal", live, live+".go")] = []byte(switchSource)
	for path, text := range changed {
		file := filepath.Join(scratch, fmt.Sprintf("%d.go", len(overlay.Replace)))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return err
		}
		overlay.Replace[path] = file
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	file := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		return err
	}
	tested := map[string]bool{}
	for _, a := range p.areas {
		for _, pattern := range a.testPackages() {
			tested[pattern] = true
		}
	}
	for i, pattern := range patterns {
		if !tested[pattern] {
			continue
		}
		b := &binary{pkg: pattern, path: filepath.Join(scratch, fmt.Sprintf("tests%d", i)), dir: filepath.Join(dir, pattern)}
		out, err := goCommand(dir, "test", "-c", "-vet=off", "-overlay", file, "-o", b.path, pattern).CombinedOutput()
		if err != nil {
			return fmt.Errorf("the changed %s does not compile: %w\n%s", pattern, err, out)
		}
		if _, err := os.Stat(b.path); err != nil {
			return fmt.Errorf("%s has no tests", pattern)
		}
		p.binaries = append(p.binaries, b)
	}
	return nil
}
