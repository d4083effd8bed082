package hostile

import (
	"flag"
	"maps"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/calls"
	"github.com/walletfi/walletfi-go/internal/race"
)

var (
	entire = flag.Bool("hostile.all", false, "lie about every member, and not about a sample")
	update = flag.Bool("hostile.update", false, "write testdata/open.txt; implies -hostile.all")
	found  = flag.String("hostile.found", "", "a file for what was believed, the worst first")
	seed   = flag.Uint64("hostile.seed", uint64(time.Now().YearDay()), "which sample is taken")
)

// mostBelieved is at how many places a lie may be believed, each for a reason that is stated.
const mostBelieved = 50

// sampleOf is how many samples there are, each a part of the members.
var sampleOf = map[bool]uint64{false: 6, true: 60}[race.Enabled]

// TestHostile gives each call its honest answer with one member spoiled, and each member's
// turn. What is believed has to be open or stated. See the package's comment.
func TestHostile(t *testing.T) {
	j := newJudge(newOracle(t, documented))
	all := *entire || *update
	if !all {
		j.some = sampled(*seed, sampleOf)
	}
	operations := map[string]bool{}
	for shape := range 2 {
		j.known = maps.Clone(j.met)
		for _, r := range append(calls.Record(t, shape+1), deliveries()...) {
			operations[r.Op] = true
			j.row(t.Context(), r)
		}
	}
	if *update {
		j.write(t)
	}
	if *found != "" {
		require.NoError(t, os.WriteFile(*found, []byte(j.report(len(j.believed))), 0o644))
	}
	reasoned, open := j.ratchet(t, all)
	require.LessOrEqual(t, len(j.believed), mostBelieved)
	if all {
		for _, r := range j.oracle.rules {
			if r.fits == 0 {
				t.Errorf("the oracle's line %s %s fits no member", r.op, r.path)
			}
		}
	}
	t.Logf("by class:\n%s", j.report(0))
	t.Logf("seed %d, %d methods, %d places, of which open=%d", *seed, len(operations), len(j.tested), open)
	t.Logf("calls=%d members=%d answers=%d believed=%d stated=%d",
		calls.Routes, j.members, j.answers, len(j.believed), reasoned)
}
