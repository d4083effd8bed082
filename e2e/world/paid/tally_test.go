package paid

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// Tally counts keys, and what became of them.
type Tally struct {
	Keys      int
	Paid      int // once or more
	Twice     int
	False     int
	Unsettled int
	Told      int // of Provable, within 90 s
	Provable  int // truly expired, with a proof to be had
	NoProof   int // truly expired, without
	Requests  int // of all wallets
	Kinds     map[string]int
	Losses    []Loss // the first of them
}

// Loss is a payment too many or a false verdict, and where to find it.
type Loss struct {
	Seed uint64
	Key  int
	Kind string
	Text string
}

// mostLosses bounds what a tally remembers: a broken wallet loses at every
// step, and the counts are what matters then.
const mostLosses = 200

// Add adds what came of other runs.
func (t *Tally) Add(other Tally) {
	t.Keys += other.Keys
	t.Paid += other.Paid
	t.Twice += other.Twice
	t.False += other.False
	t.Unsettled += other.Unsettled
	t.Told += other.Told
	t.Provable += other.Provable
	t.NoProof += other.NoProof
	t.Requests += other.Requests
	for kind, n := range other.Kinds {
		if t.Kinds == nil {
			t.Kinds = map[string]int{}
		}
		t.Kinds[kind] += n
	}
	t.Losses = append(t.Losses, other.Losses...)
	t.Losses = t.Losses[:min(len(t.Losses), mostLosses)]
}

// enough is of how many transactions on a share of those told in time says
// something.
const enough = 200

// Late reports whether less than 99 % of enough transactions were told in time.
func (t Tally) Late() bool { return t.Provable >= enough && t.Told*100 < t.Provable*99 }

// Line is the line of a mode.
func (t Tally) Line(mode string) string {
	const form = "mode=%s keys=%d executed twice=%d false verdicts=%d unsettled=%d told within 90s=%d/%d no proof=%d"
	return fmt.Sprintf(form, mode, t.Keys, t.Twice, t.False, t.Unsettled, t.Told, t.Provable, t.NoProof)
}

// KindsLine names what was lost, empty if nothing was.
func (t Tally) KindsLine() string {
	text := ""
	for _, kind := range slices.Sorted(maps.Keys(t.Kinds)) {
		text += fmt.Sprintf(" %s=%d", kind, t.Kinds[kind])
	}
	return text
}

// Print writes the line of each mode and the closing line.
func Print(w io.Writer, modes []string, sums map[string]Tally) error {
	var all Tally
	for _, mode := range modes {
		if _, err := fmt.Fprintln(w, sums[mode].Line(mode)); err != nil {
			return err
		}
		all.Add(sums[mode])
	}
	_, err := fmt.Fprintf(w, "modes=%d keys=%d twice=%d false=%d\n", len(modes), all.Keys, all.Twice, all.False)
	return err
}
