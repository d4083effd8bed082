package linear

import (
	"fmt"
	"os"
	"testing"

	"github.com/anishathalye/porcupine"
)

// mustFind fails the test unless a history of the first seeds is found not to be
// linearizable, and a picture of it can be drawn.
func mustFind(t *testing.T, name string, modelOf func(string) porcupine.Model, run func(seed uint64) *history) {
	t.Helper()
	const most = 50
	y := newTally()
	for seed := range uint64(most) {
		found := judge(t, y, fmt.Sprintf("%s, seed %d", name, seed), modelOf, run(seed))
		if len(found) == 0 {
			continue
		}
		path, err := found[0].picture(t.TempDir())
		if err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("there is no picture at %s: %v", path, err)
		}
		t.Logf("found with seed %d in %s, %d operations", seed, found[0].name, len(found[0].ops))
		return
	}
	t.Errorf("not found in %d histories: %v", y.histories, y.counts)
}
