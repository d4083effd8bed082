package main

import (
	"bytes"
	"fmt"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

// The table of what a package links is between these lines of its document.
const (
	linksBegin = "<!-- what links what, by .ci/release -w -->\n"
	linksEnd   = "<!-- end -->\n"
)

// row has the modules that a program links which imports a package.
type row struct {
	pkg            string // its import path
	listed, linked int    // modules in the go.mod of its module, and modules that it links
	size           string // of the program, "" if it is not built
}

func (r row) counts() string { return fmt.Sprintf("| `%s` | %d | %d |", r.pkg, r.listed, r.linked) }

// checkLinks holds the table in a document against the packages of the modules in the
// folders, sizes left out: those depend on the compiler. write writes it, and the sizes of the
// rows that are new: to have all of them again, remove the rows first.
func checkLinks(out io.Writer, document string, folders []string, write bool) (problems int, err error) {
	text, err := os.ReadFile(document)
	if err != nil {
		return 0, err
	}
	before, rest, ok := strings.Cut(string(text), linksBegin)
	table, after, ended := strings.Cut(rest, linksEnd)
	if !ok || !ended {
		return 0, fmt.Errorf("%s has no table of what links what", document)
	}
	var rows []row
	for _, folder := range folders {
		more, err := linkRows(folder, table, write)
		if err != nil {
			return 0, err
		}
		rows = append(rows, more...)
	}
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.pkg, b.pkg) })
	if write {
		return 0, os.WriteFile(document, []byte(before+linksBegin+renderLinks(rows)+linksEnd+after), 0o644)
	}
	for _, r := range rows {
		if !strings.Contains(table, r.counts()) {
			problems++
			fmt.Fprintf(out, "%s has no row %s: run .ci/release -w\n", document, r.counts())
		}
	}
	if n := strings.Count(table, "| `"); n != len(rows) {
		problems++
		fmt.Fprintf(out, "%s has %d rows for %d packages: run .ci/release -w\n", document, n, len(rows))
	}
	return problems, nil
}

func renderLinks(rows []row) string {
	var b strings.Builder
	b.WriteString("| package | modules listed | modules linked | binary, MB |\n|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "%s %s |\n", r.counts(), r.size)
	}
	return b.String()
}

// linkRows describes the packages of the module in a folder that other modules import.
func linkRows(folder, table string, build bool) (rows []row, err error) {
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	const mode = packages.LoadTypes | packages.NeedModule | packages.NeedImports | packages.NeedDeps
	ours, err := packages.Load(&packages.Config{Mode: mode, Dir: folder}, "./...")
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", folder, err)
	}
	for _, p := range ours {
		parts := strings.Split(p.PkgPath, "/")
		if p.Name == "main" || slices.Contains(parts, "internal") || slices.Contains(parts, "e2e") {
			continue
		}
		modules := map[string]bool{}
		packages.Visit([]*packages.Package{p}, nil, func(p *packages.Package) {
			if p.Module != nil && !p.Module.Main {
				modules[p.Module.Path] = true
			}
		})
		r := row{pkg: p.PkgPath, listed: len(mod.Require), linked: len(modules)}
		if _, rest, ok := strings.Cut(table, r.counts()); ok {
			size, _, _ := strings.Cut(rest, "|")
			r.size = strings.TrimSpace(size)
		} else if build {
			if r.size, err = binarySize(folder, p); err != nil {
				return nil, err
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// binarySize builds a program that uses all that a package exports.
func binarySize(folder string, p *packages.Package) (string, error) {
	dir, err := os.MkdirTemp("", "links")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	var b bytes.Buffer
	kept, name := uses(p.Types), "p"
	if len(kept) == 0 {
		name = "_"
	}
	fmt.Fprintf(&b, "package main\n\nimport %s %q\n\nvar all = []any{\n", name, p.PkgPath)
	for _, use := range kept {
		fmt.Fprintf(&b, "\t%s,\n", use)
	}
	b.WriteString("}\n\nfunc main() { println(len(all)) }\n")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		return "", err
	}
	command := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, file)
	command.Dir = folder
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", p.PkgPath, err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%.1f", float64(info.Size())/1e6), nil
}

// uses are expressions that keep a package's functions and methods in a program.
func uses(p *types.Package) (all []string) {
	for _, id := range p.Scope().Names() {
		switch o := p.Scope().Lookup(id).(type) {
		case *types.Func:
			if o.Exported() && o.Signature().TypeParams().Len() == 0 {
				all = append(all, "p."+id)
			}
		case *types.TypeName:
			named, ok := o.Type().(*types.Named)
			if !ok || !o.Exported() || named.TypeParams().Len() > 0 || types.IsInterface(named) {
				continue
			}
			for m := range types.NewMethodSet(types.NewPointer(named)).Methods() {
				if m.Obj().Exported() {
					all = append(all, fmt.Sprintf("(*p.%s).%s", id, m.Obj().Name()))
				}
			}
		}
	}
	return all
}
