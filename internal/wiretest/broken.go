package wiretest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Broken runs a conformance suite against doubles that are each broken in one way, in
// a child process, since the suite must fail, and fails the test for each that passes.
// number is how many doubles there are, so that none is lost from the list.
func Broken[D any](t *testing.T, number int, doubles map[string]D, suite func(t *testing.T, double D)) {
	t.Helper()
	const variable = "WALLETFI_BROKEN_DOUBLES"
	named := func(double string) string { return strings.ReplaceAll(double, " ", "_") }
	if os.Getenv(variable) == t.Name() {
		for name, double := range doubles {
			t.Run(named(name), func(t *testing.T) {
				t.Parallel()
				suite(t, double)
			})
		}
		return
	}
	require.Len(t, doubles, number)
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.parallel=64")
	child.Env = append(os.Environ(), variable+"="+t.Name())
	out, _ := child.CombinedOutput() // it fails
	for name := range doubles {
		failed := strings.Contains(string(out), "--- FAIL: "+t.Name()+"/"+named(name)+" ")
		assert.True(t, failed, "the suite passes what is broken, or did not come to it: %s", name)
	}
}
