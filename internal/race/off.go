//go:build !race

// Package race says whether the race detector is on, whose allocations are not the
// code's: tests that count memory allow for them.
package race

// Enabled reports whether the race detector is on.
const Enabled = false

// Factor is by how much the detector multiplies what a test may allocate.
const Factor = 1
