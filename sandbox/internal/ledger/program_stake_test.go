package ledger

import (
	"math"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stakes is a fixture with a payer and the authorities of its stakes.
type stakes struct {
	*fixture
	payer, staker, withdrawer, custodian, votes solana.PublicKey
}

func newStakes(t *testing.T) *stakes {
	f := newFixture(t)
	x := &stakes{f, f.rich("payer"), f.key("staker"), f.key("withdrawer"), f.key("custodian"), f.Block(f.slot)[0].Keys[1]}
	f.Airdrop(x.payer, 100*sol)
	return x
}

func (x *stakes) do(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
	return in(solana.StakeProgramID, data, accounts...)
}

// empty is an account of the program with lamports beyond its rent.
func (x *stakes) empty(name string, lamports uint64) solana.PublicKey {
	k := x.made(x.payer, name, 200, solana.StakeProgramID)
	if lamports > 0 {
		x.ok(x.payer, transfer(x.payer, k, lamports))
	}
	return k
}

func (x *stakes) initialize(k solana.PublicKey, lockedUntil uint64) solana.Instruction {
	return x.do(words(uint32(0), x.staker, x.withdrawer, uint64(0), lockedUntil, x.custodian),
		w(k), r(solana.SysVarRentPubkey))
}

func (x *stakes) stake(name string, lamports uint64) solana.PublicKey {
	k := x.empty(name, lamports)
	x.ok(x.payer, x.initialize(k, 0))
	return k
}

func (x *stakes) delegate(k solana.PublicKey) solana.Instruction {
	return x.do(words(uint32(2)), w(k), r(x.votes), r(solana.SysVarClockPubkey), r(solana.SysVarStakeHistoryPubkey),
		r(solana.MPK("StakeConfig11111111111111111111111111111111")), s(x.staker))
}

func (x *stakes) deactivate(k solana.PublicKey) solana.Instruction {
	return x.do(words(uint32(5)), w(k), r(solana.SysVarClockPubkey), s(x.staker))
}

func (x *stakes) withdraw(k solana.PublicKey, lamports uint64, more ...*solana.AccountMeta) solana.Instruction {
	return x.do(words(uint32(4), lamports), append([]*solana.AccountMeta{w(k), w(x.payer), r(solana.SysVarClockPubkey),
		r(solana.SysVarStakeHistoryPubkey), s(x.withdrawer)}, more...)...)
}

func (x *stakes) split(from, to solana.PublicKey, lamports uint64) solana.Instruction {
	return x.do(words(uint32(3), lamports), w(from), w(to), s(x.staker))
}

func (x *stakes) merge(to, from solana.PublicKey) solana.Instruction {
	return x.do(words(uint32(7)), w(to), w(from), r(solana.SysVarClockPubkey), r(solana.SysVarStakeHistoryPubkey), s(x.staker))
}

func (x *stakes) nextEpoch() { x.slot += 432_000 }

// The layout is that of StakeStateV2, to the byte.
func TestStakeLayout(t *testing.T) {
	x := newStakes(t)
	k := x.stake("stake", 3*sol)
	reserve := Rent(200)
	meta := words(uint32(1), reserve, x.staker, x.withdrawer, uint64(0), uint64(0), x.custodian)
	assert.Equal(t, append(meta, make([]byte, 76)...), x.Account(k).Data)
	x.ok(x.payer, x.delegate(k))
	credits := getUint64(x.Account(x.votes).Data[1708:])
	want := words(uint32(2), reserve, x.staker, x.withdrawer, uint64(0), uint64(0), x.custodian, x.votes, uint64(3*sol),
		x.slot/432_000, uint64(math.MaxUint64), math.Float64bits(0.25), credits, uint32(0))
	assert.Equal(t, want, x.Account(k).Data)
	assert.Len(t, want, 200)
}

func TestVoteAccountExists(t *testing.T) {
	x := newStakes(t)
	a := x.Account(x.votes)
	require.NotNil(t, a)
	assert.Equal(t, solana.VoteProgramID, a.Owner)
	assert.Len(t, a.Data, 3762)
	assert.Equal(t, words(uint32(2), x.Block(x.slot)[0].Keys[0]), a.Data[:36])
	assert.Equal(t, Rent(3762), a.Lamports)
}

// A stake is active from the next epoch on, and free in the one after its deactivation.
func TestStakeLife(t *testing.T) {
	x := newStakes(t)
	k, all := x.stake("stake", 3*sol), Rent(200)+3*sol
	x.ok(x.payer, x.delegate(k))
	x.fails(errFunds, x.payer, x.withdraw(k, 1))
	x.ok(x.payer, x.delegate(k)) // still activating
	x.nextEpoch()
	x.fails(Custom(3), x.payer, x.delegate(k))
	x.fails(errFunds, x.payer, x.withdraw(k, all))
	x.ok(x.payer, x.deactivate(k))
	x.fails(Custom(2), x.payer, x.deactivate(k))
	x.fails(errFunds, x.payer, x.withdraw(k, all))
	x.ok(x.payer, x.delegate(k)) // it goes on
	x.ok(x.payer, x.deactivate(k))
	x.nextEpoch()
	x.ok(x.payer, x.withdraw(k, 2*sol))
	x.fails(Custom(12), x.payer, x.withdraw(k, sol), x.delegate(k))
	x.ok(x.payer, x.withdraw(k, all-2*sol))
	assert.Nil(t, x.Account(k))
}

func TestStakeSplit(t *testing.T) {
	x := newStakes(t)
	k := x.stake("stake", 5*sol)
	one, two, poor := x.empty("one", 0), x.empty("two", 0), x.empty("poor", 0)
	x.ok(x.payer, x.split(k, one, sol))
	assert.EqualValues(t, 1, x.Account(one).Data[0], "initialised as its source is")
	x.fails(errAccountData, x.payer, x.split(k, one, sol))
	x.fails(errArgument, x.payer, x.split(k, k, sol))
	x.ok(x.payer, x.delegate(k))
	x.nextEpoch()
	x.fails(Custom(12), x.payer, x.split(k, poor, sol-1))
	x.fails(Custom(12), x.payer, x.split(k, poor, 3*sol+1))
	x.fails(errFunds, x.payer, x.split(k, poor, 10*sol))
	x.ok(x.payer, x.split(k, two, sol))
	source, got := stake(x.Account(k).Data), stake(x.Account(two).Data)
	assert.EqualValues(t, uint64(3*sol), source.amount())
	assert.EqualValues(t, sol, got.amount())
	assert.Equal(t, source[:156], got[:156])
	x.ok(x.payer, x.split(two, poor, x.Balance(two)))
	assert.Nil(t, x.Account(two), "all of it went")
	assert.EqualValues(t, sol, stake(x.Account(poor).Data).amount())
}

func TestStakeMerge(t *testing.T) {
	x := newStakes(t)
	a, b, c, d := x.stake("a", 2*sol), x.stake("b", sol), x.stake("c", sol), x.stake("d", sol)
	x.ok(x.payer, x.delegate(a), x.delegate(b), x.delegate(d))
	x.fails(errArgument, x.payer, x.merge(a, a))
	x.ok(x.payer, x.merge(a, b))
	assert.Nil(t, x.Account(b))
	assert.EqualValues(t, 3*sol+Rent(200), stake(x.Account(a).Data).amount(), "the reserve is staked, too")
	x.nextEpoch()
	x.fails(Custom(6), x.payer, x.merge(a, c))
	x.ok(x.payer, x.merge(a, d))
	assert.EqualValues(t, 4*sol+Rent(200), stake(x.Account(a).Data).amount(), "the reserve stays free")
	x.ok(x.payer, x.deactivate(a))
	x.fails(Custom(5), x.payer, x.merge(a, c))
	x.nextEpoch()
	x.ok(x.payer, x.merge(a, c))
	assert.Equal(t, 5*sol+4*Rent(200), x.Balance(a))
}

func TestStakeAuthorities(t *testing.T) {
	x := newStakes(t)
	k, clock, other := x.empty("stake", sol), r(solana.SysVarClockPubkey), x.key("other")
	x.ok(x.payer, x.initialize(k, 1_000_000))
	name := func(which uint32, accounts ...*solana.AccountMeta) solana.Instruction {
		return x.do(words(uint32(1), other, which), append([]*solana.AccountMeta{w(k), clock}, accounts...)...)
	}
	x.fails(ErrSigner, x.payer, name(0, s(other)))
	x.fails(Custom(7), x.payer, name(1, s(x.withdrawer)))
	x.fails(Custom(1), x.payer, name(1, s(x.withdrawer), s(other)))
	x.fails(Custom(1), x.payer, x.withdraw(k, 5))
	x.ok(x.payer, x.withdraw(k, 5, s(x.custodian)))
	x.ok(x.payer, name(0, s(x.withdrawer)))
	assert.Equal(t, other, stake(x.Account(k).Data).staker())
	x.ok(x.payer, name(1, s(x.withdrawer), s(x.custodian)))
	assert.Equal(t, other, stake(x.Account(k).Data).withdrawer())
	x.fails(ErrSigner, x.payer, x.do(words(uint32(6), uint8(0), uint8(1), uint64(0), uint8(0)), w(k), s(other)))
	x.ok(x.payer, x.do(words(uint32(6), uint8(0), uint8(1), uint64(0), uint8(0)), w(k), s(x.custodian)))
	x.fails(ErrSigner, x.payer, x.do(words(uint32(10), uint32(1)), w(k), clock, s(other), r(x.staker)))
	x.ok(x.payer, x.do(words(uint32(10), uint32(1)), w(k), clock, s(other), s(x.staker)))
	assert.Equal(t, x.staker, stake(x.Account(k).Data).withdrawer())
	x.ok(x.payer, x.do(words(uint32(12), uint8(0), uint8(0)), w(k), s(x.staker), s(other)))
	assert.Equal(t, other, stake(x.Account(k).Data).custodian())
}

func TestStakeSeeds(t *testing.T) {
	x := newStakes(t)
	k, clock := x.empty("stake", 0), r(solana.SysVarClockPubkey)
	derived := seeded(t, x.staker, "stash", solana.SystemProgramID)
	x.ok(x.payer, x.do(words(uint32(0), derived, derived, uint64(0), uint64(0), solana.PublicKey{}), w(k)))
	change := words(uint32(8), x.custodian, uint32(0), "stash", solana.SystemProgramID)
	x.fails(ErrSigner, x.payer, x.do(change, w(k), s(x.withdrawer), clock))
	x.ok(x.payer, x.do(change, w(k), s(x.staker), clock))
	checked := words(uint32(11), uint32(1), "stash", solana.SystemProgramID)
	x.ok(x.payer, x.do(checked, w(k), s(x.staker), clock, s(x.withdrawer)))
	got := stake(x.Account(k).Data)
	assert.Equal(t, []solana.PublicKey{x.custodian, x.withdrawer}, []solana.PublicKey{got.staker(), got.withdrawer()})
}

func TestStakeRefusals(t *testing.T) {
	x := newStakes(t)
	k, wallet := x.empty("stake", 0), x.rich("wallet")
	x.fails(ErrData, x.payer, x.do(words(uint32(99)), w(k)))
	x.fails(ErrData, x.payer, x.do(words(uint32(3)), w(k)))
	x.fails(errKeys, x.payer, x.do(words(uint32(5)), w(k)))
	x.fails(errAccountData, x.payer, x.initialize(wallet, 0))
	x.fails(errAccountData, x.payer, x.delegate(k))
	x.ok(x.payer, x.do(words(uint32(9)), w(k), r(solana.SysVarRentPubkey), r(x.staker), s(x.withdrawer)))
	x.fails(errAccountData, x.payer, x.initialize(k, 0))
	x.fails(Custom(12), x.payer, x.delegate(k))
	x.fails(errAccountData, x.payer, x.deactivate(k))
	vote := x.delegate(k).(*solana.GenericInstruction)
	vote.AccountValues[1] = r(wallet)
	x.fails(errProgram, x.payer, vote)
	assert.Contains(t, x.run(x.payer, vote).Logs, "Program log: ERROR: The account did not have the expected program id")
	receipt := x.ok(x.payer, x.do(words(uint32(13))))
	assert.True(t, slices.ContainsFunc(receipt.Logs, func(line string) bool {
		return line == "Program return: Stake11111111111111111111111111111111111111 AMqaOwAAAAA="
	}), "%v", receipt.Logs)
}
