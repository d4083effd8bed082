package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

// loaded is a type-checked package without its tests.
type loaded struct {
	path, dir string
	files     []*source
	info      *types.Info
	pkg       *types.Package
}

// source is a file of a package.
type source struct {
	path, name string // absolute; relative to the module, with slashes
	text       []byte
	syntax     *ast.File
}

// module is the module that is mutated: its import path and its folder.
type module struct{ path, dir string }

// load type-checks the packages that match the patterns, seen from dir.
func load(dir string, patterns []string) (in module, fset *token.FileSet, pkgs []*loaded, err error) {
	fset = token.NewFileSet()
	list, err := packages.Load(&packages.Config{
		Mode: packages.LoadSyntax | packages.NeedModule, Dir: dir, Env: alone(), Fset: fset,
	}, patterns...)
	if err != nil {
		return in, nil, nil, fmt.Errorf("load: %w", err)
	}
	for _, p := range list {
		if len(p.Errors) > 0 {
			return in, nil, nil, fmt.Errorf("load %s: %w", p.PkgPath, p.Errors[0])
		}
		if p.Module == nil {
			continue
		}
		in = module{p.Module.Path, p.Module.Dir}
		pkg := &loaded{path: p.PkgPath, dir: p.Dir, info: p.TypesInfo, pkg: p.Types}
		for i, path := range p.CompiledGoFiles {
			text, err := os.ReadFile(path)
			if err != nil {
				return in, nil, nil, err
			}
			name, err := filepath.Rel(in.dir, path)
			if err != nil {
				return in, nil, nil, err
			}
			pkg.files = append(pkg.files, &source{path, filepath.ToSlash(name), text, p.Syntax[i]})
		}
		pkgs = append(pkgs, pkg)
	}
	if len(pkgs) == 0 {
		return in, nil, nil, errors.New("no package matches")
	}
	return in, fset, pkgs, nil
}

// alone is the environment of a go command for the one module that it runs in.
func alone() []string { return append(os.Environ(), "GOWORK=off") }

// goCommand is a go command in dir, for the one module that dir is in.
func goCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = alone()
	return cmd
}
