package world_test

// What the guard is known to sign, by kind: a test fails on more, in its default
// size. The numbers may only fall. They have a little room, as each new honest
// case of the corpus changes what is drawn.
var (
	knownOfBytes     = map[string]int{sponsorFee: 700}
	knownOfSets      = map[string]int{beyondReach: 8, secondTip: 5, sponsorFee: 600}
	knownOfSequences = map[string]int{secondTip: 4, sponsorFee: 200}
)
