// Command release makes the tree that of a new version, and says which tags that needs.
//
//	release VERSION [DATE]   the version's day, today if it is not given
//	release -modules         the folders of the published modules, in the order of their tags
//	release -kept            those of the modules that are never published
//	release -version         the version that the modules require of each other
//
// A version is set in go.work, in what the modules require of each other, in docs/release.md
// and in docs/stability.md; in CHANGELOG.md what was unreleased becomes its own. Nothing is
// written if a module requires another version of a sibling than go.work has, if the version
// is not a later one, or if CHANGELOG.md has nothing unreleased.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

func main() {
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err == nil {
		err = run(strings.TrimSpace(string(root)), os.Args[1:], time.Now(), os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(root string, args []string, today time.Time, out io.Writer) error {
	if len(args) == 0 || len(args) > 2 {
		return errors.New("usage: release VERSION [DATE] | -modules | -kept | -version")
	}
	t, err := readTree(root)
	if err != nil {
		return err
	}
	switch args[0] {
	case "-version":
		fmt.Fprintln(out, t.version)
		return nil
	case "-modules":
		return list(out, t.order)
	case "-kept":
		return list(out, kept)
	}
	day := today.Format(time.DateOnly)
	if len(args) == 2 {
		day = args[1]
	}
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return fmt.Errorf("the date %q is not of the form 2006-01-02", day)
	}
	if err := t.become(args[0], day); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s is %s in %d modules. Commit, then tag and push in this order:\n",
		t.version, args[0], len(t.modules))
	for _, folder := range t.order {
		fmt.Fprintln(out, tag(folder, args[0]))
	}
	return nil
}

func list(out io.Writer, folders []string) error {
	for _, folder := range folders {
		if _, err := fmt.Fprintln(out, folder); err != nil {
			return err
		}
	}
	return nil
}

// tag names a version of a module as the go command looks for it.
func tag(folder, version string) string {
	if folder == "." {
		return version
	}
	return folder + "/" + version
}
