package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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

// listed is the output of go list for a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	DepOnly                 bool
	Module                  *struct{ Path, Dir string }
}

// module is the module that is mutated: its import path and its folder.
type module struct{ path, dir string }

// load type-checks the packages that match the patterns, seen from dir.
func load(dir string, patterns []string) (module, *token.FileSet, []*loaded, error) {
	list, err := goList(dir, patterns)
	if err != nil {
		return module{}, nil, nil, err
	}
	exports := map[string]string{}
	for _, p := range list {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})
	var (
		in   module
		pkgs []*loaded
	)
	for _, p := range list {
		if p.DepOnly {
			continue
		}
		in = module{p.Module.Path, p.Module.Dir}
		pkg, err := check(fset, imports, p)
		if err != nil {
			return module{}, nil, nil, err
		}
		pkgs = append(pkgs, pkg)
	}
	if len(pkgs) == 0 {
		return module{}, nil, nil, errors.New("no package matches")
	}
	return in, fset, pkgs, nil
}

func goList(dir string, patterns []string) ([]listed, error) {
	cmd := goCommand(dir,
		append([]string{"list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,DepOnly,Module"}, patterns...)...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, problems.Bytes())
	}
	var list []listed
	for d := json.NewDecoder(&out); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, p)
	}
}

func check(fset *token.FileSet, imports types.Importer, p listed) (*loaded, error) {
	pkg := &loaded{path: p.ImportPath, dir: p.Dir, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Uses:  map[*ast.Ident]types.Object{},
		Defs:  map[*ast.Ident]types.Object{},
	}}
	var syntax []*ast.File
	for _, base := range p.GoFiles {
		path := filepath.Join(p.Dir, base)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(p.Module.Dir, path)
		if err != nil {
			return nil, err
		}
		syntax = append(syntax, file)
		pkg.files = append(pkg.files, &source{path, filepath.ToSlash(name), text, file})
	}
	checked, err := (&types.Config{Importer: imports}).Check(p.ImportPath, fset, syntax, pkg.info)
	if err != nil {
		return nil, fmt.Errorf("type-check %s: %w", p.ImportPath, err)
	}
	pkg.pkg = checked
	return pkg, nil
}

// goCommand is a go command in dir, for the one module that dir is in.
func goCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	return cmd
}
