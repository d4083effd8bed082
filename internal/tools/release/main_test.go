package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// house is a workspace of a module, one that requires it, one that requires both, and a kept one.
func house(t *testing.T, changed map[string]string) string {
	t.Helper()
	root := t.TempDir()
	files := map[string]string{
		"go.work": "go 1.26.0\n\nuse (\n\t.\n\t./a\n\t./b\n\t./bench\n)\n\n// Not published yet.\nreplace (\n" +
			"\texample.com/m v0.1.0 => ./\n\texample.com/m/b v0.1.0 => ./b\n)\n\nreplace example.com/old v0.1.0 => example.com/new v0.1.0\n",
		"go.mod":            "module example.com/m\n\ngo 1.26.0\n",
		"a/go.mod":          "module example.com/m/a\n\ngo 1.26.0\n\nrequire (\n\texample.com/m v0.1.0\n\texample.com/m/b v0.1.0 // why\n\texample.com/x v0.1.0\n)\n",
		"b/go.mod":          "module example.com/m/b\n\ngo 1.26.0\n\nrequire example.com/m v0.1.0\n",
		"bench/go.mod":      "module example.com/m/bench\n\ngo 1.26.0\n\nrequire example.com/m v0.1.0\n",
		"CHANGELOG.md":      "# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## [0.0.9] - 2026-01-01\n",
		"docs/release.md":   "tag v0.1.0, b/v0.1.0\n",
		"docs/stability.md": "such as b/v0.1.0\n",
	}
	for name, text := range changed {
		files[name] = text
	}
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	return root
}

// contents are the files of a folder by name.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, root+"/")] = string(raw)
		return err
	}))
	return all
}

var today = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

func TestNextVersion(t *testing.T) {
	root := house(t, nil)
	before := contents(t, root)
	var out bytes.Buffer
	require.NoError(t, run(root, []string{"v0.2.0"}, today, &out))
	require.Equal(t, "v0.1.0 is v0.2.0 in 4 modules. Commit, then tag and push in this order:\nv0.2.0\nb/v0.2.0\na/v0.2.0\n", out.String())
	after := contents(t, root)
	for name, text := range before {
		want := strings.ReplaceAll(text, "v0.1.0", "v0.2.0")
		switch name {
		case "a/go.mod":
			want = strings.ReplaceAll(want, "example.com/x v0.2.0", "example.com/x v0.1.0")
		case "go.work":
			want = strings.ReplaceAll(want, "old v0.2.0 => example.com/new v0.2.0", "old v0.1.0 => example.com/new v0.1.0")
		case "CHANGELOG.md":
			want = strings.Replace(text, "## Unreleased\n", "## Unreleased\n\n## [0.2.0] - 2026-12-01\n", 1)
		}
		require.Equal(t, want, after[name], name)
	}
	require.Len(t, after, len(before))
	out.Reset()
	require.NoError(t, run(root, []string{"-version"}, today, &out))
	require.NoError(t, run(root, []string{"-modules"}, today, &out))
	require.NoError(t, run(root, []string{"-kept"}, today, &out))
	require.Equal(t, "v0.2.0\n.\nb\na\nbench\ne2e/linear\ninternal/tools\njudge\n", out.String())
}

func TestFirstVersion(t *testing.T) {
	root := house(t, nil)
	require.NoError(t, run(root, []string{"v0.1.0", "2026-12-24"}, today, &bytes.Buffer{}))
	require.Contains(t, contents(t, root)["CHANGELOG.md"], "## Unreleased\n\n## [0.1.0] - 2026-12-24\n\n### Added")
	require.ErrorContains(t, run(root, []string{"v0.1.0"}, today, &bytes.Buffer{}), "v0.1.0 does not follow on v0.1.0")
}

// TestRefusedVersions: nothing is written.
func TestRefusedVersions(t *testing.T) {
	for name, c := range map[string]struct {
		args    []string
		changed map[string]string
		want    string
	}{
		"no form":          {[]string{"0.2.0"}, nil, `"0.2.0" is no version`},
		"short":            {[]string{"v0.2"}, nil, `"v0.2" is no version`},
		"an earlier one":   {[]string{"v0.0.9"}, nil, "does not follow on v0.1.0"},
		"a major one":      {[]string{"v2.0.0"}, nil, "v2"},
		"a date":           {[]string{"v0.2.0", "tomorrow"}, nil, `"tomorrow"`},
		"nothing to do":    {nil, nil, "usage"},
		"nothing to tell":  {[]string{"v0.2.0"}, map[string]string{"CHANGELOG.md": "## Unreleased\n\n## [0.0.9] - x\n"}, "nothing under Unreleased"},
		"another version":  {[]string{"v0.2.0"}, map[string]string{"b/go.mod": "module example.com/m/b\n\nrequire example.com/m v0.0.9\n"}, "b/go.mod has example.com/m@v0.0.9"},
		"not in go.work":   {[]string{"v0.2.0"}, map[string]string{"b/go.mod": "module example.com/m/b\n\nrequire example.com/m/a v0.1.0\n"}, "go.work does not replace"},
		"of a kept module": {[]string{"v0.2.0"}, map[string]string{"b/go.mod": "module example.com/m/b\n\nrequire example.com/m/bench v0.1.0\n"}, "bench"},
	} {
		t.Run(name, func(t *testing.T) {
			root := house(t, c.changed)
			before := contents(t, root)
			require.ErrorContains(t, run(root, c.args, today, &bytes.Buffer{}), c.want)
			require.Equal(t, before, contents(t, root))
		})
	}
}
