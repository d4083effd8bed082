package linear

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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

// picture draws the history, as a page for a browser, and returns its path.
func (f finding) picture(folder string) (path string, err error) {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune("/ :,", r) {
			return '-'
		}
		return r
	}, f.name)
	path = filepath.Join(folder, name+".html")
	_, info := porcupine.CheckOperationsVerbose(f.model, f.ops, patience)
	return path, porcupine.VisualizePath(f.model, info, path)
}

// listing is the history in words, by the time of the calls.
func (f finding) listing() string {
	ops := slices.Clone(f.ops)
	slices.SortFunc(ops, func(a, b porcupine.Operation) int { return cmp.Compare(a.Call, b.Call) })
	var text strings.Builder
	for _, op := range ops {
		until := fmt.Sprint(op.Return)
		if op.Return == never {
			until = "?"
		}
		fmt.Fprintf(&text, "  [%d, %s] client %d: %s\n",
			op.Call, until, op.ClientId, f.model.DescribeOperation(op.Input, op.Output))
	}
	return text.String()
}

// lastingFolder makes a temporary folder that outlives the test.
func lastingFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "linear-")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// tally counts what was judged.
type tally struct {
	journals, histories, operations, illegal int

	counts map[string]int
	mu     sync.Mutex // for add
}

func newTally() *tally { return &tally{counts: map[string]int{}} }

func (y *tally) String() string {
	return fmt.Sprintf("linear: journals=%d histories=%d operations=%d not linearizable=%d",
		y.journals, y.histories, y.operations, y.illegal)
}

// add takes the counts of another tally over.
func (y *tally) add(z *tally) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.journals += z.journals
	y.histories += z.histories
	y.operations += z.operations
	y.illegal += z.illegal
	y.happened(z.counts)
}

func (y *tally) happened(counts map[string]int) {
	for what, n := range counts {
		y.counts[what] += n
	}
}

// need fails the test if one of these things never happened: then the histories
// show less than they claim to.
func (y *tally) need(t *testing.T, whats ...string) {
	t.Helper()
	for _, what := range whats {
		if y.counts[what] == 0 {
			t.Errorf("it never happened: %s; what did: %v", what, y.counts)
		}
	}
}
