package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// kept are the folders of modules that are never published.
var kept = []string{"bench", "e2e/linear", "internal/tools", "judge"}

// tree is a workspace whose modules have one version.
type tree struct {
	root    string
	work    *modfile.WorkFile
	main    string // path of the module at the root
	version string
	modules map[string]*modfile.File // by folder
	order   []string                 // folders of the published ones, each after those that it requires
}

func readTree(root string) (*tree, error) {
	t := &tree{root: root, modules: map[string]*modfile.File{}}
	raw, err := os.ReadFile(t.at("go.work"))
	if err != nil {
		return nil, err
	}
	if t.work, err = modfile.ParseWork("go.work", raw, nil); err != nil {
		return nil, err
	}
	for _, use := range t.work.Use {
		folder := path.Clean(use.Path)
		name := path.Join(folder, "go.mod")
		raw, err := os.ReadFile(t.at(name))
		if err != nil {
			return nil, err
		}
		if t.modules[folder], err = modfile.Parse(name, raw, nil); err != nil {
			return nil, err
		}
	}
	if t.modules["."] == nil {
		return nil, errors.New("go.work does not use the module at its root")
	}
	t.main = t.modules["."].Module.Mod.Path
	if err := t.oneVersion(); err != nil {
		return nil, err
	}
	return t, t.sort()
}

func (t *tree) at(name string) string { return filepath.Join(t.root, filepath.FromSlash(name)) }

// folder returns that of one of the workspace's modules, or false.
func (t *tree) folder(modulePath string) (string, bool) {
	folder := "."
	if rest, ok := strings.CutPrefix(modulePath, t.main+"/"); ok {
		folder = rest
	} else if modulePath != t.main {
		return "", false
	}
	return folder, t.modules[folder] != nil
}

// oneVersion reads the version, and reports every place that has another one.
func (t *tree) oneVersion() error {
	var problems []error
	hold := func(place string, m module.Version) {
		_, ours := t.folder(m.Path)
		switch {
		case !ours:
		case t.version == "":
			t.version = m.Version
		case t.version != m.Version:
			problems = append(problems, fmt.Errorf("%s has %s, and go.work has version %s", place, m, t.version))
		}
	}
	replaced := map[string]bool{}
	for _, r := range t.work.Replace {
		hold("go.work", r.Old)
		replaced[r.Old.Path] = true
	}
	if t.version == "" {
		return errors.New("go.work replaces no module of its own")
	}
	for _, folder := range t.folders() {
		for _, r := range t.modules[folder].Require {
			hold(t.modules[folder].Syntax.Name, r.Mod)
			if _, ours := t.folder(r.Mod.Path); ours && !replaced[r.Mod.Path] {
				problems = append(problems, fmt.Errorf("%s requires %s, which go.work does not replace", folder, r.Mod.Path))
			}
		}
	}
	return errors.Join(problems...)
}

func (t *tree) folders() []string {
	var all []string
	for folder := range t.modules {
		all = append(all, folder)
	}
	slices.Sort(all)
	return all
}

// sort finds the order of the tags.
func (t *tree) sort() error {
	state := map[string]int{} // 1 while what it requires is visited, then 2
	var visit func(folder string) error
	visit = func(folder string) error {
		if state[folder] == 1 {
			return fmt.Errorf("%s requires itself", folder)
		}
		if state[folder] == 2 {
			return nil
		}
		state[folder] = 1
		for _, r := range t.modules[folder].Require {
			other, ours := t.folder(r.Mod.Path)
			if !ours {
				continue
			}
			if slices.Contains(kept, other) {
				return fmt.Errorf("%s requires %s, which is never published", folder, other)
			}
			if err := visit(other); err != nil {
				return err
			}
		}
		state[folder] = 2
		t.order = append(t.order, folder)
		return nil
	}
	for _, folder := range t.folders() {
		if slices.Contains(kept, folder) {
			continue
		}
		if err := visit(folder); err != nil {
			return err
		}
	}
	return nil
}

// become writes the version. Everything is worked out before the first file is written.
func (t *tree) become(version, day string) error {
	if err := t.follows(version); err != nil {
		return err
	}
	texts := map[string][]byte{}
	for _, name := range []string{"docs/release.md", "docs/stability.md"} {
		raw, err := os.ReadFile(t.at(name))
		if err != nil {
			return err
		}
		texts[name] = []byte(strings.ReplaceAll(string(raw), t.version, version))
	}
	var err error
	if texts["CHANGELOG.md"], err = t.changelog(version, day); err != nil {
		return err
	}
	for _, folder := range t.folders() {
		f := t.modules[folder]
		for _, r := range f.Require {
			if _, ours := t.folder(r.Mod.Path); ours {
				if err := f.AddRequire(r.Mod.Path, version); err != nil {
					return err
				}
			}
		}
		texts[f.Syntax.Name] = modfile.Format(f.Syntax)
	}
	for _, r := range slices.Clone(t.work.Replace) {
		if _, ours := t.folder(r.Old.Path); ours {
			r.Syntax.Token[slices.Index(r.Syntax.Token, r.Old.Version)] = version
		}
	}
	texts["go.work"] = modfile.Format(t.work.Syntax)
	for name, text := range texts {
		if err := os.WriteFile(t.at(name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// follows refuses what is no later version of the same major one. The tree has a version
// before that one is released.
func (t *tree) follows(version string) error {
	log, err := os.ReadFile(t.at("CHANGELOG.md"))
	if err != nil {
		return err
	}
	released := strings.Contains(string(log), "\n## ["+strings.TrimPrefix(t.version, "v")+"]")
	order := semver.Compare(version, t.version)
	switch {
	case version != semver.Canonical(version):
		return fmt.Errorf("%q is no version of the form v1.2.3", version)
	case order < 0 || order == 0 && released:
		return fmt.Errorf("%s does not follow on %s", version, t.version)
	}
	_, major, _ := module.SplitPathVersion(t.main)
	return module.CheckPathMajor(version, major)
}

const unreleased = "## Unreleased\n"

// changelog gives what is unreleased the version's name and day.
func (t *tree) changelog(version, day string) ([]byte, error) {
	raw, err := os.ReadFile(t.at("CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	before, after, found := strings.Cut(string(raw), unreleased)
	ours, _, _ := strings.Cut(after, "\n## ")
	if !found || strings.TrimSpace(ours) == "" {
		return nil, errors.New("CHANGELOG.md has nothing under Unreleased")
	}
	heading := fmt.Sprintf("## [%s] - %s\n", strings.TrimPrefix(version, "v"), day)
	return []byte(before + unreleased + "\n" + heading + after), nil
}
