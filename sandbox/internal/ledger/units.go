package ledger

import "github.com/gagliardetto/solana-go"

// The compute units of instructions by their first byte, measured on LiteSVM 1.5 with mainnet's
// programs, each when it succeeds in the plainest way.
var (
	tokenUnits = map[byte]uint64{
		0: 88, 1: 149, 2: 119, 3: 76, 4: 126, 5: 108, 6: 127, 7: 119, 8: 123, 9: 116, 10: 145, 11: 141, 12: 105,
		13: 163, 14: 161, 15: 126, 16: 168, 17: 201, 18: 235, 19: 233, 20: 201, 21: 183, 22: 38, 23: 190, 24: 370,
		38: 274, 45: 141, 255: 40,
	}
	token2022Units = map[byte]uint64{
		0: 1490, 1: 1895, 2: 915, 3: 1223, 4: 1122, 5: 860, 6: 957, 7: 1282, 8: 1371, 9: 1350, 10: 1152, 11: 1152,
		12: 1557, 13: 1407, 14: 1289, 15: 1378, 16: 1687, 17: 994, 18: 1567, 19: 1020, 20: 1277, 21: 820, 22: 734,
		23: 950, 24: 1400, 25: 945, 27: 925, 29: 1700, 31: 6413, 32: 820, 35: 860, 38: 1534, 45: 1210, 255: 500,
	}
	// The instructions of an extension have a second byte.
	extensionUnits = map[byte][]uint64{
		26: {1215, 2436, 1412, 1873, 1245, 1345}, 28: {899, 1077}, 30: {1094, 989}, 33: {1070, 1274}, 34: {1214, 1090},
		36: {918, 1086}, 39: {908, 1077}, 40: {904, 1078}, 41: {904, 1078}, 43: {1016, 1371}, 44: {1013, 1193, 1193},
	}
	// What the extensions of the mint cost more.
	mintUnits = map[byte]uint64{
		1: 346, 16: 346, 18: 346, 7: 245, 14: 245, 8: 301, 15: 301, 12: 301, 10: 78, 11: 78, 13: 76, 21: 300, 23: 185,
	}
	stakeUnits = map[byte]uint64{
		0: 7570, 1: 9600, 2: 11_850, 3: 9520, 4: 6240, 5: 8440, 6: 8600, 7: 9800, 8: 10_775, 9: 5293, 10: 9500,
		11: 10_800, 12: 8600, 13: 654,
	}
	tableUnits = map[byte]uint64{0: 10_142, 1: 1518, 2: 6352, 3: 3152, 4: 2234}
)

// What else costs units: each attempt at deriving an address, each signer of a memo and of a multisig that
// is made, an account that an instruction does not need.
const (
	deriveUnits   = 1500
	ataUnits      = 2_900
	createUnits   = 8_500
	recoverUnits  = 9_200
	extraUnits    = 15 // Token
	extra2022     = 207
	transferUnits = 48 // Token, whose transfer of three accounts takes a short cut
	batchUnits    = 30 // Token
	freezerUnits  = 14 // of a mint
	harvestUnits  = 1870
	resizeUnits   = 3000

	delegatedUnits = 2300 // of a stake that is delegated

	closeMintUnits = 107
	afterMemoUnits = 680
	parseUnits     = 2000 // of a number with a scale
	targetUnits    = 234  // Token-2022, of a transfer to another account
)

// unitsOf is about what an instruction uses, without those that it invokes.
func unitsOf(in Instruction) uint64 {
	tag := byte(255)
	if len(in.Data) > 0 {
		tag = in.Data[0]
	}
	n := uint64(len(in.Accounts))
	switch in.Program {
	case solana.SystemProgramID, solana.ComputeBudget:
		return 150
	case ed25519Program, solana.Secp256k1ProgramID, secp256r1Program:
		return 0
	case solana.TokenProgramID:
		return tokenUnits[tag] + tokenMore(tag, n, 18)
	case solana.Token2022ProgramID:
		return units2022(tag, in.Data) + tokenMore(tag, n, 221)
	case solana.StakeProgramID:
		return stakeUnits[tag]
	case solana.AddressLookupTableProgramID:
		return tableUnits[tag]
	case solana.SPLAssociatedTokenAccountProgramID:
		return ataUnits
	case memoPrograms[0], memoPrograms[1], memoPrograms[2]:
		return memoUnits(in.Program == memoPrograms[1], n, uint64(len(in.Data)))
	}
	return 12_000
}

// tokenMore returns the units of the signers of a multisig to be, and of the other accounts of Token's transfer.
func tokenMore(tag byte, accounts, signer uint64) uint64 {
	switch {
	case tag == 2 && accounts > 0:
		return signer * (accounts - 1)
	case tag == 19 && accounts > 0:
		return max(signer, 27) * (accounts - 1)
	case tag == 3 && accounts > 3 && signer < 100, tag == 12 && accounts > 4 && signer < 100:
		return transferUnits
	}
	return 0
}

// units2022 returns the units of an instruction of Token-2022. Data that names none costs units too.
func units2022(tag byte, data []byte) uint64 {
	if units, ok := token2022Units[tag]; ok {
		return units
	}
	if units, ok := extensionUnits[tag]; ok {
		if len(data) > 1 && int(data[1]) < len(units) {
			return units[data[1]]
		}
		return units[0]
	}
	return interfaceUnits(data)
}

// memoUnits returns the units of a memo. The first version reads its text byte by byte.
func memoUnits(first bool, signers, length uint64) uint64 {
	switch {
	case first && signers > 0:
		return 264 + 217*signers + 14*length
	case first:
		return 232 + 14*length
	case signers > 0 && length > 0:
		return 385 + 115*signers
	case signers > 0:
		return 343 + 115*signers
	case length > 0:
		return 274
	}
	return 232
}

// spend uses units, and stops the program if there are not as many.
func (x *Invocation) spend(units uint64) {
	x.units += units
	if x.units > x.limit {
		x.units = x.limit
		panic(outOfUnits(x.Program))
	}
}

// spendMore uses the units of the token programs for accounts beyond those that an instruction needs.
func (x *Invocation) spendMore(usual int) {
	units := uint64(extraUnits)
	if x.extended() {
		units = extra2022
	}
	x.spend(units * uint64(max(len(x.Accounts)-usual, 0)))
}
