package world

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
)

// TestEveryFieldIsInTheSnapshotOrExcepted follows all types of the state. A field that cannot
// be written fails it, until it becomes data or is excepted with a reason.
func TestEveryFieldIsInTheSnapshotOrExcepted(t *testing.T) {
	for _, problem := range whole().Problems() {
		t.Error(problem)
	}
	for field, why := range left {
		assert.Greater(t, len(why), 10, field)
	}
}

// deed is a method of a type that is found in the state behind an interface.
var deed = regexp.MustCompile(
	`(?m)^func \((?:\w+ )?\*?(\w+)\) (?:Happen\(|[Cc]heck\(\)|Settle\(|Done\(|Rehearse\(|Compose\(|Land\(|apply\(|price\(part)`)

// TestWhatHappensLaterIsKept holds the types of events, effects, letters, parcels, changes and
// fillers, as the source has them, against those that snapshots know.
func TestWhatHappensLaterIsKept(t *testing.T) {
	kept := map[string]bool{"kit.Aside": true, "kit.Core": true} // the one is in no snapshot, the other has another Settle
	for _, typ := range snapshot.Kept() {
		kept[strings.TrimPrefix(typ.String(), "*")] = true
	}
	files, err := filepath.Glob("../*/*.go")
	require.NoError(t, err)
	found := 0
	for _, file := range files {
		room := filepath.Base(filepath.Dir(file))
		if strings.HasSuffix(file, "_test.go") || room == "ledger" || room == "world" || room == "snapshot" {
			continue
		}
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range deed.FindAllStringSubmatch(string(source), -1) {
			found++
			assert.True(t, kept[room+"."+m[1]], "%s.%s of %s is not kept", room, m[1], file)
		}
	}
	assert.Greater(t, found, 40)
}
