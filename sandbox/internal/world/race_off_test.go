//go:build !race

package world_test

const underRace = false
