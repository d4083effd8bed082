package ledger

import (
	"slices"

	"github.com/gagliardetto/solana-go"
)

// The compute units of instructions by their first byte, measured on LiteSVM 1.5 with mainnet's
// programs, each when it succeeds in the plainest way.
var (
	tokenUnits = map[byte]uint64{
		0: 88, 1: 149, 2: 119, 3: 76, 4: 126, 5: 108, 6: 122, 7: 119, 8: 123, 9: 116, 10: 145, 11: 141, 12: 105,
		13: 163, 14: 161, 15: 126, 16: 168, 17: 201, 18: 235, 19: 240, 20: 201, 21: 183, 22: 38, 23: 190, 24: 370,
		38: 274, 45: 141, 255: 40,
	}
	token2022Units = map[byte]uint64{
		0: 1490, 1: 1895, 2: 915, 3: 1410, 4: 1122, 5: 860, 6: 957, 7: 1282, 8: 1371, 9: 1350, 10: 1152, 11: 1152,
		12: 1744, 13: 1407, 14: 1289, 15: 1378, 16: 1687, 17: 994, 18: 1567, 19: 1020, 20: 1277, 21: 820, 22: 734,
		23: 795, 24: 600, 25: 945, 27: 925, 29: 1700, 31: 6413, 32: 820, 35: 860, 38: 1534, 45: 1210, 255: 500,
	}
	// The instructions of an extension have a second byte.
	extensionUnits = map[byte][]uint64{
		26: {1215, 2623, 1412, 1470, 842, 1345}, 28: {899, 1077}, 30: {1094, 989}, 33: {1070, 1274}, 34: {1214, 1090},
		36: {918, 1086}, 39: {908, 1077}, 40: {904, 1078}, 41: {904, 1078}, 43: {1016, 1371}, 44: {1013, 1193, 1193},
	}
	// What the extensions of the mint cost more.
	mintUnits = map[byte]uint64{
		1: 346, 16: 346, 18: 346, 7: 245, 14: 245, 8: 301, 15: 301, 12: 301, 10: 78, 11: 78, 13: 76, 21: 239, 23: 185,
		24: 185,
	}
	// What each extension of a token account costs more.
	accountUnits = map[byte]uint64{4: 54, 6: 54, 9: 216, 12: 130, 13: 54}
	stakeUnits   = map[byte]uint64{
		0: 7570, 1: 9500, 2: 11_630, 3: 9520, 4: 6240, 5: 8540, 6: 8425, 7: 9300, 8: 10_775, 9: 5293, 10: 9280,
		11: 10_530, 12: 8425, 13: 654,
	}
	tableUnits = map[byte]uint64{0: 3500, 1: 1518, 2: 6352, 3: 3152, 4: 2234}

	// How many accounts the instructions of two programs need, for each of which the programs use units.
	stakeAccounts = map[byte]uint64{0: 2, 1: 3, 2: 6, 3: 3, 4: 5, 5: 3, 6: 2, 7: 5, 8: 3, 9: 4, 10: 4, 11: 4, 12: 2}
	tableAccounts = map[byte]uint64{0: 4, 1: 2, 2: 4, 3: 2, 4: 3}
)

// What else costs units: each attempt at deriving an address, each signer of a memo and of a multisig that
// is made, an account that an instruction does not need.
const (
	deriveUnits   = 1500
	ataUnits      = 2_900
	createUnits   = 8_500
	recoverUnits  = 9_200
	extraStake    = 198
	extraTable    = 162
	newTableUnits = 6642 // a table that is not there yet
	heapUnits     = 8    // each 32 KiB of heap after the first

	delegatedUnits   = 2190 // of a stake that is delegated
	redelegatedUnits = 1200 // the same where its state of activation is asked for alone
	mergedUnits      = 4500 // of a merge into a stake that counts
	custodianUnits   = 450
)

// Of Token, whose transfer of no more accounts than it needs takes a short cut.
const (
	extraUnits    = 9
	transferUnits = 54 // a transfer that takes the long way
	checkedUnits  = 44 // the same, checked
	delegateUnits = 7
	batchUnits    = 30
	freezerUnits  = 14 // of a mint
)

// Of Token-2022.
const (
	extra2022      = 207
	repeatedUnits  = 187 // less, of an account that is listed again
	targetUnits    = 47  // of a transfer to another account
	sizedUnits     = 195 // of the size of an account with extensions, and of each of them
	sizedEach      = 49
	boundUnits     = 270 // of tokens that stay where they are made
	harvestedUnits = 196
	harvestUnits   = 2056 // of an account in which there is nothing to harvest
	feeUnits       = 186  // of a transfer of which a fee is withheld
	feeAmountUnits = 200
	resizeUnits    = 3000
	fieldUnits     = 1050 // of a field that has a value already
	closeMintUnits = 107
	afterMemoUnits = 680
	ownerUnits     = 64 // of another owner
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
		units := units2022(tag, in.Data) + tokenMore(tag, n, 221)
		if tag == 255 { // a batch
			return units
		}
		return units - min(units, repeatedUnits*repeated(in.Accounts))
	case solana.StakeProgramID:
		return stakeUnits[tag] + extraStake*(max(n, stakeAccounts[tag])-stakeAccounts[tag])
	case solana.AddressLookupTableProgramID:
		return tableUnits[tag] + extraTable*(max(n, tableAccounts[tag])-tableAccounts[tag])
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
		return max(signer, 20) * (accounts - 1)
	case tag == 3 && accounts > 3 && signer < 100:
		return transferUnits
	case tag == 12 && accounts > 4 && signer < 100:
		return checkedUnits
	}
	return 0
}

// repeated counts the accounts that are listed before.
func repeated(all []Meta) (n uint64) {
	for i, m := range all {
		if slices.ContainsFunc(all[:i], func(before Meta) bool { return before.Key == m.Key }) {
			n++
		}
	}
	return n
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

// tokenAccounts are how many accounts an instruction needs that looks for them one by one, those of an extension
// by their second byte.
var tokenAccounts = map[byte][]int{
	1: {4}, 5: {2}, 16: {3}, 26: {1, 4, 3, 3, 1, 2}, 27: {1}, 28: {1, 2}, 29: {4}, 30: {2, 2}, 33: {1, 2},
	34: {2, 2}, 36: {1, 2}, 39: {1, 2}, 40: {1, 2}, 41: {1, 2}, 43: {1, 2}, 44: {1, 2, 2}, 45: {3},
}

// usual returns how many accounts the instruction needs by tokenAccounts, 0 if it is not there.
func (x *Invocation) usual() int {
	all := tokenAccounts[x.Data[0]]
	at := 0
	if len(all) > 1 && len(x.Data) > 1 {
		at = int(x.Data[1])
	}
	if at >= len(all) {
		return 0
	}
	return all[at]
}

// knownTag refuses an instruction of an extension whose second byte is none.
func (x *Invocation) knownTag() {
	all := tokenAccounts[x.Data[0]]
	FailIf(len(all) > 1 && len(x.Data) > 1 && int(x.Data[1]) >= len(all), tokenInvalid)
}

// spendMore uses the units of the token programs for accounts beyond those that an instruction needs.
func (x *Invocation) spendMore(usual int) {
	units := uint64(extraUnits)
	if x.extended() {
		units = extra2022
	}
	x.spend(units * uint64(max(len(x.Accounts)-usual, 0)))
}

// spendOnSigners uses the units of looking for the signers of a multisig.
func (x *Invocation) spendOnSigners(n int) {
	least, each := uint64(93), uint64(39)
	if x.extended() {
		least, each = 105, 45
	}
	x.spend(least + each*uint64(n))
}

// spendFee uses the units of a transfer fee. An instruction that states the fee has them in its own.
func (x *Invocation) spendFee(amount uint64, stated bool) {
	if stated {
		return
	}
	x.spend(feeUnits)
	if amount > 0 {
		x.spend(feeAmountUnits)
	}
}

// spendOnHeap uses the units of the memory that the transaction asked for. Each program gets its own.
func (x *Invocation) spendOnHeap() {
	units := heapUnits * ((x.heap+leastHeap-1)/leastHeap - 1)
	if builtin(x.Program) || units == 0 {
		return
	}
	enough := attempt(func() { x.spend(units) }) == nil
	x.failSaying(!enough, errNoHeap, "Failed to create SBF VM: Computational budget exceeded")
}

// idleUnits returns the units that Token uses more where it moves nothing: most to the same account, by the short way.
func idleUnits(self, short bool) uint64 {
	switch {
	case self && short:
		return 48
	case self:
		return 0
	}
	return 18
}
