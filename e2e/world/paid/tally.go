package paid

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Range is what came of the runs of one mode over a range of seeds.
type Range struct {
	Mode string `json:"mode"`
	From uint64 `json:"from"` // the first seed
	To   uint64 `json:"to"`   // the last seed
	Each int    `json:"each"` // keys a seed
	Tally
}

// Tally counts keys, and what became of them.
type Tally struct {
	Keys      int            `json:"keys"`
	Paid      int            `json:"paid"` // once or more
	Twice     int            `json:"twice"`
	False     int            `json:"false"`
	Unsettled int            `json:"unsettled"`
	Told      int            `json:"told"`     // of Provable, within 90 s
	Provable  int            `json:"provable"` // truly expired, with a proof to be had
	NoProof   int            `json:"noProof"`  // truly expired, without
	Requests  int            `json:"requests"` // of all wallets
	Kinds     map[string]int `json:"kinds,omitempty"`
	Losses    []Loss         `json:"losses,omitempty"` // the first of them
}

// Loss is a payment too many or a false verdict, and where to find it.
type Loss struct {
	Seed uint64 `json:"seed"`
	Key  int    `json:"key"`
	Kind string `json:"kind"`
	Text string `json:"text,omitempty"`
}

// mostLosses bounds what a range remembers: a broken wallet loses at every
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

// Unasked says of a mode why it is not asked that most of what can be proven is told in time.
// Of all other modes it is asked.
var Unasked = map[string]string{
	"mixup":    "its front gives answers to others than those who asked, so that it is chance which turn ends in a proof",
	"unheard":  "some of its nodes lie, and the others hardly show blocks",
	"turns":    "each request goes to a node of another age and store, so that it is chance which turn ends in a proof",
	"advanced": "as turns",
	"mixed":    "it draws liars and all faults at once, so that it is chance which turn ends in a proof",
}

// Late is an error that names the modes of which less than so many percent were told in time, of those of
// which that is asked and with enough to be told. 0 percent asks for nothing.
func Late(modes []string, sums map[string]Tally, percent float64) error {
	var late []error
	for _, mode := range modes {
		t := sums[mode]
		if Unasked[mode] == "" && t.Provable >= enough && float64(t.Told)*100 < percent*float64(t.Provable) {
			late = append(late, fmt.Errorf("mode %s: %d of %d were told within 90 s, which is less than %v %%",
				mode, t.Told, t.Provable, percent))
		}
	}
	return errors.Join(late...)
}

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

// Sum adds ranges up by mode, in the order in which the modes first appear. It
// refuses ranges that count the same seed of a mode twice, and ranges without
// keys, which would say that all is well without having looked.
func Sum(ranges []Range) (modes []string, sums map[string]Tally, err error) {
	if len(ranges) == 0 {
		return nil, nil, errors.New("no ranges")
	}
	sums = map[string]Tally{}
	taken := map[string][]Range{}
	for _, r := range ranges {
		if r.Keys == 0 || r.To < r.From {
			return nil, nil, fmt.Errorf("mode %s, seeds %d-%d: no keys", r.Mode, r.From, r.To)
		}
		for _, other := range taken[r.Mode] {
			if r.From <= other.To && other.From <= r.To {
				return nil, nil, fmt.Errorf("mode %s: seeds %d-%d and %d-%d overlap",
					r.Mode, r.From, r.To, other.From, other.To)
			}
		}
		if taken[r.Mode] == nil {
			modes = append(modes, r.Mode)
		}
		taken[r.Mode] = append(taken[r.Mode], r)
		sum := sums[r.Mode]
		sum.Add(r.Tally)
		sums[r.Mode] = sum
	}
	return modes, sums, nil
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

// Read reads ranges, one a line.
func Read(r io.Reader) ([]Range, error) {
	var ranges []Range
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var one Range
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		ranges = append(ranges, one)
	}
	return ranges, lines.Err()
}
