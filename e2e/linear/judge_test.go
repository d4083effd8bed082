package linear

import (
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// patience bounds the search for one order. A history that is not judged by then
// counts as a failure.
const patience = time.Minute

// finding is a history for which there is no order.
type finding struct {
	name  string
	model porcupine.Model
	ops   []porcupine.Operation
}

// judge finds out which histories of a run are not linearizable.
func judge(t *testing.T, y *tally, run string, modelOf func(part string) porcupine.Model, h *history) []finding {
	t.Helper()
	var found []finding
	y.happened(h.counts)
	for part, ops := range h.parts {
		y.histories++
		y.operations += len(ops)
		model := modelOf(part)
		switch porcupine.CheckOperationsTimeout(model, ops, patience) {
		case porcupine.Unknown:
			t.Errorf("%s, %s: not judged within %v", run, part, patience)
		case porcupine.Illegal:
			found = append(found, finding{run + ", " + part, model, ops})
		}
	}
	y.illegal += len(found)
	slices.SortFunc(found, func(a, b finding) int { return len(a.ops) - len(b.ops) })
	return found
}

// report fails the test for each finding, with a picture that outlives it.
func report(t *testing.T, found []finding) {
	t.Helper()
	for _, f := range found {
		path, err := f.picture(lastingFolder(t))
		if err != nil {
			t.Errorf("no picture: %v", err)
		}
		t.Errorf("%s is not linearizable: see %s\n%s", f.name, path, f.listing())
	}
}
