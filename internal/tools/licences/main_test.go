package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// project makes a module that links two others, one of them without a licence.
func project(t *testing.T) string {
	t.Helper()
	t.Setenv("GOWORK", "off")
	root := t.TempDir()
	mit, err := os.ReadFile("testdata/MIT")
	require.NoError(t, err)
	for name, text := range map[string]string{
		"m/go.mod": "module example.com/m\n\ngo 1.26.0\n\nrequire (\n\texample.com/free v0.1.0\n\texample.com/bare v0.1.0\n\texample.com/tested v0.1.0\n)\n\n" +
			"replace example.com/free => ../free\n\nreplace example.com/bare => ../bare\n\nreplace example.com/tested => ../tested\n",
		"m/m.go":      "package m\n\nimport (\n\t_ \"example.com/bare\"\n\t_ \"example.com/free\"\n)\n",
		"m/m_test.go": "package m\n\nimport _ \"example.com/tested\"\n",
		"free/go.mod": "module example.com/free\n\ngo 1.26.0\n", "free/f.go": "package free\n", "free/LICENSE.md": string(mit),
		"bare/go.mod": "module example.com/bare\n\ngo 1.26.0\n", "bare/b.go": "package bare\n", "bare/LICENSE": "All rights are ours.\n",
		"tested/go.mod": "module example.com/tested\n\ngo 1.26.0\n", "tested/t.go": "package tested\n",
	} {
		file := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return root
}

func TestLicences(t *testing.T) {
	root := project(t)
	document, known := filepath.Join(root, "licences.md"), filepath.Join(root, "known.txt")
	check := func(known string, write bool) (int, string) {
		var out strings.Builder
		problems, err := run(&out, document, []string{filepath.Join(root, "m")}, known, write)
		require.NoError(t, err)
		return problems, out.String()
	}
	problems, said := check("", true)
	require.Equal(t, 1, problems)
	require.Contains(t, said, "example.com/bare v0.1.0 has no licence that is recognised")
	require.NoError(t, os.WriteFile(known, []byte("# why\nexample.com/bare | none | It says nothing.\n"), 0o644))
	problems, said = check(known, true)
	require.Zero(t, problems, said)
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	require.Contains(t, string(text), "| `example.com/free` | v0.1.0 | MIT |")
	require.Contains(t, string(text), "`example.com/bare`: It says nothing.\n")
	require.Contains(t, string(text), "| `example.com/bare` | v0.1.0 | none |")
	require.NotContains(t, string(text), "tested", "it is linked by tests alone")
	problems, said = check(known, false)
	require.Zero(t, problems, said)

	require.NoError(t, os.WriteFile(document, append(text, '\n'), 0o644))
	problems, said = check(known, false)
	require.Equal(t, 1, problems)
	require.Contains(t, said, "is not what is linked")

	require.NoError(t, os.WriteFile(known, []byte("example.com/bare | none | x\nexample.com/free | none | x\nexample.com/gone | none | x\n"), 0o644))
	problems, said = check(known, true)
	require.Equal(t, 2, problems)
	require.Contains(t, said, "example.com/free has a licence by now")
	require.Contains(t, said, "example.com/gone is not linked any more")
}

func TestKnownIsMalformed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "known")
	require.NoError(t, os.WriteFile(file, []byte("example.com/bare\n"), 0o644))
	_, err := readKnown(file)
	require.ErrorContains(t, err, "example.com/bare")
}
