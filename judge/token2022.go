package main

import (
	"crypto/sha256"
	"slices"
)

// extension is one that a mint has. account are the lengths of those that its accounts need.
type extension struct {
	name       string
	length     int
	account    []int
	initialize func(s *scene, c coin) ins
}

func of2022(name string, metas []meta, data []byte, amount int) ins {
	return ins{"Token-2022." + name, token2022, metas, data, amount}
}

func on(c coin) []meta { return []meta{w(c.mint)} }

// extensions are those of mints.
var extensions = []extension{
	{"TransferFee", 108, []int{8}, func(s *scene, c coin) ins {
		return of2022("InitializeTransferFeeConfig", on(c),
			join(26, 0, 1, c.authority, 1, c.authority, u16(uint16(s.IntN(300))), u64(5_000)), 70)
	}},
	{"MintCloseAuthority", 32, nil, func(s *scene, c coin) ins {
		return of2022("InitializeMintCloseAuthority", on(c), join(25, 1, c.authority), -1)
	}},
	{"DefaultAccountState", 1, nil, func(s *scene, c coin) ins {
		return of2022("InitializeDefaultAccountState", on(c), join(28, 0, 2), -1)
	}},
	{"NonTransferable", 0, []int{0, 0}, func(s *scene, c coin) ins {
		return of2022("InitializeNonTransferableMint", on(c), join(32), -1)
	}},
	{"InterestBearing", 52, nil, func(s *scene, c coin) ins {
		return of2022("InitializeInterestBearingMint", on(c), join(33, 0, c.authority, u16(uint16(s.IntN(1000)))), -1)
	}},
	{"PermanentDelegate", 32, nil, func(s *scene, c coin) ins {
		return of2022("InitializePermanentDelegate", on(c), join(35, c.authority), -1)
	}},
	{"TransferHook", 64, []int{1}, func(s *scene, c coin) ins {
		return of2022("InitializeTransferHook", on(c), join(36, 0, c.authority, key{}), -1)
	}},
	{"MetadataPointer", 64, nil, func(s *scene, c coin) ins {
		return of2022("InitializeMetadataPointer", on(c), join(39, 0, c.authority, c.mint), -1)
	}},
	{"GroupPointer", 64, nil, func(s *scene, c coin) ins {
		return of2022("InitializeGroupPointer", on(c), join(40, 0, c.authority, c.mint), -1)
	}},
	{"GroupMemberPointer", 64, nil, func(s *scene, c coin) ins {
		return of2022("InitializeGroupMemberPointer", on(c), join(41, 0, c.authority, c.mint), -1)
	}},
	{"ScaledUiAmount", 56, nil, func(s *scene, c coin) ins {
		return of2022("InitializeScaledUiAmount", on(c), join(43, 0, c.authority, float(1.5)), -1)
	}},
	{"Pausable", 33, []int{0}, func(s *scene, c coin) ins {
		return of2022("InitializePausable", on(c), join(44, 0, c.authority), -1)
	}},
	{"ConfidentialTransfer", 65, nil, func(s *scene, c coin) ins {
		return of2022("InitializeConfidentialTransferMint", on(c), join(27, 0, c.authority, 1, key{}), -1)
	}},
}

func ext(name string) extension {
	return extensions[slices.IndexFunc(extensions, func(e extension) bool { return e.name == name })]
}

// interfaced is the tag of an instruction of an interface that the program implements.
func interfaced(name string) []byte {
	h := sha256.Sum256([]byte(name))
	return h[:8]
}

func text(t string) []byte { return join(u32(uint32(len(t))), t) }

func initializeMetadata(c coin) ins {
	return of2022("Metadata.Initialize", []meta{w(c.mint), r(c.authority), r(c.mint), rs(c.authority)},
		join(interfaced("spl_token_metadata_interface:initialize_account"), text("Name"), text("SYM"), text("uri")), -1)
}

func initializeGroup(c coin) ins {
	return of2022("Group.Initialize", []meta{w(c.mint), r(c.mint), rs(c.authority)},
		join(interfaced("spl_token_group_interface:initialize_token_group"), c.authority, u64(5)), 40)
}

// described is a mint that can have metadata or a group within, and the lamports for it.
func (s *scene) described(name string) coin {
	c := s.mint(token2022, ext(name))
	s.do(transfer(s.payer, c.mint, 10_000_000))
	return c
}

var token2022Kinds = slices.Concat(initializers(), []kind{
	{"Token-2022.TransferCheckedWithFee", func(s *scene) ins {
		c := s.mint(token2022, ext("TransferFee"))
		from, spender := s.rich(c)
		amount := s.amount()
		metas := append([]meta{w(from), r(c.mint), w(s.holder(c, s.key()))}, spender...)
		return of2022("", metas, join(26, 1, u64(amount), c.decimals, u64(0)), 2)
	}},
	{"Token-2022.WithdrawWithheldFromMint", func(s *scene) ins {
		c, taxed := s.taxed()
		s.do(of2022("HarvestWithheld", []meta{w(c.mint), w(taxed)}, join(26, 4), -1))
		return of2022("", []meta{w(c.mint), w(s.holder(c, s.key())), rs(c.authority)}, join(26, 2), -1)
	}},
	{"Token-2022.WithdrawWithheldFromAccounts", func(s *scene) ins {
		c, taxed := s.taxed()
		return of2022("", []meta{r(c.mint), w(s.holder(c, s.key())), rs(c.authority), w(taxed)}, join(26, 3, 1), -1)
	}},
	{"Token-2022.HarvestWithheldToMint", func(s *scene) ins {
		c, taxed := s.taxed()
		return of2022("", []meta{w(c.mint), w(taxed)}, join(26, 4), -1)
	}},
	{"Token-2022.SetTransferFee", func(s *scene) ins {
		c := s.mint(token2022, ext("TransferFee"))
		return of2022("", []meta{w(c.mint), rs(c.authority)}, join(26, 5, u16(uint16(s.IntN(11_000))), u64(99)), 4)
	}},
	{"Token-2022.UpdateDefaultAccountState", func(s *scene) ins {
		c := s.mint(token2022, ext("DefaultAccountState"))
		return of2022("", []meta{w(c.mint), rs(c.freezer)}, join(28, 1, 1+s.IntN(2)), -1)
	}},
	{"Token-2022.Reallocate", func(s *scene) ins {
		c := s.mint(token2022)
		owner := s.key()
		return of2022("", []meta{w(s.holder(c, owner)), sw(s.payer), r(systemProgram), rs(owner)},
			join(29, u16([]uint16{8, 11, 7}[s.IntN(3)])), -1)
	}},
	{"Token-2022.EnableMemoTransfer", func(s *scene) ins {
		c := s.mint(token2022)
		owner := s.key()
		return of2022("", []meta{w(s.holder(c, owner, 1)), rs(owner)}, join(30, 0), -1)
	}},
	{"Token-2022.DisableMemoTransfer", func(s *scene) ins {
		k, owner, _ := s.memoed()
		return of2022("", []meta{w(k), rs(owner)}, join(30, 1), -1)
	}},
	{"Token-2022.TransferWantsMemo", func(s *scene) ins {
		to, _, c := s.memoed()
		from, owner := s.owned(c)
		return of2022("", []meta{w(from), r(c.mint), w(to), rs(owner)}, join(12, u64(s.amount()), c.decimals), 1)
	}},
	{"Token-2022.CreateNativeMint", func(s *scene) ins { return createNativeMint(s.payer) }},
	{"Token-2022.UpdateInterestRate", func(s *scene) ins {
		c := s.mint(token2022, ext("InterestBearing"))
		return of2022("", []meta{w(c.mint), rs(c.authority)}, join(33, 1, u16(uint16(s.IntN(9000)))), -1)
	}},
	{"Token-2022.EnableCpiGuard", func(s *scene) ins {
		c := s.mint(token2022)
		owner := s.key()
		return of2022("", []meta{w(s.holder(c, owner, 1)), rs(owner)}, join(34, 0), -1)
	}},
	{"Token-2022.DisableCpiGuard", func(s *scene) ins {
		c := s.mint(token2022)
		owner := s.key()
		k := s.holder(c, owner, 1)
		s.do(of2022("EnableCpiGuard", []meta{w(k), rs(owner)}, join(34, 0), -1))
		return of2022("", []meta{w(k), rs(owner)}, join(34, 1), -1)
	}},
	{"Token-2022.TransferByPermanentDelegate", func(s *scene) ins {
		c := s.mint(token2022, ext("PermanentDelegate"))
		from, _ := s.owned(c)
		return of2022("", []meta{w(from), r(c.mint), w(s.holder(c, s.key())), rs(c.authority)},
			join(12, u64(s.amount()), c.decimals), 1)
	}},
	{"Token-2022.CloseMint", func(s *scene) ins {
		c := s.mint(token2022, ext("MintCloseAuthority"))
		return of2022("", []meta{w(c.mint), w(s.wallet(1_000_000)), rs(c.authority)}, join(9), -1)
	}},
	{"Token-2022.UpdateTransferHook", pointer("TransferHook", 36)},
	{"Token-2022.UpdateMetadataPointer", pointer("MetadataPointer", 39)},
	{"Token-2022.UpdateGroupPointer", pointer("GroupPointer", 40)},
	{"Token-2022.UpdateGroupMemberPointer", pointer("GroupMemberPointer", 41)},
	{"Token-2022.UpdateMultiplier", func(s *scene) ins {
		c := s.mint(token2022, ext("ScaledUiAmount"))
		return of2022("", []meta{w(c.mint), rs(c.authority)}, join(43, 1, float(s.Float64()*4-1), u64(s.Uint64N(2e9))), 10)
	}},
	{"Token-2022.Pause", func(s *scene) ins {
		c := s.mint(token2022, ext("Pausable"))
		return of2022("", []meta{w(c.mint), rs(c.authority)}, join(44, 1), -1)
	}},
	{"Token-2022.Resume", func(s *scene) ins {
		c := s.mint(token2022, ext("Pausable"))
		s.do(of2022("Pause", []meta{w(c.mint), rs(c.authority)}, join(44, 1), -1))
		return of2022("", []meta{w(c.mint), rs(c.authority)}, join(44, 2), -1)
	}},
	{"Token-2022.Metadata.Initialize", func(s *scene) ins { return initializeMetadata(s.described("MetadataPointer")) }},
	{"Token-2022.Metadata.UpdateField", func(s *scene) ins {
		c := s.described("MetadataPointer")
		s.do(initializeMetadata(c))
		fields := [][]byte{join(0), join(1), join(2), join(3, text("key"))}
		return of2022("", []meta{w(c.mint), rs(c.authority)},
			join(interfaced("spl_token_metadata_interface:updating_field"), fields[s.IntN(4)], text("value")), -1)
	}},
	{"Token-2022.Metadata.RemoveKey", func(s *scene) ins {
		c := s.described("MetadataPointer")
		s.do(initializeMetadata(c))
		return of2022("", []meta{w(c.mint), rs(c.authority)},
			join(interfaced("spl_token_metadata_interface:remove_key_ix"), s.IntN(2), text("key")), -1)
	}},
	{"Token-2022.Metadata.UpdateAuthority", func(s *scene) ins {
		c := s.described("MetadataPointer")
		s.do(initializeMetadata(c))
		return of2022("", []meta{w(c.mint), rs(c.authority)},
			join(interfaced("spl_token_metadata_interface:update_the_authority"), s.key()), -1)
	}},
	{"Token-2022.Metadata.Emit", func(s *scene) ins {
		c := s.described("MetadataPointer")
		s.do(initializeMetadata(c))
		return of2022("", []meta{r(c.mint)}, join(interfaced("spl_token_metadata_interface:emitter"), 0, 0), -1)
	}},
	{"Token-2022.Group.Initialize", func(s *scene) ins { return initializeGroup(s.described("GroupPointer")) }},
	{"Token-2022.Group.UpdateMaxSize", func(s *scene) ins {
		c := s.described("GroupPointer")
		s.do(initializeGroup(c))
		return of2022("", []meta{w(c.mint), rs(c.authority)},
			join(interfaced("spl_token_group_interface:update_group_max_size"), u64(s.Uint64N(9))), 8)
	}},
	{"Token-2022.Group.UpdateAuthority", func(s *scene) ins {
		c := s.described("GroupPointer")
		s.do(initializeGroup(c))
		return of2022("", []meta{w(c.mint), rs(c.authority)},
			join(interfaced("spl_token_group_interface:update_authority"), s.key()), -1)
	}},
	{"Token-2022.Group.InitializeMember", func(s *scene) ins {
		g := s.described("GroupPointer")
		s.do(initializeGroup(g))
		c := s.described("GroupMemberPointer")
		return of2022("", []meta{w(c.mint), r(c.mint), rs(c.authority), w(g.mint), rs(g.authority)},
			interfaced("spl_token_group_interface:initialize_member"), -1)
	}},
})

// initializers are a kind for the initialiser of each extension.
func initializers() []kind {
	var all []kind
	for _, e := range extensions {
		all = append(all, kind{"Token-2022.Initialize" + e.name, func(s *scene) ins {
			program := token2022
			mint := s.account(program, space(mintSize, []int{e.length}))
			return e.initialize(s, coin{program: program, mint: mint, authority: s.key(), freezer: s.key()})
		}})
	}
	return all
}

// pointer updates the address that an extension of a mint points to.
func pointer(name string, tag int) func(s *scene) ins {
	return func(s *scene) ins {
		c := s.mint(token2022, ext(name))
		to := s.key()
		if s.chance(0.3) {
			to = key{}
		}
		return of2022("", []meta{w(c.mint), rs(c.authority)}, join(tag, 1, to), -1)
	}
}

// taxed is a mint with a transfer fee and an account which withholds some.
func (s *scene) taxed() (coin, key) {
	c := s.mint(token2022, ext("TransferFee"))
	from, owner := s.owned(c)
	to := s.holder(c, s.key())
	s.do(of2022("TransferChecked", []meta{w(from), r(c.mint), w(to), rs(owner)},
		join(12, u64(500_000), c.decimals), 1))
	return c, to
}

// memoed is an account that takes transfers with a memo only.
func (s *scene) memoed() (account, owner key, c coin) {
	c = s.mint(token2022)
	owner = s.key()
	account = s.holder(c, owner, 1)
	s.do(of2022("EnableMemoTransfer", []meta{w(account), rs(owner)}, join(30, 0), -1))
	return account, owner, c
}
