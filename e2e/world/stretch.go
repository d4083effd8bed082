package world

import (
	"cmp"
	"slices"
)

// stretch is a stretch of time in which a proof can be had; it ends at until
// unless that is endless.
type stretch struct {
	from, until int64
	takes       int64
	shown       int64
	ok          bool
	reason      string
}

// endless is the end of a stretch that has none.
const endless = int64(1) << 62

// refuted is no stretch, and never a list of it alone; they say why.
func refuted(reason string) stretch { return stretch{reason: reason} }

func never(reason string) []stretch { return []stretch{refuted(reason)} }

// both are the stretches in which two nodes can prove, of which each needs the other. The lists are in order.
func both(a, b []stretch) (list []stretch) {
	for _, x := range a {
		for _, y := range b {
			s := stretch{
				from: max(x.from, y.from), until: min(x.until, y.until), takes: max(x.takes, y.takes),
				ok: true, reason: y.reason,
			}
			if s.from < s.until {
				list = append(list, s)
			}
		}
	}
	return list
}

// most are the stretches in which at least so many endpoints can prove, each of which has a list of its own.
func most(need int, endpoints [][]stretch) (list []stretch) {
	all := slices.Concat(endpoints...)
	slices.SortStableFunc(all, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	over := int64(-1) // until when the last of the list lasts
	for _, s := range all {
		var able []stretch
		for _, o := range all {
			if o.from <= s.from && s.from < o.until {
				able = append(able, o)
			}
		}
		if s.from <= over || len(able) < need {
			continue
		}
		over = lasts(need, all, s.from)
		one := stretch{from: s.from, until: over, shown: endless, ok: true, reason: able[0].reason}
		for _, o := range able[:need] {
			one.takes, one.shown = max(one.takes, o.takes), min(one.shown, o.shown)
		}
		list = append(list, one)
	}
	return list
}

// lasts is until when, from a moment on, so many stretches hold at once.
func lasts(need int, all []stretch, at int64) int64 {
	for at < endless {
		var ends []int64
		for _, s := range all {
			if s.from <= at && at < s.until {
				ends = append(ends, s.until)
			}
		}
		if len(ends) < need {
			return at
		}
		slices.Sort(ends)
		at = ends[len(ends)-need]
	}
	return at
}
