package linear

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
)

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
