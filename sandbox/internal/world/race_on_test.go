//go:build race

package world_test

// underRace: the detector makes the long tests several times as long, so that
// they take a sample there.
const underRace = true
