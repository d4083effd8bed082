package main

import (
	"errors"
	"regexp"
	"slices"
)

var place = regexp.MustCompile(`"InstructionError":\[\d+,`)

// withoutPlace is a class with no place of an instruction in it.
func withoutPlace(class string) string { return place.ReplaceAllString(class, `"InstructionError":[`) }

// shrink looks for the fewest instructions that still differ in the same way. Each attempt
// has a world of its own.
func shrink(folder string, o outcome) (outcome, error) {
	if o.setup != "" {
		return o, nil // the two differ in its setup
	}
	best := o
	for at := len(o.all) - 1; at >= 0 && len(o.all)-len(best.trial.without) > 1; at-- {
		t := best.trial
		t.without = append(slices.Clone(t.without), at)
		w, err := newWorld(folder)
		if err != nil {
			return o, err
		}
		smaller, err := w.judge(t)
		w.close()
		if err != nil && !errors.Is(err, errGone) {
			return o, err
		}
		if withoutPlace(smaller.class) == withoutPlace(o.class) && smaller.setup == "" {
			best = smaller
		}
	}
	return best, nil
}
