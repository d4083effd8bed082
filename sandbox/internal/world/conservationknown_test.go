package world_test

// What the guard is known to sign, by kind: a test fails on more, in its default
// size. The numbers may only fall. They have a little room, as each new honest
// case of the corpus changes what is drawn.
var (
	knownOfBytes     = map[string]int{}
	knownOfSets      = map[string]int{}
	knownOfSequences = map[string]int{}
)
