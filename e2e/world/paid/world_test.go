package paid

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/walletfi/walletfi-go/internal/race"
)

var (
	flagMode   = flag.String("world.mode", "", "the modes to play, with commas between; empty plays all")
	flagSeeds  = flag.String("world.seeds", map[bool]string{false: "11-12", true: "12"}[race.Enabled], "the seeds of each mode, such as 7 or 1-20")
	flagKeys   = flag.Int("world.keys", map[bool]int{false: 33, true: 17}[race.Enabled], "the keys of each seed")
	flagOut    = flag.String("world.out", "", "a file that gets a line of JSON for each range")
	flagTold   = flag.Float64("world.told", 99, "the percent of what can be proven that must be told in time")
	flagStory  = flag.Bool("world.story", false, "tell the story of each run, shrunk or not")
	flagOnly   = flag.String("world.only", "", "of the keys of each seed, only these, with commas between")
	flagShrink = flag.Int("world.shrink", 1, "how many losing runs of each mode to shrink and tell the story of")
)

// TestWorld plays a range of seeds of each mode.
func TestWorld(t *testing.T) {
	from, to, err := seedRange(*flagSeeds)
	if err != nil {
		t.Fatal(err)
	}
	names := chosen(t)
	var mu sync.Mutex
	var ranges []Range
	t.Run("modes", func(t *testing.T) {
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				r := playRange(t, name, from, to, *flagKeys)
				mu.Lock()
				defer mu.Unlock()
				ranges = append(ranges, r)
			})
		}
	})
	slices.SortStableFunc(ranges, func(a, b Range) int {
		return slices.Index(names, a.Mode) - slices.Index(names, b.Mode)
	})
	list, sums, err := Sum(ranges)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != len(names) {
		t.Errorf("%d of %d modes came to an end", len(list), len(names))
	}
	summary = func() error { return Print(os.Stdout, list, sums) }
	if err := Late(list, sums, *flagTold); err != nil {
		t.Error(err)
	}
	if *flagOut != "" {
		if err := writeRanges(*flagOut, ranges); err != nil {
			t.Error(err)
		}
	}
}

// TestKnownLosses plays keys that were paid twice once, each alone in its world.
func TestKnownLosses(t *testing.T) {
	for _, was := range []struct {
		mode string
		seed uint64
		key  int
	}{
		{"hollow", 9142, 36}, // the blocks at the window's end were without transactions, and so was the payer's history
	} {
		m, _ := modeOf(was.mode)
		p := m.draw(was.seed, 40)
		p.Keys = []int{was.key}
		tally, _ := perform(t, p)
		if tally.Keys != 1 || len(tally.Losses) > 0 {
			t.Errorf("%s %d, key %d: %d keys, %v", was.mode, was.seed, was.key, tally.Keys, tally.Losses)
		}
	}
}

// chosen are the modes that the flags name.
func chosen(t *testing.T) (names []string) {
	if *flagMode != "" {
		for name := range strings.SplitSeq(*flagMode, ",") {
			if _, ok := modeOf(name); !ok {
				t.Fatalf("there is no mode %q", name)
			}
			names = append(names, name)
		}
		return names
	}
	for _, m := range modes {
		names = append(names, m.name)
	}
	return names
}

// seedRange reads "7" or "1-20".
func seedRange(text string) (from, to uint64, err error) {
	if n, _ := fmt.Sscanf(text, "%d-%d", &from, &to); n == 1 {
		to = from
	}
	if from == 0 || to < from {
		return 0, 0, fmt.Errorf("%q is no range of seeds", text)
	}
	return from, to, nil
}

// playRange plays the seeds of a mode one after another.
func playRange(t *testing.T, name string, from, to uint64, keys int) Range {
	m, _ := modeOf(name)
	r := Range{Mode: name, From: from, To: to, Each: keys}
	shrunk := 0
	for seed := from; seed <= to; seed++ {
		p := m.draw(seed, keys)
		p.Keys = only(p.Keys)
		if *flagStory {
			p.World.TraceLines = storyLines
		}
		tally, story := perform(t, p)
		if tally.Keys != len(p.Keys) || tally.Keys == 0 {
			t.Errorf("seed %d: %d keys of %d were played", seed, tally.Keys, len(p.Keys))
		}
		if *flagStory {
			t.Log(tell(p, p, tally.Losses, story))
		}
		r.Add(tally)
		for _, l := range tally.Losses {
			t.Errorf("seed %d: %s: %s", seed, l.Kind, l.Text)
		}
		if len(tally.Losses) > 0 && shrunk < *flagShrink {
			shrunk++
			small, lost, story := shrink(t, p, tally.Losses[0].Kind)
			t.Error("the shortest run that loses:\n" + tell(p, small, lost, story))
		}
	}
	if r.Paid == 0 {
		t.Error("no key was paid: the run shows nothing")
	}
	return r
}

// only leaves the keys that the flags name.
func only(keys []int) (left []int) {
	if *flagOnly == "" {
		return keys
	}
	for _, k := range keys {
		if slices.Contains(strings.Split(*flagOnly, ","), fmt.Sprint(k)) {
			left = append(left, k)
		}
	}
	return left
}

// writeRanges adds ranges to a file, one a line.
func writeRanges(name string, ranges []Range) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	out := json.NewEncoder(f)
	for _, r := range ranges {
		if err := out.Encode(r); err != nil {
			f.Close()
			return err
		}
	}
	return f.Close()
}

// summary prints the lines of TestWorld, as the last thing that is printed.
var summary = func() error { return nil }

// TestMain lets garbage wait: a world is thrown away whole.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	code := m.Run()
	if err := summary(); err != nil {
		code = 1
	}
	os.Exit(code)
}
