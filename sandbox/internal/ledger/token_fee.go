package ledger

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// feeConfig is a view of a mint's transfer-fee extension: two authorities, what is withheld, and
// two fees, of which the newer counts from its epoch on.
type feeConfig []byte

const (
	feeConfigSize = 108
	olderFee      = 72
	newerFee      = 90
	wholeFee      = 10_000 // basis points

	slotsInEpoch = 432_000
)

// epoch is mainnet's number of the present epoch.
func (l *Ledger) epoch() uint64 { return l.Slot() / slotsInEpoch }

// fee returns the newer fee of a transfer of an amount: a share rounded up, at most a
// maximum.
func (f feeConfig) fee(amount uint64) uint64 { return f.feeOf(newerFee, amount) }

func (f feeConfig) feeAt(epoch, amount uint64) uint64 {
	if epoch < getUint64(f[newerFee:]) {
		return f.feeOf(olderFee, amount)
	}
	return f.fee(amount)
}

func (f feeConfig) feeOf(at int, amount uint64) uint64 {
	most, points := getUint64(f[at+8:]), uint64(binary.LittleEndian.Uint16(f[at+16:]))
	if points == 0 || amount == 0 {
		return 0
	}
	return min(mulDivUp(amount, points, wholeFee), most)
}

func (f feeConfig) setFee(at int, epoch, most uint64, points uint16) {
	putUint64(f[at:], epoch)
	putUint64(f[at+8:], most)
	binary.LittleEndian.PutUint16(f[at+16:], points)
}

func (f feeConfig) withheld() uint64     { return getUint64(f[64:]) }
func (f feeConfig) setWithheld(n uint64) { putUint64(f[64:], n) }

// feeOf returns the transfer-fee extension of a mint.
func feeOf(m Mint) (feeConfig, bool) {
	value := extension(m, extensionFeeConfig)
	return value, len(value) == feeConfigSize
}

// TransferFee is the part that a mint withholds of a transfer of an amount, in smallest
// units: 0 if it withholds nothing.
func TransferFee(m Mint, amount uint64) uint64 {
	config, ok := feeOf(m)
	if !ok {
		return 0
	}
	return config.fee(amount)
}

// Withheld returns the transfer fees that the account holds back until a
// harvest. An account with withheld fees cannot be closed.
func (t Token) Withheld() uint64 {
	held := extension(t, extensionFeeAmount)
	if held == nil {
		return 0
	}
	return getUint64(held)
}

// tokenFeeExtension carries out the instructions of transfer fees.
func tokenFeeExtension(x *Invocation, r *reader) {
	r.short = tokenUnread
	switch r.byte() {
	case 0:
		x.initializeFee(r)
	case 1:
		amount, decimals, fee := r.uint64(), r.byte(), r.uint64()
		x.need(4)
		r.rest = nil
		x.tokenTransfer(amount, r, &transferCheck{decimals, &fee})
	case 2:
		x.need(3)
		x.withdrawWithheld(nil, x.Accounts[3:])
	case 3:
		n := int(r.byte())
		x.need(3)
		split := max(3, len(x.Accounts)-n)
		FailIf(len(x.Accounts)-split < 0, errKeys)
		x.withdrawWithheld(x.Accounts[split:], x.Accounts[3:split])
	case 4:
		config := feeConfig(needExtension(x.mint(0), extensionFeeConfig))
		config.setWithheld(config.withheld() + x.harvest(1))
	case 5:
		x.setFee(r)
	default:
		panic(tokenInvalid)
	}
}

func (x *Invocation) initializeFee(r *reader) {
	config, withdraw := r.optionalKey(), r.optionalKey()
	points, most := r.uint16(), r.uint64()
	f := feeConfig(initExtension(x.fresh(0, mintSize, 45), extensionFeeConfig))
	putKey(f, config)
	putKey(f[32:], withdraw)
	FailIf(points > wholeFee, tokenFeeTooHigh)
	f.setFee(olderFee, x.epoch(), most, points)
	f.setFee(newerFee, x.epoch(), most, points)
}

func (x *Invocation) setFee(r *reader) {
	points, most := r.uint16(), r.uint64()
	x.need(2)
	f := feeConfig(needExtension(x.mint(0), extensionFeeConfig))
	FailIf(zeroed(f[:32]), tokenNoAuthority)
	x.authority(1, solana.PublicKey(f[:32]))
	FailIf(points > wholeFee, tokenFeeTooHigh)
	if getUint64(f[newerFee:]) <= x.epoch() {
		copy(f[olderFee:], f[newerFee:])
	}
	f.setFee(newerFee, x.epoch()+2, most, points)
}

// withdrawWithheld pays what the mint withheld, or some accounts, into an account. Accounts:
// mint, target, authority.
func (x *Invocation) withdrawWithheld(from, signers []Meta) {
	x.owned(0)
	x.owned(1)
	f := feeConfig(needExtension(x.mint(0), extensionFeeConfig))
	FailIf(zeroed(f[32:64]), tokenNoAuthority)
	x.authorityOf(2, solana.PublicKey(f[32:64]), signers)
	x.apart(1, 0, "extension/transfer_fee/processor.rs at 146:70")
	t := x.token(1)
	FailIf(t.Mint() != x.key(0), tokenMintMismatch)
	FailIf(t.Frozen(), tokenFrozen)
	amount := f.withheld()
	if x.Data[1] == 3 {
		amount = x.harvest(len(x.Accounts) - len(from))
	} else {
		f.setWithheld(0)
	}
	FailIf(t.Amount()+amount < amount, tokenOverflow)
	t.setAmount(t.Amount() + amount)
}

// harvest takes what the accounts from the i-th on withheld of the mint. It passes over others.
func (x *Invocation) harvest(i int) (sum uint64) {
	for ; i < len(x.Accounts); i++ {
		x.apart(i, 0, "extension/transfer_fee/processor.rs at 146:70")
		var t Token
		if attempt(func() { t = x.token(i) }) != nil || t.Mint() != x.key(0) || x.at(i).Owner != x.Program {
			x.spend(harvestUnits)
			x.Log("Error harvesting from " + x.key(i).String() + ": State is invalid for requested operation")
			continue
		}
		x.spend(harvestedUnits)
		if held := extension(t, extensionFeeAmount); held != nil {
			sum += getUint64(held)
			putUint64(held, 0)
		}
	}
	return sum
}
