package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// linked is a module that something of ours links.
type linked struct {
	Path, Version, Dir string
	by                 []string // our modules
	licences           []string // SPDX
	known              exception
}

// linkedBy returns what the modules in the folders link of other modules than their
// own, in order.
func linkedBy(folders []string) ([]linked, error) {
	byPath := map[string]*linked{}
	for _, folder := range folders {
		const mode = packages.NeedModule | packages.NeedImports | packages.NeedDeps
		ours, err := packages.Load(&packages.Config{Mode: mode, Dir: folder}, "./...")
		if err != nil {
			return nil, fmt.Errorf("load %s: %w", folder, err)
		}
		packages.Visit(ours, nil, func(p *packages.Package) {
			if p.Module == nil || p.Module.Main {
				return
			}
			m := byPath[p.Module.Path]
			if m == nil {
				m = &linked{Path: p.Module.Path, Version: p.Module.Version, Dir: p.Module.Dir}
				byPath[m.Path] = m
			}
			if !slices.Contains(m.by, folder) {
				m.by = append(m.by, folder)
			}
		})
	}
	var all []linked
	for _, m := range byPath {
		slices.Sort(m.by)
		all = append(all, *m)
	}
	slices.SortFunc(all, func(a, b linked) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// render writes the document.
func render(all []linked) []byte {
	var b bytes.Buffer
	b.WriteString(`# Licences of what is linked

Made by ` + "`.ci/release -w`" + ` from what the packages and programs of this repository
link, tests and tools left out, in the versions of the workspace. "main" is the module of
the library; only its ` + "`rpcnode`, `sandbox`" + ` and examples link solana-go and what follows it.
`)
	for _, m := range all {
		if m.known.text != "" {
			fmt.Fprintf(&b, "\n`%s`: %s\n", m.Path, m.known.text)
		}
	}
	b.WriteString("\n| module | version | licence | linked by |\n|---|---|---|---|\n")
	for _, m := range all {
		licence := strings.Join(m.licences, ", ")
		if licence == "" {
			licence = m.known.licence
		}
		by := slices.Clone(m.by)
		if i := slices.Index(by, "."); i >= 0 {
			by[i] = "main"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.Path, m.Version, licence, strings.Join(by, ", "))
	}
	return b.Bytes()
}
