package linear

import (
	"fmt"
	"sync"
	"testing"
)

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
