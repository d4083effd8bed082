package corpus

import (
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// signerAttacks change the fee payer and the signers.
func (k *cast) signerAttacks() []technique {
	attack := k.looting("G4")
	asking := func(keys ...Key) func(*scene) {
		return func(s *scene) { s.last().Signers = append(s.last().Signers, keys...) }
	}
	paidBy := func(payer Key, signed ...Key) func(*scene) {
		return func(s *scene) { s.last().Payer, s.last().signedBy = payer, signed }
	}
	spoiled := func(signer int) func(txbuild.Format, []byte) []byte {
		return func(f txbuild.Format, raw []byte) []byte {
			raw[slotAt(f, raw, signer)+5] ^= 1
			return raw
		}
	}
	return []technique{
		attack("a foreign fee payer", "hold the signed transaction back").with(paidBy(k.thief)),
		attack("a foreign fee payer who has signed", "pass for a sponsor").with(paidBy(k.thief, k.thief)),
		attack("a sponsor of another wallet's", "pass for the named one").with(paidBy(k.maker, k.maker)).
			with(func(s *scene) { s.intent.Sponsor = text(k.sponsor) }),
		attack("the owner pays beside a sponsor", "have the owner pay what the sponsor was to pay").
			with(func(s *scene) { s.intent.Sponsor = text(k.sponsor) }),
		attack("the owner is not asked", "have a signature made for nothing known").with(func(s *scene) {
			s.intent.Sponsor = text(k.sponsor)
			s.last().Payer, s.last().Instructions = k.sponsor, []ins{txbuild.Transfer(k.sponsor, k.friend, 1)}
		}),
		attack("a signer whom nobody knows", "hold the signed transaction back").with(asking(k.maker)),
		attack("one late signer too many", "hide among those who may sign late").with(asking(k.maker, k.thief)).
			with(func(s *scene) { s.policy.LateCoSigners = 1 }),
		attack("a co-signer's signature that is not valid", "pass for signed").with(asking(k.maker)).
			with(func(s *scene) { s.last().signedBy = []Key{k.maker} }).tampered(spoiled(1)),
		attack("a signature of something else", "pass for signed").with(asking(k.maker)).
			tampered(func(f txbuild.Format, raw []byte) []byte {
				copy(raw[slotAt(f, raw, 1):], k.blockhash[:])
				return raw
			}),
		attack("garbage in the owner's slot", "have the owner believe it signed").tampered(spoiled(0)),
	}
}

// lifetimeAttacks are about when a signature stops being good.
func (k *cast) lifetimeAttacks() []technique {
	attack := k.looting("G5")
	const now = 300_000_000
	ends := func(at uint64) func(*scene) {
		return func(s *scene) { s.height, s.lastValid = now, at }
	}
	return []technique{
		attack("a blockhash of zeros", "be filled in later").with(func(s *scene) { s.last().Blockhash = Key{} }),
		attack("another blockhash than the service's", "live longer than it says").with(func(s *scene) {
			s.named, s.last().Blockhash = k.blockhash, k.address("newer blockhash")
		}),
		attack("a nonce's value in the blockhash's place", "live for ever").with(func(s *scene) {
			s.named, s.last().Blockhash = k.blockhash, k.address("nonce value")
		}),
		attack("has ended", "be signed for nothing, again and again").with(ends(now - 1)),
		attack("ends now", "be signed for nothing, again and again").with(ends(now)),
		attack("ends later than any can", "seem to live long").with(ends(now + 215)),
		attack("ends at the end of time", "seem to live long").with(ends(1<<64 - 1)),
		attack("another value than the nonce has", "come true when the nonce does").with(func(s *scene) {
			s.nonce = &Nonce{k.nonce, k.address("nonce value")}
			s.last().Instructions = []ins{txbuild.AdvanceNonce(k.nonce, k.owner), k.loot()}
			s.last().leads = true
		}).as(Legacy, V0, V1),
	}
}

// lookupAttacks hide a recipient in a lookup table.
func (k *cast) lookupAttacks() []technique {
	hiding := func(name, aim string, hidden Key, instructions ...ins) technique {
		return k.attack("G6", name, aim, instructions...).with(k.route(k.pool, hidden, k.vault)).as(V0)
	}
	seeded := txbuild.Seeded(k.owner, "store", txbuild.System)
	return []technique{
		hiding("a transfer to an account behind a table", "hide who gets it",
			k.thief, txbuild.Transfer(k.owner, k.thief, k.spend)),
		hiding("a transfer with seed to an account behind a table", "hide who gets it", k.thief,
			txbuild.TransferWithSeed(seeded, k.owner, "store", txbuild.System, k.thief, k.spend), k.loot()),
		hiding("two tips behind a table", "take the tip twice", k.relay, txbuild.Transfer(k.owner, k.relay, k.tip),
			txbuild.Transfer(k.owner, k.relay, k.tip), k.loot()),
		hiding("a close to an account behind a table", "take the wrapped SOL",
			k.thief, spl.Close(k.ourSOL, k.thief, k.owner)),
		hiding("an unwrap to an account behind a table", "take the wrapped SOL",
			k.thief, spl.Unwrap(k.ourSOL, k.thief, k.owner, k.spend)),
		hiding("excess lamports to an account behind a table", "take the lamports",
			k.thief, t22.WithdrawExcess(k.ourPump, k.thief, k.owner)),
		hiding("a close within a batch to an account behind a table", "take the wrapped SOL",
			k.thief, spl.Batch(spl.SyncNative(k.ourSOL), spl.Close(k.ourSOL, k.thief, k.owner))),
	}
}

// tipAttacks take more than the tip or the fee, or take them twice.
func (k *cast) tipAttacks() []technique {
	attack := k.looting("G8")
	pay := func(to Key, lamports uint64) ins { return txbuild.Transfer(k.owner, to, lamports) }
	gone := txbuild.CreateAccount(k.owner, k.fresh, accountRent, 165, spl.Program)
	init, closing := spl.InitializeAccount3(k.fresh, txbuild.NativeMint, k.owner), spl.Close(k.fresh, k.owner, k.owner)
	return []technique{
		attack("a lamport past the tip", "take more than the tip", pay(k.thief, k.tip+1)),
		attack("everything as a tip", "empty the wallet", pay(k.thief, 500*k.spend)),
		attack("the tip twice", "take the tip twice", pay(k.relay, k.tip), pay(k.thief, k.tip)),
		attack("tip, fee, and one more", "hide a third recipient",
			pay(k.relay, k.tip), pay(k.partner, k.fee), pay(k.thief, 1)),
		attack("small change, often", "stay under every cap", times(12, pay(k.thief, 1000))...),
		attack("the fee twice", "take the fee twice", pay(k.partner, k.fee), pay(k.thief, k.tip), pay(k.relay, k.fee)),
		attack("past both tip and fee", "take their sum at once", pay(k.thief, k.tip+k.fee)),
		attack("out of a derived account", "empty what the owner's seed derives",
			txbuild.TransferWithSeed(txbuild.Seeded(k.owner, "store", txbuild.System), k.owner, "store",
				txbuild.System, k.thief, k.spend)),
		attack("to an account that looks like ours", "pass for the owner's own",
			pay(txbuild.Associated(k.thief, txbuild.NativeMint, spl.Program), k.spend)),
		attack("to an account just made for another", "pass for the owner's own",
			txbuild.CreateATA(k.owner, k.thiefs, k.thief, k.usdc, spl.Program, true), pay(k.thiefs, k.spend)),
		attack("to an account that was closed", "fund what its key can open again",
			gone, init, closing, pay(k.fresh, k.spend)),
		attack("to a key of ours that is no account of ours", "fund a signer", pay(k.multisig, k.spend)),
		attack("out of a listed account", "empty what the caller listed",
			pay(k.listed, 0), txbuild.Transfer(k.listed, k.thief, k.spend)).with(func(s *scene) { s.policy.LateCoSigners = 1 }),
		attack("a destination resolved out of a table", "hide in a table that is known", pay(k.thief, k.spend)).
			with(k.route(k.pool, k.thief)).
			with(func(s *scene) { s.policy.Tables = map[Key][]Key{k.table: {k.pool, k.thief}} }).as(V0),
	}
}

// setAttacks stay under every cap in each transaction.
func (k *cast) setAttacks() []technique {
	var all []technique
	for _, f := range txbuild.Formats {
		for _, w := range k.setWays() {
			t := k.attack("G7", w.name+", "+f.String(), w.aim)
			proto := t.scene.txs[0]
			t.scene.txs = nil
			for _, list := range w.txs {
				tx := proto
				tx.Instructions = list
				t.scene.txs = append(t.scene.txs, tx)
			}
			all = append(all, t.of(f))
		}
	}
	return all
}

type setWay struct {
	name, aim string
	txs       [][]ins
}

func (k *cast) setWays() []setWay {
	pay := func(to Key, lamports uint64) ins { return txbuild.Transfer(k.owner, to, lamports) }
	send := func(n uint64) ins { return spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner, n, 6) }
	rents := times(9, txbuild.CreateATA(k.owner, k.thiefs, k.thief, k.usdc, spl.Program, true))
	ways := []setWay{
		{"the spend in each", "spend it as often as there are transactions", [][]ins{{k.loot()}, {k.loot()}}},
		{"a unit past the spend, over two", "pass the cap by one",
			[][]ins{{pay(k.friend, k.spend/2+1)}, {pay(k.friend, k.spend-k.spend/2)}}},
		{"tokens in each", "spend them as often as there are transactions",
			[][]ins{{send(k.spendUSDC), k.loot()}, {send(k.spendUSDC)}}},
		{"tokens over three", "spread what is too much",
			[][]ins{{send(k.spendUSDC / 2)}, {send(k.spendUSDC / 2)}, {send(k.spendUSDC / 2), k.loot()}}},
		{"wrapped and plain", "count one asset as two",
			[][]ins{{k.loot()}, {spl.TransferChecked(k.ourSOL, txbuild.NativeMint, k.vaultSOL, k.owner, k.spend, 9)}}},
		{"the tip in each", "take it as often as there are transactions",
			[][]ins{{pay(k.relay, k.tip), k.loot()}, {pay(k.relay, k.tip)}}},
		{"tip and fee in each", "take them as often as there are transactions",
			[][]ins{{pay(k.relay, k.tip), pay(k.partner, k.fee), k.loot()}, {pay(k.relay, k.tip), pay(k.partner, k.fee)}}},
		{"the burn in each", "burn it as often as there are transactions", [][]ins{
			{t22.Burn(k.ourBonk, k.bonk, k.owner, k.burnBonk), k.loot()}, {t22.Burn(k.ourBonk, k.bonk, k.owner, k.burnBonk)},
		}},
		{"rent in each", "pay a thief's rent as often as there are transactions", [][]ins{append(rents, k.loot()), rents}},
		{"approved in one, sent in the next", "count an approval and a transfer apart",
			[][]ins{{spl.ApproveChecked(k.ourUSDC, k.usdc, k.named, k.owner, k.spendUSDC, 6), k.loot()}, {send(k.spendUSDC)}}},
	}
	return ways
}
