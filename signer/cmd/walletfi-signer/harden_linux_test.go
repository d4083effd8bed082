package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHardened looks at a running signer from outside: it leaves no core, its files are its user's alone
// and, with the limit of locked memory lifted, none of it is swapped out.
func TestHardened(t *testing.T) {
	p := sealed(t)
	process := p.start(t)
	about := func(file string) string {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", process.Process.Pid, file))
		require.NoError(t, err)
		return string(text)
	}
	limits, status := about("limits"), about("status")
	assert.Regexp(t, `Max core file size +0 +0 `, limits)
	assert.Regexp(t, `Umask:\t0077\n`, status)
	locked := !strings.Contains(status, "VmLck:\t       0 kB")
	assert.Equal(t, regexp.MustCompile(`Max locked memory +unlimited `).MatchString(limits), locked, status)
	info, err := os.Stat(p.path("store.db"))
	require.NoError(t, err)
	assert.Zero(t, info.Mode().Perm()&0o077)
	require.NoError(t, process.Process.Signal(os.Interrupt))
	require.NoError(t, process.Wait())
}
