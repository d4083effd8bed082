package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const fixture = `package p

import "errors"

var errOver = errors.New("over")

// Spend takes the amount from what is left.
func Spend(left, amount int) (int, error) {
	if amount > left {
		return 0, errOver
	}
	return left - amount, nil
}

// Sum adds up to n.
func Sum(n int) (sum int) {
	for n > 0 {
		sum += n
		n--
	}
	return sum
}

// Never is not called.
func Never() bool { return true }
`

const fixtureTest = `package p

import (
	"os/signal"
	"syscall"
	"testing"
)

// No room on the disk, as tests of a store have it.
func TestSpend(t *testing.T) {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if left, err := Spend(5, 3); left != 2 || err != nil {
		t.Fatal(left, err)
	}
	if left, err := Spend(1, 3); left != 0 || err == nil {
		t.Fatal(left, err)
	}
}

func TestSum(t *testing.T) {
	if sum := Sum(3); sum != 6 {
		t.Fatal(sum)
	}
}
`

// inModule writes a module and returns its folder.
func inModule(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	all := map[string]string{"go.mod": "module fixture\n\ngo 1.26\n"}
	maps.Copy(all, files)
	for name, text := range all {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func fixtureOptions(t *testing.T) options {
	return options{
		dir:         inModule(t, map[string]string{"p/p.go": fixture, "p/p_test.go": fixtureTest}),
		packages:    "./p",
		jobs:        2,
		equivalents: []byte(`[]`),
	}
}

// TestVerdicts holds each verdict: what the tests look at is killed, what they do
// not look at survives and is told, what they never reach too, and what does not end
// counts as killed.
func TestVerdicts(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(fixtureOptions(t), &out))
	told := out.String()

	require.Contains(t, told, "survived: p/p.go:9 Spend: boundary: amount > left\n", "no test spends all")
	require.Contains(t, told, "no test reaches: p/p.go:25 Never: negate: true\n")
	require.Contains(t, told, "survived: p/p.go:17 Sum: boundary: n > 0\n", "to add 0 changes nothing: an equivalent one")
	require.NotContains(t, told, "Spend: negate", "a test spends too much")
	require.NotContains(t, told, "Spend: arithmetic", "a test looks at what is left")
	require.NotContains(t, told, "Sum: remove", "n-- left out does not end")
	require.Regexp(t, `(?m)^\./p +11 +8 +1 +3 +0 +72\.7%$`, told)
	require.Regexp(t, `score=72\.7% killed=8 survived=3 equivalent=0\n$`, told)
}

func TestLeastScore(t *testing.T) {
	o := fixtureOptions(t)
	o.match, o.least = "Never|arithmetic", 50.1
	require.ErrorIs(t, run(o, &bytes.Buffer{}), errScore)
	o.least = 50
	require.NoError(t, run(o, &bytes.Buffer{}))
}

// TestEquivalents holds that a listed mutant is not run and not counted, and that
// an entry without a reason, of no mutant, or twice is refused.
func TestEquivalents(t *testing.T) {
	o := fixtureOptions(t)
	o.match, o.out = "boundary|Never|arithmetic", filepath.Join(t.TempDir(), "survivors")
	require.NoError(t, run(o, &bytes.Buffer{}))
	text, err := os.ReadFile(o.out)
	require.NoError(t, err)
	var list []entry
	require.NoError(t, json.Unmarshal(text, &list))
	require.Len(t, list, 3, "two boundaries and Never")

	for i := range list {
		list[i].Reason = "for the test"
	}
	var out bytes.Buffer
	o.equivalents = marshal(t, list)
	require.NoError(t, run(o, &out))
	require.Contains(t, out.String(), "score=100.0% killed=1 survived=0 equivalent=3\n")

	for problem, spoil := range map[string]func(*entry){
		"no reason":      func(e *entry) { e.Reason = " " },
		"no such mutant": func(e *entry) { e.Text = "amount > right" },
		"twice":          func(e *entry) { *e = list[1] },
	} {
		spoiled := append([]entry(nil), list...)
		spoil(&spoiled[0])
		o.equivalents = marshal(t, spoiled)
		require.ErrorContains(t, run(o, &bytes.Buffer{}), problem)
	}
}

func TestEquivalentThatATestNotices(t *testing.T) {
	o := fixtureOptions(t)
	o.match, o.recheck = "arithmetic", true
	o.equivalents = marshal(t, []entry{{mutant{File: "p/p.go", Func: "Spend", Op: "arithmetic", Text: "left - amount"}, "wrong"}})
	var out bytes.Buffer
	require.NoError(t, run(o, &out))
	require.Contains(t, out.String(), "listed as equivalent, but a test fails: p/p.go:12 Spend: arithmetic")
}

func marshal(t *testing.T, list []entry) []byte {
	text, err := json.Marshal(list)
	require.NoError(t, err)
	return text
}

// TestTestsHaveToPass holds that tests which do not compile, or fail without a
// mutant, are an error and no score.
func TestTestsHaveToPass(t *testing.T) {
	o := fixtureOptions(t)
	path := filepath.Join(o.dir, "p", "p_test.go")
	require.NoError(t, os.WriteFile(path, []byte("package p\n\nvar _ = Nothing\n"), 0o600))
	require.ErrorContains(t, run(o, &bytes.Buffer{}), "does not compile")

	failing := "package p\n\nimport \"testing\"\n\nfunc TestNo(t *testing.T) { t.Fatal(Never()) }\n"
	require.NoError(t, os.WriteFile(path, []byte(failing), 0o600))
	require.ErrorContains(t, run(o, &bytes.Buffer{}), "TestNo of ./p fails without a mutant")

	once := "package p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestOnce(t *testing.T) {\n" +
		"\tif os.Getenv(\"MUTANT\") == \"\" && os.Mkdir(\"once\", 0o700) == nil {\n\t\tt.Fatal(\"the machine was busy\")\n\t}\n\tNever()\n}\n"
	require.NoError(t, os.WriteFile(path, []byte(once), 0o600))
	require.NoError(t, run(o, &bytes.Buffer{}))
	require.DirExists(t, filepath.Join(o.dir, "p", "once"))

	require.NoError(t, os.Remove(path))
	require.ErrorContains(t, run(o, &bytes.Buffer{}), "no tests")
}

func TestUnknownArea(t *testing.T) {
	_, err := chosen("guard,money")
	require.ErrorContains(t, err, `no area "money"`)
}

// TestAreasShareNoFile holds that each changed file is in one area, and that every
// area has some: a file that was renamed would leave its area unseen.
func TestAreasShareNoFile(t *testing.T) {
	dir, err := root("../../..")
	require.NoError(t, err)
	owner := map[string]string{}
	for _, a := range areas {
		n := 0
		for _, pkg := range a.packages {
			files, err := filepath.Glob(filepath.Join(dir, pkg, "*.go"))
			require.NoError(t, err)
			for _, file := range files {
				name, err := filepath.Rel(dir, file)
				require.NoError(t, err)
				if only := a.only(); only != nil && !only.MatchString(filepath.ToSlash(name)) {
					continue
				}
				require.Empty(t, owner[name], "%s is in two areas", name)
				owner[name] = a.name
				n++
			}
		}
		require.NotZero(t, n, "the area %s has no file", a.name)
	}
	for _, name := range []string{
		"internal/transport/do.go", "internal/transport/bodies_test.go", "internal/transport/baseurl.go", "internal/bearer/keep.go",
		"wallet/entry.go", "internal/proof/dead.go", "wallet/journal.go", "wallet/filejournal.go", "wallet/flight.go", "wallet/internal/framelog/log.go",
		"wallet/internal/entryfile/store.go",
	} {
		require.NotEmpty(t, owner[name], "no area has %s", name)
	}
}
