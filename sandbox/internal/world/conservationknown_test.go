package world_test

// What the guard is known to sign, by kind: a test fails on more, in its default
// size. The numbers may only fall. They have a little room, as each new honest
// case of the corpus changes what is drawn.
var (
	knownOfBytes = map[string]int{sponsorFee: 700}
	knownOfSets  = map[string]int{
		aboveCaps: 20, beyondReach: 12, powers: 30, secondTip: 6, sponsorFee: 700, blind: 650, unproved: 1800,
	}
	knownOfSequences = map[string]int{
		aboveCaps: 15, powers: 20, secondTip: 6, sponsorFee: 260, blind: 450, unproved: 850,
	}
)
