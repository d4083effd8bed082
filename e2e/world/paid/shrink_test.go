package paid

import (
	"slices"
	"testing"
)

// tries is how often a smaller run is played before it counts as one that
// does not lose: goroutines that wake at the same instant run in any order.
const tries = 2

// storyLines bounds a story.
const storyLines = 1_000_000

// mostPlays bounds the runs of one shrinking.
const mostPlays = 150

// shrinker makes a losing plan smaller while it loses.
type shrinker struct {
	loses func(plan) bool
	plays int
}

// holds reports whether a plan loses still.
func (s *shrinker) holds(p plan) bool {
	for range tries {
		if s.plays >= mostPlays {
			return false
		}
		s.plays++
		if s.loses(p) {
			return true
		}
	}
	return false
}

// shrink makes a plan smaller: fewer keys first, then one thing after another
// switched off, and fewer keys again.
func (s *shrinker) shrink(p plan) plan {
	p = s.fewer(p)
	for _, k := range p.knobs() {
		smaller := p.clone()
		k.off(&smaller)
		if s.holds(smaller) {
			p = smaller
		}
	}
	return s.fewer(p)
}

// fewer leaves out halves of the keys, then quarters, down to single ones.
func (s *shrinker) fewer(p plan) plan {
	for part := (len(p.Keys) + 1) / 2; part > 0 && len(p.Keys) > 1; part /= 2 {
		for from := 0; from < len(p.Keys) && len(p.Keys) > 1; {
			smaller := p.clone()
			smaller.Keys = slices.Delete(smaller.Keys, from, min(from+part, len(smaller.Keys)))
			if len(smaller.Keys) > 0 && s.holds(smaller) {
				p = smaller
				continue
			}
			from += part
		}
	}
	return p
}

// shrink makes a losing run smaller and plays the smallest once more, with
// its story.
func shrink(t *testing.T, p plan, kind string) (small plan, lost []Loss, story []string) {
	s := &shrinker{loses: func(p plan) bool {
		tally, _ := perform(t, p)
		return slices.ContainsFunc(tally.Losses, func(l Loss) bool { return l.Kind == kind })
	}}
	small = s.shrink(p)
	small.World.TraceLines = storyLines
	for range 2 * tries {
		var tally Tally
		tally, story = perform(t, small)
		if lost = tally.Losses; len(lost) > 0 {
			break
		}
	}
	return small, lost, story
}
