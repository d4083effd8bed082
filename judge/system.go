package main

import (
	"crypto/sha256"
)

// kind is an instruction that is judged. make prepares what it needs and returns it as it
// should be.
type kind struct {
	name string
	make func(s *scene) ins
}

func createAccount(from, to key, lamports, space uint64, owner key) ins {
	return ins{"System.CreateAccount", systemProgram, []meta{sw(from), sw(to)},
		join(u32(0), u64(lamports), u64(space), owner), 4}
}

func transfer(from, to key, lamports uint64) ins {
	return ins{"System.Transfer", systemProgram, []meta{sw(from), w(to)}, join(u32(2), u64(lamports)), 4}
}

func seeded(base key, seed string, owner key) key { return key(sha256.Sum256(join(base, seed, owner))) }

func initializeNonce(nonce, authority key) ins {
	return ins{"System.InitializeNonce", systemProgram,
		[]meta{w(nonce), r(recentSysvar), r(rentSysvar)}, join(u32(6), authority), -1}
}

func advanceNonce(nonce, authority key) ins {
	return ins{"System.AdvanceNonce", systemProgram,
		[]meta{w(nonce), r(recentSysvar), rs(authority)}, u32(4), -1}
}

const nonceSize = 80

// nonceAccount makes an initialised nonce, and most times one that can be advanced.
func (s *scene) nonceAccount() (nonce, authority key) {
	nonce, authority = s.account(systemProgram, nonceSize), s.key()
	s.do(initializeNonce(nonce, authority))
	if s.chance(0.8) {
		s.wait(1)
	}
	return nonce, authority
}

// owners are programs that an account may be given to.
func (s *scene) owner() key {
	return []key{tokenProgram, token2022, systemProgram, memo}[s.IntN(4)]
}

var systemKinds = []kind{
	{"System.CreateAccount", func(s *scene) ins {
		size := s.IntN(300)
		return createAccount(s.payer, s.key(), rent(size)+s.Uint64N(3), uint64(size), s.owner())
	}},
	{"System.Assign", func(s *scene) ins {
		return ins{"", systemProgram, []meta{sw(s.wallet(2_000_000))}, join(u32(1), s.owner()), -1}
	}},
	{"System.Transfer", func(s *scene) ins {
		from, to := s.wallet(10_000_000), s.key()
		if s.chance(0.5) {
			s.fund(to, 1_000_000)
		}
		if s.chance(0.2) {
			return transfer(from, to, 10_000_000)
		}
		return transfer(from, to, 900_000+s.Uint64N(8_000_000))
	}},
	{"System.CreateAccountWithSeed", func(s *scene) ins {
		base, owner, size := s.payer, s.owner(), s.IntN(200)
		metas := []meta{sw(s.payer)}
		to := s.see(seeded(base, "seed", owner))
		metas = append(metas, w(to))
		if s.chance(0.5) {
			base = s.key()
			to = s.see(seeded(base, "seed", owner))
			metas = []meta{sw(s.payer), w(to), rs(base)}
		}
		return ins{"", systemProgram, metas,
			join(u32(3), base, u64(4), "seed", u64(rent(size)), u64(uint64(size)), owner), 48}
	}},
	{"System.AdvanceNonce", func(s *scene) ins { return advanceNonce(s.nonceAccount()) }},
	{"System.WithdrawNonce", func(s *scene) ins {
		nonce, authority := s.nonceAccount()
		lamports := rent(nonceSize)
		if s.chance(0.5) {
			s.do(transfer(s.payer, nonce, 5_000_000))
			lamports = s.upTo(5_000_000)
		}
		to := s.wallet(1_000_000)
		return ins{"", systemProgram, []meta{w(nonce), w(to), r(recentSysvar), r(rentSysvar), rs(authority)},
			join(u32(5), u64(lamports)), 4}
	}},
	{"System.InitializeNonce", func(s *scene) ins {
		return initializeNonce(s.account(systemProgram, nonceSize), s.key())
	}},
	{"System.AuthorizeNonce", func(s *scene) ins {
		nonce, authority := s.nonceAccount()
		return ins{"", systemProgram, []meta{w(nonce), rs(authority)}, join(u32(7), s.key()), -1}
	}},
	{"System.Allocate", func(s *scene) ins {
		return ins{"", systemProgram, []meta{sw(s.wallet(10_000_000))}, join(u32(8), u64(s.Uint64N(1000))), 4}
	}},
	{"System.AllocateWithSeed", func(s *scene) ins {
		base, owner := s.key(), s.owner()
		to := s.see(seeded(base, "abc", owner))
		s.fund(to, 10_000_000)
		return ins{"", systemProgram, []meta{w(to), rs(base)},
			join(u32(9), base, u64(3), "abc", u64(s.Uint64N(1000)), owner), 47}
	}},
	{"System.AssignWithSeed", func(s *scene) ins {
		base, owner := s.key(), s.owner()
		to := s.see(seeded(base, "abc", owner))
		s.fund(to, 10_000_000)
		return ins{"", systemProgram, []meta{w(to), rs(base)},
			join(u32(10), base, u64(3), "abc", owner), -1}
	}},
	{"System.TransferWithSeed", func(s *scene) ins {
		base := s.key()
		from := s.see(seeded(base, "abc", systemProgram))
		s.fund(from, 10_000_000)
		return ins{"", systemProgram, []meta{w(from), rs(base), w(s.wallet(1_000_000))},
			join(u32(11), u64(s.upTo(9_000_000)), u64(3), "abc", systemProgram), 4}
	}},
	{"System.UpgradeNonce", func(s *scene) ins {
		nonce, _ := s.nonceAccount()
		return ins{"", systemProgram, []meta{w(nonce)}, u32(12), -1}
	}},
	{"System.CreateAccountAllowPrefund", func(s *scene) ins {
		to, size := s.key(), s.IntN(200)
		if s.chance(0.5) {
			s.fund(to, 1_000_000)
		}
		return ins{"", systemProgram, []meta{sw(to), sw(s.payer)},
			join(u32(13), u64(rent(size)), u64(uint64(size)), s.owner()), 4}
	}},
	{"Nonce.Durable", func(s *scene) ins {
		nonce, authority := s.nonceAccount()
		s.nonce = &nonce
		return advanceNonce(nonce, authority)
	}},
}
