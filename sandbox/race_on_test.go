//go:build race

package sandbox_test

// slower is how much less is done with the race detector on.
const slower = 10
