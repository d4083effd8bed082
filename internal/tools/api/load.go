package main

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// module returns the lines of all public packages of the module in a folder, sorted.
func module(folder string) ([]string, error) {
	all, err := packages.Load(&packages.Config{Mode: packages.LoadTypes | packages.NeedModule, Dir: folder}, "./...")
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", folder, err)
	}
	var lines []string
	for _, p := range all {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("load %s: %w", p.PkgPath, p.Errors[0])
		}
		if !isPublic(p) {
			continue
		}
		name := strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, p.Module.Path), "/")
		if name == "" {
			name = p.Name // the package in the root of the module
		}
		lines = append(lines, describe(p.Types, name)...)
	}
	slices.Sort(lines)
	return slices.Compact(lines), nil
}

// isPublic reports whether other modules import a package. What is below e2e is material of
// tests and promises nothing.
func isPublic(p *packages.Package) bool {
	path := strings.Split(p.PkgPath, "/")
	return p.Name != "main" && !slices.Contains(path, "internal") && !slices.Contains(path, "e2e")
}
