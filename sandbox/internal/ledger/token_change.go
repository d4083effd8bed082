package ledger

import (
	"encoding/binary"
	"math"

	"github.com/gagliardetto/solana-go"
)

// permanent is who may move what anyone holds of a mint, zero for nobody.
func (m Mint) permanent() (k solana.PublicKey) {
	copy(k[:], extension(m, extensionPermanent))
	return k
}

func (m Mint) refusePaused() {
	v := extension(m, extensionPausable)
	FailIf(v != nil && v[32] != 0, tokenPaused)
}

// changeInitialize writes an extension of a mint to be that is as long as its data.
func changeInitialize(x *Invocation, r *reader) {
	kind, tags := uint16(extensionPermanent), 1
	switch x.Data[0] {
	case 25:
		key := r.optionalKey()
		putKey(x.begin(extensionCloseMint), key)
		return
	case 27:
		FailIf(r.tag() != 0, ErrData)
		kind, tags = extensionConfidential, 2
	case 32:
		x.begin(extensionSoulbound)
		return
	}
	FailIf(len(x.Data) != tags+extensionKinds[kind].length, ErrData)
	v := x.begin(kind)
	FailIf(kind == extensionPermanent && zeroed(r.rest), errArgument)
	copy(v, r.rest)
}

// begin begins an extension of the first account, which becomes a mint.
func (x *Invocation) begin(kind uint16) []byte {
	x.need(1)
	return initExtension(x.fresh(0, mintSize, 45), kind)
}

// tag reads which of an extension's instructions it is.
func (r *reader) tag() byte {
	tag := r.byte()
	r.short = ErrData
	return tag
}

// changePointer points an extension of a mint at an address: at a hook's program, at metadata,
// at a group or a member.
func changePointer(x *Invocation, r *reader) {
	kind := map[byte]uint16{
		36: extensionHook, 39: extensionMetadataPointer, 40: extensionGroupPointer, 41: extensionMemberPointer,
	}[x.Data[0]]
	switch r.tag() {
	case 0:
		authority, address := r.array32(), r.array32()
		x.end(r)
		x.owned(0)
		none := zeroed(authority[:]) && zeroed(address[:])
		if none && kind >= extensionGroupPointer {
			x.fresh(0, mintSize, 45)
			panic(tokenInvalid)
		}
		v := x.begin(kind)
		copy(v, authority[:])
		FailIf(kind == extensionHook && address == x.Program, errProgram)
		FailIf(none, tokenInvalid)
		copy(v[32:], address[:])
	case 1:
		address := r.array32()
		x.end(r)
		v := x.extensionOf(kind)
		FailIf(kind == extensionHook && address == x.Program, errProgram)
		copy(v[32:], address[:])
	default:
		panic(tokenInvalid)
	}
}

// extensionOf is an extension of the first account, a mint, whose authority, the second, signs.
func (x *Invocation) extensionOf(kind uint16) []byte {
	x.need(2)
	x.owned(0)
	v := needExtension(x.mint(0), kind)
	missing := tokenNoAuthority
	if kind == extensionPausable {
		missing = tokenAuthorityType
	}
	FailIf(zeroed(v[:32]), missing)
	x.authority(1, solana.PublicKey(v[:32]))
	return v
}

// changeDefaultState says in which state accounts begin.
func changeDefaultState(x *Invocation, r *reader) {
	r.short = tokenUnread
	tag, state := r.byte(), r.byte()
	FailIf(len(r.rest) > 0 || tag > 1 || state > stateFrozen, tokenUnread)
	FailIf(state == stateNone, tokenState)
	if tag == 0 {
		x.owned(0)
		x.begin(extensionState)[0] = state
		return
	}
	x.need(2)
	x.owned(0)
	m := x.mint(0)
	authority, ok := m.FreezeAuthority()
	FailIf(!ok, tokenNoAuthority)
	x.authority(1, authority)
	needExtension(m, extensionState)[0] = state
}

// changeToggle turns an extension of an account on or off: that transfers to it need a memo,
// or that programs cannot use its owner's signature.
func (x *Invocation) changeToggle(r *reader, kind uint16) {
	tag := r.tag()
	x.need(2)
	t := x.token(0)
	x.authority(1, t.Owner())
	FailIf(kind == extensionGuard && x.depth > 1, tokenGuardSettings)
	v := extension(t, kind)
	if v == nil {
		v = initExtension(t, kind)
	}
	v[0] = 1 - tag
}

// An interest-bearing mint: authority, time of its making, average rate before the last update,
// time of that, rate since. The rates are basis points a year.
func changeInterest(x *Invocation, r *reader) {
	now := uint64(x.clock.Now().Unix())
	switch r.tag() {
	case 0:
		authority, rate := r.array32(), r.uint16()
		x.end(r)
		v := x.begin(extensionInterest)
		copy(v, authority[:])
		putUint64(v[32:], now)
		binary.LittleEndian.PutUint16(v[40:], rate)
		putUint64(v[42:], now)
		binary.LittleEndian.PutUint16(v[50:], rate)
	case 1:
		rate := r.uint16()
		x.end(r)
		v := x.extensionOf(extensionInterest)
		begun, updated := int64(getUint64(v[32:])), int64(getUint64(v[42:]))
		rateAt := func(at int) int64 { return int64(int16(binary.LittleEndian.Uint16(v[at:]))) }
		present := rateAt(50)
		average := present // of no time at all
		if whole := int64(now) - begun; whole > 0 {
			average = (rateAt(40)*(updated-begun) + present*(int64(now)-updated)) / whole
		}
		binary.LittleEndian.PutUint16(v[40:], uint16(average))
		putUint64(v[42:], now)
		binary.LittleEndian.PutUint16(v[50:], rate)
	default:
		panic(tokenInvalid)
	}
}

// A mint whose amounts are shown multiplied: authority, multiplier, the time from which the next
// counts, the next.
func changeScale(x *Invocation, r *reader) {
	valid := func(n uint64) bool {
		v := math.Float64frombits(n)
		return n>>63 == 0 && v >= 0x1p-1022 && !math.IsInf(v, 0)
	}
	switch r.tag() {
	case 0:
		authority, multiplier := r.array32(), r.uint64()
		x.end(r)
		x.owned(0)
		v := x.begin(extensionScaled)
		copy(v, authority[:])
		FailIf(!valid(multiplier), tokenScale)
		putUint64(v[32:], multiplier)
		putUint64(v[48:], multiplier)
	case 1:
		multiplier, since := r.uint64(), int64(r.uint64())
		x.end(r)
		v, now := x.extensionOf(extensionScaled), x.clock.Now().Unix()
		FailIf(!valid(multiplier), tokenScale)
		if now >= int64(getUint64(v[40:])) {
			copy(v[32:40], v[48:56])
		}
		putUint64(v[48:], multiplier)
		putUint64(v[40:], uint64(max(since, 0)))
		if now >= since {
			putUint64(v[32:], multiplier)
		}
	default:
		panic(tokenInvalid)
	}
}

func changePause(x *Invocation, r *reader) {
	switch tag := r.tag(); tag {
	case 0:
		authority := r.array32()
		x.end(r)
		x.owned(0)
		v := x.begin(extensionPausable)
		FailIf(zeroed(authority[:]), errArgument)
		copy(v, authority[:])
	case 1, 2:
		x.extensionOf(extensionPausable)[32] = 2 - tag
	default:
		panic(tokenInvalid)
	}
}

// What the instructions of confidential transfers, of their fees and of confidential supplies need that ask for no
// proof: accounts, of which the first is a token account or a mint with an extension, 0 where the second comes first.
// No mint or account here has it.
var confidential = map[[2]byte]struct {
	accounts int
	kind     uint16
}{
	{27, 3}: {3, 5}, {27, 14}: {3, 0}, {27, 9}: {2, 5}, {27, 10}: {2, 5}, {27, 11}: {2, 5}, {27, 12}: {2, 5},
	{37, 3}: {1, 16}, {37, 4}: {2, 16}, {37, 5}: {2, 16}, {42, 5}: {1, 24},
}

// tokenConfidential refuses the instructions of an extension that is not modelled, all but the one that begins
// confidential transfers of a mint. most is the greatest second byte.
func tokenConfidential(most byte) func(*Invocation, *reader) {
	return func(x *Invocation, r *reader) {
		tag := r.byte()
		FailIf(tag > most, tokenInvalid)
		switch wants, ok := confidential[[2]byte{x.Data[0], tag}]; {
		case x.Data[0] == 27 && tag == 0:
			changeInitialize(x, &reader{rest: x.Data[1:], short: r.short})
		case x.Data[0] == 37 && tag == 0 && len(r.rest) == 64:
			v := x.begin(16)
			copy(v, r.rest)
			v[64] = 1 // anybody may harvest
		case !ok:
			panic(ErrData)
		default:
			x.need(wants.accounts)
			x.confidential(wants.kind)
		}
	}
}

// confidential fails with what is wrong with the accounts.
func (x *Invocation) confidential(kind uint16) {
	if kind == 0 {
		x.owned(1)
		panic(ErrData)
	}
	if kind != 5 {
		needExtension(x.mint(0), kind)
		panic(ErrData)
	}
	t := x.token(0)
	if x.Data[1] == 3 {
		FailIf(x.key(1) != t.Mint(), tokenMintMismatch)
	} else {
		x.authority(1, t.Owner())
	}
	needExtension(t, kind)
	panic(ErrData)
}
