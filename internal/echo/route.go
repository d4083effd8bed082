package echo

import "fmt"

// Step is the trade of one mint for another, a part of a route.
type Step struct{ In, Out string }

// Route compares the ends of a route with the mints that were asked for. The
// steps may be in any order and may share the amount between several paths. A
// mint that no step produces must be the input; a mint that no step takes must
// be the output; and a step must take the input, and one produce the output.
// Steps that do not name their mints contradict nothing.
func Route(field, input, output string, steps []Step) error {
	input, output = plainMint(input), plainMint(output)
	taken, made := map[string]bool{}, map[string]bool{}
	for _, s := range steps {
		if s.In == "" || s.Out == "" {
			return nil
		}
		taken[plainMint(s.In)], made[plainMint(s.Out)] = true, true
	}
	if len(steps) == 0 {
		return nil
	}
	for i, s := range steps {
		in, out := plainMint(s.In), plainMint(s.Out)
		if in != input && !made[in] || out != output && !taken[out] {
			return That(false, fmt.Sprintf("%s[%d]", field, i), input+" to "+output, s.In+" to "+s.Out)
		}
	}
	if !taken[input] || !made[output] {
		return That(false, field, input+" to "+output, steps[0].In+" to "+steps[len(steps)-1].Out)
	}
	return nil
}
