package main

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
)

// repository makes a repository with a module in its root and one in a folder.
func repository(t *testing.T, nested string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26.0\n", "m.go": "package m\n", "LICENSE": "free\n",
		"sub/go.mod": nested, "sub/sub.go": "package sub\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", "x"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return root
}

const good = "module example.com/m/sub\n\ngo 1.26.0\n"

func TestPublish(t *testing.T) {
	root, proxy := repository(t, good), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "stray.go"), []byte("package m\n"), 0o644))
	for path, sub := range map[string]string{"example.com/m": ".", "example.com/m/sub": "sub"} {
		_, err := publish(proxy, root, sub, module.Version{Path: path, Version: "v0.1.0"})
		require.NoError(t, err)
	}
	files := map[string][]string{}
	for _, path := range []string{"example.com/m", "example.com/m/sub"} {
		z, err := zip.OpenReader(filepath.Join(proxy, path, "@v", "v0.1.0.zip"))
		require.NoError(t, err)
		for _, f := range z.File {
			files[path] = append(files[path], f.Name)
		}
		z.Close()
	}
	require.ElementsMatch(t, []string{"example.com/m@v0.1.0/go.mod", "example.com/m@v0.1.0/m.go", "example.com/m@v0.1.0/LICENSE"}, files["example.com/m"],
		"what is committed, without the nested module")
	require.ElementsMatch(t, []string{"example.com/m/sub@v0.1.0/go.mod", "example.com/m/sub@v0.1.0/sub.go", "example.com/m/sub@v0.1.0/LICENSE"}, files["example.com/m/sub"],
		"with the licence")
}

func TestPublishRefuses(t *testing.T) {
	for name, row := range map[string]struct{ mod, version, says string }{
		"replace": {good + "\nreplace example.com/m => ../\n", "v0.1.0", "replace directive for example.com/m"},
		"another": {"module example.com/x\n", "v0.1.0", "another module"}, "no version": {good, "0.1.0", "0.1.0"}, "major": {good, "v2.0.0", "v2"},
	} {
		_, err := publish(t.TempDir(), repository(t, row.mod), "sub", module.Version{Path: "example.com/m/sub", Version: row.version})
		require.ErrorContains(t, err, row.says, name)
	}
}
