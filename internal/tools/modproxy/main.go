// Command modproxy writes modules of this repository, as they are committed, to a
// folder that GOPROXY=file://FOLDER serves.
//
//	modproxy FOLDER VERSION PATH=SUBFOLDER...
//
// SUBFOLDER is relative to the root of the repository, . for the root itself. A go.mod
// with a replace directive is refused: it has no effect on whoever requires the module.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: modproxy FOLDER VERSION PATH=SUBFOLDER...")
		os.Exit(2)
	}
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "modproxy: not in a repository:", err)
		os.Exit(1)
	}
	for _, pair := range os.Args[3:] {
		path, sub, _ := strings.Cut(pair, "=")
		m := module.Version{Path: path, Version: os.Args[2]}
		size, err := publish(os.Args[1], strings.TrimSpace(string(root)), sub, m)
		if err != nil {
			fmt.Fprintf(os.Stderr, "modproxy: %s: %v\n", path, err)
			os.Exit(1)
		}
		fmt.Printf("zip of %s, bytes %d\n", m, size)
	}
}

// publish writes the four files of a version, the zip last.
func publish(proxy, root, sub string, m module.Version) (size int64, err error) {
	if err := module.Check(m.Path, m.Version); err != nil {
		return 0, err
	}
	mod, err := os.ReadFile(filepath.Join(root, sub, "go.mod"))
	if err != nil {
		return 0, err
	}
	if err := publishable(mod, m.Path); err != nil {
		return 0, err
	}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return 0, err
	}
	folder := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return 0, err
	}
	info, err := json.Marshal(map[string]any{"Version": m.Version, "Time": time.Unix(0, 0).UTC()})
	if err != nil {
		return 0, err
	}
	for name, text := range map[string][]byte{
		"list":              []byte(m.Version + "\n"),
		m.Version + ".info": info,
		m.Version + ".mod":  mod,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return 0, err
		}
	}
	file, err := os.Create(filepath.Join(folder, m.Version+".zip"))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if sub == "." {
		sub = ""
	}
	if err := zip.CreateFromVCS(file, m, root, "HEAD", sub); err != nil {
		return 0, err
	}
	stat, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return stat.Size(), file.Close()
}

// publishable refuses a go.mod that works only in this repository.
func publishable(mod []byte, path string) error {
	f, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return err
	}
	if f.Module == nil || f.Module.Mod.Path != path {
		return fmt.Errorf("go.mod is of another module")
	}
	if len(f.Replace) > 0 {
		return fmt.Errorf("go.mod has a replace directive for %s", f.Replace[0].Old)
	}
	return nil
}
