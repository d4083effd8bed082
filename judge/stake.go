package main

import (
	"crypto/sha256"

	"github.com/gagliardetto/solana-go"
)

var (
	stakeProgram  = solana.MustPublicKeyFromBase58("Stake11111111111111111111111111111111111111")
	stakeConfig   = solana.MustPublicKeyFromBase58("StakeConfig11111111111111111111111111111111")
	clockSysvar   = solana.MustPublicKeyFromBase58("SysvarC1ock11111111111111111111111111111111")
	historySysvar = solana.MustPublicKeyFromBase58("SysvarStakeHistory1111111111111111111111111")
	voteAccount   = key(sha256.Sum256(join("vote account", u64(1), u64(0)))) // of the validator of seed 1
)

const (
	stakeSize  = 200
	epochSlots = 432_000
)

// staked is a stake account in the making, and who may do what with it.
type staked struct {
	account, staker, withdrawer, custodian key
	locked                                 bool
}

// bareStake is a stake account with lamports to delegate that is not initialised.
func (s *scene) bareStake(lamports uint64) staked {
	k := s.key()
	s.do(createAccount(s.payer, k, rent(stakeSize)+lamports, stakeSize, stakeProgram))
	return staked{account: k, staker: s.key(), withdrawer: s.key(), custodian: s.key()}
}

func (t staked) initialize() ins {
	until := u64(0)
	if t.locked {
		until = u64(1 << 40)
	}
	return ins{"Stake.Initialize", stakeProgram, []meta{w(t.account), r(rentSysvar)},
		join(u32(0), t.staker, t.withdrawer, u64(0), until, t.custodian), -1}
}

// stake is one that is initialised, now and then with a lockup.
func (s *scene) stake(lamports uint64) staked {
	t := s.bareStake(lamports)
	t.locked = s.chance(0.2)
	s.do(t.initialize())
	return t
}

func (t staked) delegate() ins {
	return ins{"Stake.Delegate", stakeProgram, []meta{w(t.account), r(voteAccount), r(clockSysvar), r(historySysvar),
		r(stakeConfig), rs(t.staker)}, u32(2), -1}
}

func (t staked) deactivate() ins {
	return ins{"Stake.Deactivate", stakeProgram, []meta{w(t.account), r(clockSysvar), rs(t.staker)}, u32(5), -1}
}

// delegated is one that is delegated, and at times active, or deactivated, or both.
func (s *scene) delegated(lamports uint64) staked {
	t := s.stake(lamports)
	s.do(t.delegate())
	if s.chance(0.3) {
		s.wait(epochSlots)
	}
	if s.chance(0.2) {
		s.do(t.deactivate())
		if s.chance(0.5) {
			s.wait(epochSlots)
		}
	}
	return t
}

// anyStake is initialised, and half of the time delegated.
func (s *scene) anyStake(lamports uint64) staked {
	if s.chance(0.5) {
		return s.stake(lamports)
	}
	return s.delegated(lamports)
}

// withCustodian adds the custodian to the accounts if there is a lockup, and at times without need.
func (s *scene) withCustodian(t staked, all ...meta) []meta {
	if t.locked && s.chance(0.7) || s.chance(0.1) {
		return append(all, rs(t.custodian))
	}
	return all
}

// role is which authority an instruction names, and who may sign for it.
func (s *scene) role(t staked) (which []byte, signer key) {
	if s.chance(0.5) {
		return u32(1), t.withdrawer
	}
	if s.chance(0.3) {
		return u32(0), t.withdrawer
	}
	return u32(0), t.staker
}

// seededStake is a stake whose authorities are derived from a key.
func (s *scene) seededStake() (t staked, base key) {
	t, base = s.bareStake(2_000_000), s.key()
	t.staker = s.see(seeded(base, "stake", systemProgram))
	t.withdrawer = t.staker
	t.locked = s.chance(0.2)
	s.do(t.initialize())
	return t, base
}

const stakeLamports = 2_200_000_000

var stakeKinds = []kind{
	{"Stake.Initialize", func(s *scene) ins {
		t := s.bareStake(s.Uint64N(2) * 1_000_000)
		t.locked = s.chance(0.3)
		return t.initialize()
	}},
	{"Stake.Authorize", func(s *scene) ins {
		t := s.anyStake(stakeLamports)
		which, signer := s.role(t)
		return ins{"", stakeProgram, s.withCustodian(t, w(t.account), r(clockSysvar), rs(signer)),
			join(u32(1), s.key(), which), -1}
	}},
	{"Stake.Delegate", func(s *scene) ins {
		if s.chance(0.4) {
			return s.delegated(stakeLamports).delegate()
		}
		return s.stake(stakeLamports).delegate()
	}},
	{"Stake.Split", func(s *scene) ins {
		t, to := s.anyStake(stakeLamports), s.account(stakeProgram, stakeSize)
		amount := []uint64{1, 1_000_000_000, 1_100_000_000, stakeLamports, stakeLamports + rent(stakeSize)}[s.IntN(5)]
		return ins{"", stakeProgram, []meta{w(t.account), w(to), rs(t.staker)}, join(u32(3), u64(amount)), 4}
	}},
	{"Stake.Withdraw", func(s *scene) ins {
		t := s.anyStake(stakeLamports)
		amount := []uint64{1_000_000, stakeLamports, stakeLamports + rent(stakeSize)}[s.IntN(3)]
		return ins{"", stakeProgram, s.withCustodian(t, w(t.account), w(s.wallet(1_000_000)), r(clockSysvar),
			r(historySysvar), rs(t.withdrawer)), join(u32(4), u64(amount)), 4}
	}},
	{"Stake.Deactivate", func(s *scene) ins { return s.delegated(stakeLamports).deactivate() }},
	{"Stake.SetLockup", func(s *scene) ins {
		t := s.anyStake(stakeLamports)
		data := u32(6)
		for _, value := range [][]byte{u64(s.Uint64N(1 << 40)), u64(s.Uint64N(1 << 20)), join(s.key())} {
			if s.chance(0.5) {
				data = join(data, 0)
			} else {
				data = join(data, 1, value)
			}
		}
		return ins{"", stakeProgram, []meta{w(t.account), rs(t.lockholder())}, data, -1}
	}},
	{"Stake.Merge", func(s *scene) ins {
		t := s.bareStake(stakeLamports)
		from := s.bareStake(stakeLamports)
		from.staker, from.withdrawer, from.custodian = t.staker, t.withdrawer, t.custodian
		s.do(t.initialize(), from.initialize())
		for _, each := range []staked{t, from} {
			if s.chance(0.6) {
				s.do(each.delegate())
			}
		}
		if s.chance(0.4) {
			s.wait(epochSlots)
		}
		return ins{"", stakeProgram, []meta{w(t.account), w(from.account), r(clockSysvar), r(historySysvar),
			rs(t.staker)}, u32(7), -1}
	}},
	{"Stake.AuthorizeWithSeed", func(s *scene) ins {
		t, base := s.seededStake()
		return ins{"", stakeProgram, s.withCustodian(t, w(t.account), rs(base), r(clockSysvar)),
			join(u32(8), s.key(), u32(uint32(s.IntN(2))), u64(5), "stake", systemProgram), -1}
	}},
	{"Stake.InitializeChecked", func(s *scene) ins {
		t := s.bareStake(0)
		return ins{"", stakeProgram, []meta{w(t.account), r(rentSysvar), r(t.staker), rs(t.withdrawer)}, u32(9), -1}
	}},
	{"Stake.AuthorizeChecked", func(s *scene) ins {
		t := s.anyStake(stakeLamports)
		which, signer := s.role(t)
		return ins{"", stakeProgram, s.withCustodian(t, w(t.account), r(clockSysvar), rs(signer), rs(s.key())),
			join(u32(10), which), -1}
	}},
	{"Stake.AuthorizeCheckedWithSeed", func(s *scene) ins {
		t, base := s.seededStake()
		return ins{"", stakeProgram, s.withCustodian(t, w(t.account), rs(base), r(clockSysvar), rs(s.key())),
			join(u32(11), u32(uint32(s.IntN(2))), u64(5), "stake", systemProgram), -1}
	}},
	{"Stake.SetLockupChecked", func(s *scene) ins {
		t := s.anyStake(stakeLamports)
		metas := []meta{w(t.account), rs(t.lockholder())}
		if s.chance(0.5) {
			metas = append(metas, rs(s.key()))
		}
		return ins{"", stakeProgram, metas, join(u32(12), 1, u64(s.Uint64N(1<<40)), 0), -1}
	}},
	{"Stake.GetMinimumDelegation", func(s *scene) ins { return ins{"", stakeProgram, nil, u32(13), -1} }},
}

// lockholder is who may change the lockup.
func (t staked) lockholder() key {
	if t.locked {
		return t.custodian
	}
	return t.withdrawer
}
