package ledger

import (
	"encoding/binary"
	"math"

	"github.com/gagliardetto/solana-go"
)

// stake is the data of a stake account, StakeStateV2 in bincode: a state, from Initialized on the rent
// reserve, the authorities and the lockup, then the delegation, the credits observed and the flags.
type stake []byte

const (
	stakeSize = 200
	stakeMeta = 124 // where the delegation begins
	stakeEnd  = 197 // where the padding begins

	stakeEmpty       = 0
	stakeInitialized = 1
	stakeDelegated   = 2

	warmupRate = 0.25 // that the accounts say; no program reads it
	forever    = math.MaxUint64
)

func (s stake) state() uint32                { return binary.LittleEndian.Uint32(s) }
func (s stake) reserve() uint64              { return getUint64(s[4:]) }
func (s stake) staker() solana.PublicKey     { return solana.PublicKey(s[12:44]) }
func (s stake) withdrawer() solana.PublicKey { return solana.PublicKey(s[44:76]) }
func (s stake) custodian() solana.PublicKey  { return solana.PublicKey(s[92:124]) }
func (s stake) voter() solana.PublicKey      { return solana.PublicKey(s[124:156]) }
func (s stake) amount() uint64               { return getUint64(s[156:]) }
func (s stake) activation() uint64           { return getUint64(s[164:]) }
func (s stake) deactivation() uint64         { return getUint64(s[172:]) }
func (s stake) credits() uint64              { return getUint64(s[188:]) }

func (s stake) setState(state uint32)     { binary.LittleEndian.PutUint32(s, state) }
func (s stake) setAmount(lamports uint64) { putUint64(s[156:], lamports) }

// delegate begins a delegation, which has been active never.
func (s stake) delegate(voter solana.PublicKey, lamports, epoch, credits uint64) {
	s.setState(stakeDelegated)
	copy(s[stakeMeta:], voter[:])
	s.setAmount(lamports)
	putUint64(s[164:], epoch)
	putUint64(s[172:], forever)
	putUint64(s[180:], math.Float64bits(warmupRate))
	putUint64(s[188:], credits)
}

// active returns how much of the stake counts in an epoch, and whether it is on its way in or out.
// Mainnet lets 9 % of the cluster's stake come and go at each epoch. Here all of it does at the next,
// as it does there while no more than that moves, and in a runtime without a history of stakes.
func (s stake) active(epoch uint64) (lamports uint64, moving bool) {
	switch from, to := s.activation(), s.deactivation(); {
	case s.state() != stakeDelegated || from == to || epoch < from:
		return 0, false
	case epoch == from:
		return 0, epoch < to
	case epoch > to:
		return 0, false
	default:
		return s.amount(), epoch == to
	}
}

// stakeAt reads the i-th account of the instruction, which must be a stake account of any state.
func (x *Invocation) stakeAt(i int) stake {
	a := x.at(i)
	FailIf(a.Owner != x.Program, errAccountOwner)
	FailIf(len(a.Data) < 4, errAccountData)
	s := stake(a.Data)
	need, ok := map[uint32]int{stakeEmpty: 4, stakeInitialized: stakeMeta, stakeDelegated: stakeEnd}[s.state()]
	FailIf(!ok || len(s) < need, errAccountData)
	return s
}

// stakeMade reads one that is initialised and returns it for writing. If it is delegated it costs so many units more.
func (x *Invocation) stakeMade(i int, units uint64) stake {
	s := x.stakeAt(i)
	FailIf(s.state() == stakeEmpty, errAccountData)
	if s.state() == stakeDelegated {
		x.spend(units)
	}
	return stake(x.write(i).Data)
}

// locked reports whether the lockup is in force for someone, the custodian if there is one.
func (x *Invocation) locked(s stake, someone *solana.PublicKey) bool {
	if someone != nil && *someone == s.custodian() {
		return false
	}
	return int64(getUint64(s[76:])) > x.clock.Now().Unix() || getUint64(s[84:]) > x.epoch()
}
