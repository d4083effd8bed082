package corpus

import (
	"encoding/hex"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// accounts are accounts made for us and for others.
func (k *cast) accounts() []shape {
	theirs := txbuild.CreateATA(k.owner, k.thiefs, k.thief, k.usdc, spl.Program, true)
	ours := txbuild.CreateATA(k.owner, k.ourBonk, k.owner, k.bonk, t22.Program, true)
	plain := txbuild.CreateATA(k.owner, txbuild.Associated(k.owner, k.usdc, spl.Program),
		k.owner, k.usdc, spl.Program, true)
	mint := []ins{txbuild.CreateAccount(k.owner, k.fresh, mintRent, 82, spl.Program),
		spl.InitializeMint2(k.fresh, k.owner, 6)}
	keyed := []ins{txbuild.CreateAccount(k.owner, k.fresh, accountRent, 165, spl.Program),
		spl.InitializeAccount(k.fresh, k.usdc, k.owner)}
	signs := func(s *scene) { s.intent.CoSigners = []string{text(k.fresh)} }
	none := func(s *scene) { s.intent.MaxForeignRentLamports = accountRent }
	return []shape{
		k.honest("amm", "an account for us", ours).
			spoiledBy("ata.create", "nested accounts recovered", data(0, 0, 2)),
		k.honest("amm", "an account for another", theirs).with(none).
			spoiledBy("rent", "two for another", also(
				txbuild.CreateATA(k.owner, txbuild.Associated(k.thief, k.bonk, t22.Program), k.thief, k.bonk, t22.Program, true),
			)),
		k.honest("amm", "three accounts", ours, plain, theirs).with(none).
			spoiledBy("rent", "one more for another", also(theirs)),
		k.honest("amm", "accounts for us where others get none", ours, plain).
			spoiledBy("rent", "the second for another", instead(1, theirs)),
		k.honest("swap", "an account of its own key", keyed...).with(signs).
			spoiledBy("token.initialize", "initialised to the thief besides",
				also(spl.InitializeAccount3(k.pool, k.usdc, k.thief))),
		k.honest("swap", "a mint made", mint...).with(signs).
			spoiledBy("token.mint", "of an account that was there", func(s *scene) {
				account(1, 0, k.pool)(s)
				s.last().Instructions = s.last().Instructions[1:]
			}),
		k.honest("predictmeta", "an account and its owner's memo", ours, txbuild.Memo("predict", k.owner)).
			spoiledBy("system.assign", "the wallet assigned", also(txbuild.Assign(k.owner, k.exchange))),
		k.honest("onchaindata", "a look at nothing", txbuild.Memo("probe")).
			spoiledBy("system.unknown", "an instruction of tomorrow",
				also(txbuild.Call(txbuild.System, []byte{14, 0, 0, 0}, txbuild.WritableSigner(k.owner)))),
	}
}

// paidBySponsor has the sponsor that the intent names pay.
func (k *cast) paidBySponsor(s *scene) {
	s.intent.Sponsor, s.last().Payer = text(k.sponsor), k.sponsor
	s.last().Signers = append(s.last().Signers, k.owner)
}

// sponsored have somebody else pay.
func (k *cast) sponsored() []shape {
	paid := k.paidBySponsor
	signed := func(s *scene) { paid(s); s.last().signedBy = []Key{k.sponsor} }
	rent := txbuild.CreateATA(k.sponsor, k.ourBonk, k.owner, k.bonk, t22.Program, true)
	send := spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner, k.spendUSDC, 6)
	return []shape{
		k.honest("burnclose", "a sponsor pays", t22.Burn(k.ourBonk, k.bonk, k.owner, k.burnBonk)).burns(k.bonk, k.burnBonk).
			with(paid).
			spoiledBy("G4", "another sponsor", func(s *scene) { s.last().Payer = k.thief }),
		k.honest("burnclose", "the sponsor that the intent names pays", t22.Close(k.ourBonk, k.owner, k.owner)).with(paid).
			spoiledBy("G4", "the owner pays", func(s *scene) { s.last().Payer = k.owner }),
		k.honest("burnclose", "a sponsor who has signed", t22.Close(k.ourBonk, k.owner, k.owner)).with(signed).
			spoiledBy("G4", "a sponsor whom nobody named", func(s *scene) { s.intent.Sponsor = "" }),
		k.honest("swap", "a sponsor pays fee and rent", rent, send, k.trade()).spends(k.usdc, k.spendUSDC).with(paid).
			with(func(s *scene) { s.intent.MaxRentLamports = new(walletfi.Amount(0)) }).
			spoiledBy("rent", "the owner pays the rent", account(0, 0, k.owner)),
		k.honest("providerswap", "a sponsor of the policy's", send, k.trade()).spends(k.usdc, k.spendUSDC).with(paid).
			with(func(s *scene) {
				s.intent.Sponsor, s.policy.Sponsors = "", []Key{k.sponsor}
			}).
			spoiledBy("token.transfer", "a unit more", amount(0, tokensAt)),
		k.honest("swap", "a sponsor pays a high fee", txbuild.UnitLimit(1_000_000), txbuild.UnitPrice(50_000_000), send).
			spends(k.usdc, k.spendUSDC).with(signed).
			spoiledBy("token.authority", "an authority handed over", also(spl.SetAuthority(k.ourUSDC, k.owner, 3, k.thief))),
		k.honest("swap", "a sponsor wraps for himself beside us", txbuild.Transfer(k.sponsor, k.vaultSOL, k.spend),
			spl.SyncNative(k.vaultSOL), send).spends(k.usdc, k.spendUSDC).with(signed).
			spoiledBy("system.transfer", "we wrap for him", account(0, 0, k.owner)),
	}
}

// signedByOthers have a market maker or a new key sign, too.
func (k *cast) signedByOthers() []shape {
	gets := spl.TransferChecked(k.vault, k.usdc, k.ourUSDC, k.maker, 3*k.spendUSDC, 6)
	gives := spl.TransferChecked(k.ourSOL, txbuild.NativeMint, k.vaultSOL, k.owner, k.spend, 9)
	late := func(s *scene) { s.policy.LateCoSigners = 1 }
	return []shape{
		k.honest("swap", "a maker who signs late", gets, gives).spends(txbuild.NativeMint, k.spend).with(late).
			spoiledBy("G4", "a second who signs late", func(s *scene) { s.last().Signers = []Key{k.thief} }),
		k.honest("swap", "a maker who has signed", gets, gives).spends(txbuild.NativeMint, k.spend).
			with(func(s *scene) { s.last().signedBy = []Key{k.maker} }).
			spoiledBy("G4", "a maker who has not", func(s *scene) { s.last().signedBy = nil }),
		k.honest("amm", "a maker of the policy's", gets, gives).spends(txbuild.NativeMint, k.spend).
			with(func(s *scene) { s.policy.CoSigners = []Key{k.maker} }).
			spoiledBy("token.transfer", "we pay in the maker's place",
				instead(0, spl.TransferChecked(k.ourUSDC, k.usdc, k.thiefs, k.owner, 3*k.spendUSDC, 6))),
		k.honest("amm", "a maker of the intent's", gives, gets).spends(txbuild.NativeMint, k.spend).
			with(func(s *scene) { s.intent.CoSigners = []string{text(k.maker)} }).
			spoiledBy("token.transfer", "a unit more", amount(0, tokensAt)),
		k.honest("swap", "a maker who pays the fee as sponsor", gets, gives).spends(txbuild.NativeMint, k.spend).
			with(func(s *scene) {
				s.intent.Sponsor, s.last().Payer = text(k.maker), k.maker
			}).
			spoiledBy("token.close", "our wrapped account closed to him", also(spl.Close(k.ourSOL, k.maker, k.owner))),
		k.honest("swap", "signatures verified", ed25519Check(), gives).spends(txbuild.NativeMint, k.spend).
			spoiledBy("budget.fee", "by the thousand", func(s *scene) {
				s.last().Instructions[0].Data[0] = 255
				s.intent.MaxNetworkFeeLamports = new(walletfi.Amount(1_000_000))
			}),
		k.honest("smartaccount", "a passkey verified", passkeyCheck(),
			k.trade(txbuild.WritableSigner(k.owner))).
			spoiledBy("program.unknown", "by another program", func(s *scene) { s.last().Instructions[0].Program = k.rogue }),
		k.honest("smartaccount", "an Ethereum key verified", txbuild.Call(txbuild.Secp256k1, []byte{0}),
			k.trade(txbuild.WritableSigner(k.owner))).
			spoiledBy("program.denied", "and a table made",
				also(txbuild.Call(txbuild.LookupTables, []byte{0}, txbuild.WritableSigner(k.owner)))),
	}
}

// passkeyCheck verifies one signature, as its program takes none for an error.
func passkeyCheck() txbuild.Instruction {
	const data = "01003100ffff1000ffff71000700ffff03711d00672a0044de3de93df08df9cf1f45580cc5615fb2bd60546d5399f8c9" +
		"5421ac77ab336b5591025479a8b26a8d54e8b07042e0df891c0dbc5f46b3394ade35b020b15eaf0c174a7a734c00b205" +
		"37bdc09cbf520e78fd3a9d61ecb872b60a7369676e20696e"
	check, err := hex.DecodeString(data)
	if err != nil {
		panic(err)
	}
	return txbuild.Call(txbuild.Secp256r1, check)
}

// ed25519Check verifies no signature, which costs nothing.
func ed25519Check() ins { return txbuild.Call(txbuild.Ed25519, []byte{0, 0}) }

// lifetimes live by a blockhash that the service named, or by a nonce.
func (k *cast) lifetimes() []shape {
	const now = 300_000_000
	send := spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner, k.spendUSDC, 6)
	nonced := func(s *scene) { s.nonce, s.txs[0].leads = &Nonce{k.nonce, k.blockhash}, true }
	advance := txbuild.AdvanceNonce(k.nonce, k.owner)
	single := []Format{Legacy, V0, V1}
	return []shape{
		k.honest("lending", "the blockhash that the service named", send).spends(k.usdc, k.spendUSDC).
			with(func(s *scene) { s.named = k.blockhash }).
			spoiledBy("G5", "another", func(s *scene) { s.last().Blockhash = k.address("newer") }),
		k.honest("leverage", "an end in the near future", send).spends(k.usdc, k.spendUSDC).
			with(func(s *scene) { s.height, s.lastValid = now, now+150 }).
			spoiledBy("G5", "an end far off", func(s *scene) { s.lastValid = now + 100_000 }),
		k.honest("swap", "an end as late as any", send).spends(k.usdc, k.spendUSDC).
			with(func(s *scene) { s.height, s.lastValid = now, now+214 }).
			spoiledBy("G5", "a block later", func(s *scene) { s.lastValid++ }),
		k.honest("amm", "an end in the next block", send).spends(k.usdc, k.spendUSDC).
			with(func(s *scene) { s.height, s.lastValid = now, now+1 }).
			spoiledBy("G5", "an end in this one", func(s *scene) { s.lastValid = now }),
		k.honest("smartaccount", "a durable nonce", advance, send).spends(k.usdc, k.spendUSDC).with(nonced).as(single...).
			spoiledBy("system.nonce", "that nobody asked for", func(s *scene) { s.nonce = nil }),
		k.honest("smartaccount", "a durable nonce whose value is known", advance, txbuild.Memo("offline")).with(nonced).
			as(single...).
			spoiledBy("G5", "with another value", func(s *scene) { s.last().Blockhash = k.address("stale") }),
	}
}

// fees2022 are transfers of Token-2022, some with a fee that is withheld.
func (k *cast) fees2022() []shape {
	return []shape{
		k.honest("swap", "a transfer with a fee", t22.TransferCheckedWithFee(k.ourPump, k.pump, k.vaultPump, k.owner,
			k.spendPump, 6, feeOf(k.spendPump)), k.trade()).spends(k.pump, k.spendPump).
			spoiledBy("token.transfer", "a unit more", amount(0, 2)),
		k.honest("amm", "a transfer whose fee the mint says", t22.TransferChecked(k.ourPump, k.pump, k.vaultPump, k.owner,
			k.spendPump, 6), k.trade()).spends(k.pump, k.spendPump).
			spoiledBy("token.transfer", "of another mint", func(s *scene) {
				account(0, 0, k.ourBonk)(s)
				account(0, 1, k.bonk)(s)
			}),
		k.honest("swap", "a transfer to ourselves with a fee", t22.TransferCheckedWithFee(k.ourPump, k.pump, k.ourPump,
			k.owner, k.spendPump, 6, feeOf(k.spendPump))).spends(k.pump, feeOf(k.spendPump)).
			spoiledBy("token.transfer", "a unit more of fee", amount(0, 11)),
		k.honest(
			"swap", "withheld fees harvested", t22.Raw([]byte{26, 4}, txbuild.Writable(k.pump), txbuild.Writable(k.ourPump)),
		).
			spoiledBy("token.unknown", "a fee set", data(0, 1, 5)),
		k.honest("swap", "an immutable owner said", txbuild.CreateAccount(k.owner, k.fresh, accountRent+100*6960, 170,
			t22.Program), t22.Raw([]byte{22}, txbuild.Writable(k.fresh)), t22.InitializeAccount3(k.fresh, k.bonk, k.owner)).
			with(func(s *scene) {
				s.intent.CoSigners = []string{text(k.fresh)}
				s.intent.Spend = append(s.intent.Spend, some(txbuild.NativeMint, 95*6960))
			}).
			spoiledBy("system.create", "the owner another", func(s *scene) {
				copy(s.last().Instructions[2].Data[1:], k.thief[:])
			}),
		k.honest("swap", "an approval of old ended", t22.Revoke(k.ourPump, k.owner), txbuild.CreateATA(k.owner, k.ourBonk,
			k.owner, k.bonk, t22.Program, true)).
			spoiledBy("ata.create", "bytes behind the tag", func(s *scene) { s.last().Instructions[1].Data = []byte{1, 0} }),
	}
}

// feeOf is the fee that the mint pump withholds: one in a hundred, rounded up.
func feeOf(amount uint64) uint64 { return (amount + 99) / 100 }

// batches run several token instructions in one.
func (k *cast) batches() []shape {
	send := func(n uint64) ins { return spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner, n, 6) }
	half := k.spendUSDC / 2
	return []shape{
		k.honest("swap", "two transfers in a batch", spl.Batch(send(half), send(half)), k.trade()).spends(k.usdc, 2*half).
			spoiledBy("token.transfer", "a third", instead(0, spl.Batch(send(half), send(half), send(1)))),
		k.honest("burnclose", "burn and revoke in a batch", spl.Batch(spl.Burn(k.ourUSDC, k.usdc, k.owner, k.burnBonk),
			spl.Revoke(k.ourUSDC, k.owner))).burns(k.usdc, k.burnBonk).
			spoiledBy("token.burn", "a unit more burned", func(s *scene) { s.last().Instructions[0].Data[4]++ }),
		k.honest("amm", "a sync and a close in a batch", txbuild.Transfer(k.owner, k.ourSOL, k.spend),
			spl.Batch(spl.SyncNative(k.ourSOL), spl.Close(k.ourSOL, k.owner, k.owner))).
			spoiledBy("token.close", "closed to the thief",
				instead(1, spl.Batch(spl.SyncNative(k.ourSOL), spl.Close(k.ourSOL, k.thief, k.owner)))),
		k.honest("swap", "an approval's life in a batch", spl.Batch(spl.Approve(k.ourUSDC, k.pool, k.owner, k.spendUSDC),
			send(1), spl.Revoke(k.ourUSDC, k.owner))).spends(k.usdc, k.spendUSDC+1).
			spoiledBy("token.batch", "in a batch of its own", instead(0, spl.Batch(spl.Batch(spl.Revoke(k.ourUSDC, k.owner))))),
	}
}

// budgets are honest ways to pay for inclusion.
func (k *cast) budgets() []shape {
	capped := func(lamports walletfi.Amount) func(*scene) {
		return func(s *scene) { s.intent.MaxNetworkFeeLamports = &lamports }
	}
	send := spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner, k.spendUSDC, 6)
	fee := uint64(70_000)
	old := []Format{Legacy, V0}
	return []shape{
		k.honest("swap", "all four settings", txbuild.UnitLimit(200_000), txbuild.UnitPrice(1_000),
			txbuild.HeapFrame(64*1024), txbuild.DataLimit(1<<20), send).spends(k.usdc, k.spendUSDC).
			spoiledBy("budget.set", "a heap too large", instead(2, txbuild.HeapFrame(512*1024))),
		k.honest("amm", "a priority fee at its cap", txbuild.UnitPrice(500_000), txbuild.UnitLimit(400_000), send).
			spends(k.usdc, k.spendUSDC).with(capped(205_000)).as(old...).
			spoiledBy("budget.fee", "a unit more", func(s *scene) { s.last().Instructions[1].Data[1]++ }),
		k.honest("amm", "a price without a limit", txbuild.UnitPrice(1_000_000), send).spends(k.usdc, k.spendUSDC).
			with(capped(5_000+203_000)).as(old...).
			spoiledBy("budget.fee", "an instruction more", also(txbuild.Memo("costs units"))),
		k.honest("amm", "a fee in the config", send).spends(k.usdc, k.spendUSDC).with(capped(75_000)).
			with(func(s *scene) { s.last().Config.PriorityFee = &fee }).as(V1).
			spoiledBy("budget.fee", "a lamport more", func(s *scene) { s.last().Config.PriorityFee = new(fee + 1) }),
		k.honest("amm", "limits in the config", send, txbuild.Memo("v1")).spends(k.usdc, k.spendUSDC).with(func(s *scene) {
			s.last().Config.UnitLimit = new(uint32(300_000))
			s.last().Config.DataLimit = new(uint32(1 << 20))
			s.last().Config.Heap = new(uint32(64 * 1024))
		}).as(V1).
			spoiledBy("budget.set", "an odd heap", func(s *scene) { s.last().Config.Heap = new(uint32(64*1024 + 8)) }),
	}
}

// observed are simulated, resolved, protected.
func (k *cast) observed() []shape {
	usdc := func(n uint64) State { return tokenState(spl.Program, k.usdc, k.owner, n) }
	bonk := func(n uint64) State { return tokenState(t22.Program, k.bonk, k.owner, n) }
	swapped := Simulation{
		Before: map[Key]State{k.ourUSDC: usdc(2 * k.spendUSDC), k.ourBonk: bonk(5)},
		After:  map[Key]State{k.ourUSDC: usdc(k.spendUSDC), k.ourBonk: bonk(1005)},
	}
	less := Simulation{Before: swapped.Before, After: map[Key]State{k.ourUSDC: usdc(k.spendUSDC), k.ourBonk: bonk(1004)}}
	seen := func(m *Simulation) func(*scene) {
		return func(s *scene) { s.last().simulation = m; s.intent.Receive = []walletfi.Asset{some(k.bonk, 1000)} }
	}
	return []shape{
		k.honest("swap", "a simulated swap", k.swapCall(k.ourUSDC, k.ourBonk)).spends(k.usdc, k.spendUSDC).
			with(seen(&swapped)).
			spoiledBy("simulation.arrival", "a unit less arrives", func(s *scene) { s.last().simulation = &less }),
		k.honest("amm", "a simulated swap that takes as much as it may",
			k.swapCall(k.ourUSDC, k.ourBonk), txbuild.Memo("simulated")).spends(k.usdc, k.spendUSDC).with(seen(&swapped)).
			spoiledBy("simulation.spend", "a unit less asked for", func(s *scene) { s.intent.Spend[0].Amount-- }),
		k.honest("swap", "a destination in a table that is resolved", txbuild.Transfer(k.owner, k.friend, k.spend)).
			spends(txbuild.NativeMint, k.spend).names(k.friend).with(k.route(k.pool, k.friend)).
			with(func(s *scene) { s.policy.Tables = map[Key][]Key{k.table: {k.pool, k.friend}} }).as(V0, Set).inV0().
			spoiledBy("G6", "a table that nobody resolves", func(s *scene) { s.policy.Tables = nil }),
		k.honest("amm", "a table that the resolver does not know", k.swapCall(k.ourUSDC, k.ourBonk)).
			spends(k.usdc, k.spendUSDC).with(k.route(k.vault, k.pool)).
			with(func(s *scene) { s.policy.Tables = map[Key][]Key{} }).as(V0, Set).inV0().
			spoiledBy("G6", "lamports to an account of the table", also(txbuild.Transfer(k.owner, k.pool, k.spend))),
		k.honest(
			"lending", "a protected account that is only read", k.trade(txbuild.Readonly(k.guarded), txbuild.Writable(k.pool)),
		).with(func(s *scene) { s.policy.Protected = []Key{k.guarded} }).
			spoiledBy("program.protected", "written", func(s *scene) { s.last().Instructions[0].Accounts[0].Writable = true }),
		k.honest("lending", "tokens from a listed account to ours", spl.TransferChecked(k.listed, k.usdc, k.ourUSDC, k.owner,
			k.spendUSDC, 6)).with(func(s *scene) { s.policy.Accounts = []OwnAccount{{k.listed, k.usdc}} }).
			spoiledBy("token.transfer", "to the thief's", account(0, 2, k.thiefs)),
	}
}
