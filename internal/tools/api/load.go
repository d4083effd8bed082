package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// listed is the output of go list for a package.
type listed struct {
	ImportPath, Name, Export string
	DepOnly                  bool
	Module                   *struct{ Path string }
}

// module returns the lines of all public packages of the module in a folder, sorted.
func module(folder string) ([]string, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Name,Export,DepOnly,Module", "./...")
	var problems bytes.Buffer
	cmd.Dir, cmd.Stderr = folder, &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w\n%s", folder, err, problems.String())
	}
	exports, public := map[string]string{}, []listed{}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly && p.Module != nil && isPublic(p) {
			public = append(public, p)
		}
	}
	load := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})
	var lines []string
	for _, p := range public {
		types, err := load.Import(p.ImportPath)
		if err != nil {
			return nil, err
		}
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
		if name == "" {
			name = p.Name // the package in the root of the module
		}
		lines = append(lines, describe(types, name)...)
	}
	slices.Sort(lines)
	return slices.Compact(lines), nil
}

// isPublic reports whether other modules import a package. What is below e2e is material of
// tests and promises nothing.
func isPublic(p listed) bool {
	path := strings.Split(p.ImportPath, "/")
	return p.Name != "main" && !slices.Contains(path, "internal") && !slices.Contains(path, "e2e")
}
