package corpus

import (
	"math"

	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// lendings are deposits and withdrawals.
func (k *cast) lendings() []shape {
	share := txbuild.CreateATA(k.owner, k.ourBonk, k.owner, k.bonk, t22.Program, true)
	return []shape{
		k.honest("lending", "a deposit", paid(400_000, 1000, share, k.trade(txbuild.WritableSigner(k.owner),
			txbuild.Writable(k.ourUSDC), txbuild.Writable(k.pool)))...).spends(k.usdc, k.spendUSDC).
			spoiledBy("program.unknown", "into another program", func(s *scene) { s.last().Instructions[3].Program = k.rogue }),
		k.honest("lending", "a deposit of SOL", join(k.wrapped(k.spend), []ins{
			share, k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(k.ourSOL)), spl.Close(k.ourSOL, k.owner, k.owner),
		})...).spends(txbuild.NativeMint, k.spend).
			spoiledBy("token.close", "the rest closed to the thief", account(5, 1, k.thief)),
		k.honest("lending", "a withdrawal", txbuild.UnitLimit(300_000), k.trade(txbuild.WritableSigner(k.owner),
			txbuild.Writable(k.ourBonk), txbuild.Writable(k.ourUSDC))).
			spoiledBy("token.transfer", "the shares sent away",
				also(t22.TransferChecked(k.ourBonk, k.bonk, k.thief, k.owner, 1, 5))),
		k.honest("lending", "a withdrawal of SOL", txbuild.CreateATA(
			k.owner, k.ourSOL, k.owner, txbuild.NativeMint, spl.Program, false,
		), k.trade(txbuild.Writable(k.ourBonk), txbuild.Writable(k.ourSOL)), spl.Close(k.ourSOL, k.owner, k.owner)).
			with(closedFirst(k)).
			spoiledBy("G4", "a fee payer of the thief's", func(s *scene) { s.last().Payer = k.thief }),
		k.honest("lending", "a referrer's account of the program",
			txbuild.CreateAccount(k.owner, k.fresh, (200+128)*6960, 200, k.exchange), k.trade(txbuild.Writable(k.fresh))).
			with(func(s *scene) { s.last().signedBy, s.intent.CoSigners = []Key{k.fresh}, []string{text(k.fresh)} }).
			spoiledBy("system.create", "the account of another program", func(s *scene) {
				copy(s.last().Instructions[0].Data[20:], k.rogue[:])
			}),
		k.honest("lending", "a program's account at a seed", txbuild.CreateAccountWithSeed(
			k.owner, txbuild.Seeded(k.owner, "obligation", k.exchange), k.owner, "obligation", (310+128)*6960, 310, k.exchange,
		), k.trade()).
			spoiledBy("system.create", "at another address", account(0, 1, k.pool)),
		k.honest("lending", "a program's account with a memo of SPL's first", txbuild.Call(txbuild.MemoV1, []byte("hello")),
			txbuild.CreateAccountAllowPrefund(k.owner, k.fresh, (80+128)*6960, 80, k.exchange), k.trade()).
			with(func(s *scene) { s.intent.CoSigners = []string{text(k.fresh)} }).
			spoiledBy("G4", "the new account's signer unnamed", func(s *scene) { s.intent.CoSigners = nil }),
	}
}

// closedFirst closes the wrapped account before it is made again.
func closedFirst(k *cast) func(*scene) {
	return func(s *scene) {
		s.last().Instructions = append([]ins{spl.Close(k.ourSOL, k.owner, k.owner)}, s.last().Instructions...)
	}
}

// positions are what the leverage service builds.
func (k *cast) positions() []shape {
	tip := txbuild.Transfer(k.owner, k.relay, k.tip)
	open := k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(k.ourUSDC), txbuild.Writable(k.pool),
		txbuild.WritableSigner(k.fresh))
	named := func(s *scene) { s.intent.CoSigners, s.last().signedBy = []string{text(k.fresh)}, []Key{k.fresh} }
	two := func(first, second []ins) func(*scene) {
		return func(s *scene) {
			s.last().Instructions = second
			before := transaction{Transaction: k.build(first...)}
			s.txs = []transaction{before, *s.last()}
		}
	}
	return []shape{
		k.honest("leverage", "an opened position", paid(900_000, 5000, open, tip)...).spends(k.usdc, k.spendUSDC).tips(k.tip).
			with(named).
			spoiledBy("G8", "the tip doubled", instead(3, txbuild.Transfer(k.owner, k.relay, 2*k.tip))),
		k.honest("leverage", "a closed position", k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(k.pool),
			txbuild.Writable(k.ourUSDC)), tip).tips(k.tip).
			spoiledBy("program.denied", "stake handed over besides",
				also(txbuild.Call(txbuild.Stake, []byte{1}, txbuild.WritableSigner(k.owner)))),
		k.honest("leverage", "collateral added through a table", k.trade(
			txbuild.WritableSigner(k.owner), txbuild.Writable(k.ourUSDC), txbuild.Writable(k.pool), txbuild.Writable(k.vault),
		), tip).spends(k.usdc, k.spendUSDC).tips(k.tip).with(k.route(k.vault, k.pool)).as(V0, Set).inV0().
			spoiledBy("G6", "the tip's recipient in the table, and too much", func(s *scene) {
				s.last().Tables[0].Holds = append(s.last().Tables[0].Holds, k.relay)
				amount(1, lamportsAt)(s)
			}),
		k.honest("leverage", "a split and a sale in one bundle").tips(k.tip).with(two([]ins{
			k.trade(txbuild.WritableSigner(k.owner)),
		}, []ins{k.trade(txbuild.Writable(k.pool), txbuild.WritableSigner(k.owner)), tip})).
			spoiledBy("G7", "the tip in both", func(s *scene) { s.txs[0].Instructions = append(s.txs[0].Instructions, tip) }),
		k.honest("leverage", "a bundle that spends in both").spends(k.usdc, 2*k.spendUSDC).with(two(
			[]ins{spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner, k.spendUSDC, 6)},
			[]ins{spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner, k.spendUSDC, 6), k.trade()})).
			spoiledBy("G7", "a unit more in the second", amount(0, tokensAt)),
		k.honest("leverage", "a bundle that prepares and opens").spends(k.usdc, k.spendUSDC).tips(k.tip).with(two(
			[]ins{txbuild.CreateATA(k.owner, k.ourBonk, k.owner, k.bonk, t22.Program, true)},
			paid(500_000, 10, k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(k.ourUSDC)), tip))).
			spoiledBy("token.authority", "an authority handed over in the second",
				also(spl.SetAuthority(k.ourUSDC, k.owner, 2, k.thief))),
	}
}

// burns are what the burn service builds.
func (k *cast) burns() []shape {
	all := func(h shape) shape { h.scene.intent.BurnAll = []string{text(k.bonk)}; return h }
	return []shape{
		k.honest("burnclose", "a burn", t22.Burn(k.ourBonk, k.bonk, k.owner, k.burnBonk)).burns(k.bonk, k.burnBonk).
			spoiledBy("token.burn", "a unit more", amount(0, tokensAt)),
		k.honest("burnclose", "a checked burn", t22.BurnChecked(k.ourBonk, k.bonk, k.owner, k.burnBonk, 5),
			txbuild.Memo("burned")).burns(k.bonk, k.burnBonk).
			spoiledBy("token.burn", "of another mint", func(s *scene) { account(0, 0, k.ourPump)(s); account(0, 1, k.pump)(s) }),
		all(k.honest("burnclose", "a burn of all and a close", t22.Burn(k.ourBonk, k.bonk, k.owner, 40_000),
			t22.Close(k.ourBonk, k.owner, k.owner))).
			spoiledBy("token.close", "the rent to the thief", account(1, 1, k.thief)),
		all(k.honest("burnclose", "a burn of all with a fee", t22.BurnChecked(k.ourBonk, k.bonk, k.owner, 40_001, 5),
			txbuild.Transfer(k.owner, k.partner, k.fee))).charges(txbuild.NativeMint, k.fee).
			spoiledBy("G8", "a lamport more of fee", amount(1, lamportsAt)),
		k.honest("burnclose", "a burn of an old token", spl.Burn(k.ourUSDC, k.usdc, k.owner, 77)).burns(k.usdc, 77).
			spoiledBy("token.burn", "a higher byte set", data(0, tokensAt+4, 1)),
		k.honest("burnclose", "two burns", t22.Burn(k.ourBonk, k.bonk, k.owner, k.burnBonk/2), t22.Burn(k.ourBonk, k.bonk,
			k.owner, k.burnBonk-k.burnBonk/2)).burns(k.bonk, k.burnBonk).
			spoiledBy("token.burn", "a unit more in the second", amount(1, tokensAt)),
	}
}

// closes take rent back.
func (k *cast) closes() []shape {
	return []shape{
		k.honest("burnclose", "a close to the owner", t22.Close(k.ourBonk, k.owner, k.owner)).
			spoiledBy("token.close", "to the thief", account(0, 1, k.thief)),
		k.honest("burnclose", "three closes", t22.Close(k.ourBonk, k.owner, k.owner), t22.Close(k.ourPump, k.owner, k.owner),
			spl.Close(k.ourSOL, k.owner, k.owner)).
			spoiledBy("token.close", "the last one to the thief", account(2, 1, k.thief)),
		k.honest("burnclose", "a close to another account of ours", t22.Close(k.ourBonk, k.ourSOL, k.owner)).
			spoiledBy("token.close", "to the thief's account", account(0, 1, k.thiefs)),
		k.honest("burnclose", "rent back to the sponsor", t22.Close(k.ourBonk, k.sponsor, k.owner)).
			spends(k.bonk, 0).with(k.paidBySponsor).
			spoiledBy("token.close", "wrapped SOL to the sponsor", instead(0, spl.Close(k.ourSOL, k.sponsor, k.owner))),
		k.honest("burnclose", "excess lamports back", t22.WithdrawExcess(k.ourPump, k.owner, k.owner)).
			spoiledBy("token.close", "to the thief", account(0, 1, k.thief)),
		k.honest("burnclose", "withheld fees harvested, then closed", t22.Raw([]byte{26, 4}, txbuild.Writable(k.pump),
			txbuild.Writable(k.ourPump)), t22.Close(k.ourPump, k.owner, k.owner)).
			spoiledBy("token.unknown", "withheld fees withdrawn", func(s *scene) { s.last().Instructions[0].Data[1] = 3 }),
		k.honest("burnclose", "another's close beside ours", t22.Close(
			txbuild.Associated(k.maker, k.bonk, t22.Program), k.maker, k.maker,
		), t22.Close(k.ourBonk, k.owner, k.owner)).with(func(s *scene) { s.last().signedBy = []Key{k.maker} }).
			spoiledBy("token.close", "ours to the maker", account(1, 1, k.maker)),
	}
}

// approvals end in the transaction, or are for a named delegate.
func (k *cast) approvals() []shape {
	approve := func(delegate Key) ins {
		return spl.ApproveChecked(k.ourUSDC, k.usdc, delegate, k.owner, k.spendUSDC, 6)
	}
	call, revoke := k.trade(txbuild.Writable(k.ourUSDC), txbuild.Writable(k.pool)), spl.Revoke(k.ourUSDC, k.owner)
	named := func(s *scene) { s.intent.Delegates = []string{text(k.named)} }
	bonked := txbuild.CreateATA(k.owner, k.ourBonk, k.owner, k.bonk, t22.Program, true)
	return []shape{
		k.honest("swap", "approved, swapped, revoked", approve(k.pool), call, revoke).spends(k.usdc, k.spendUSDC).
			spoiledBy("token.approve", "not revoked", without(2)),
		k.honest("swap", "approved without the mint, revoked", spl.Approve(k.ourUSDC, k.pool, k.owner, k.spendUSDC), call,
			revoke).spends(k.usdc, k.spendUSDC).
			spoiledBy("token.approve", "another account revoked", account(2, 0, k.pool)),
		k.honest("predictmeta", "a named delegate", approve(k.named), call).spends(k.usdc, k.spendUSDC).with(named).
			spoiledBy("token.approve", "another delegate", account(0, 2, k.thief)),
		k.honest("smartaccount", "a session's delegate", bonked, spl.Approve(k.ourUSDC, k.named, k.owner, k.spendUSDC)).
			spends(k.usdc, k.spendUSDC).with(named).
			spoiledBy("token.approve", "without bounds", instead(1, spl.Approve(k.ourUSDC, k.named, k.owner, math.MaxUint64))),
		k.honest("smartaccount", "an old approval revoked", revoke, txbuild.Memo("revoked")).
			spoiledBy("token.approve", "approved again", also(spl.Approve(k.ourUSDC, k.thief, k.owner, 1))),
		k.honest("swap", "approved and revoked within a batch", spl.Batch(approve(k.pool), revoke), call).
			spends(k.usdc, k.spendUSDC).
			spoiledBy("token.approve", "the batch ends early", instead(0, spl.Batch(approve(k.pool)))),
		k.honest("providerswap", "an approval within the cap beside a transfer", approve(k.pool), spl.TransferChecked(
			k.ourUSDC, k.usdc, k.vault, k.owner, k.takeUSDC, 6,
		), revoke).spends(k.usdc, k.spendUSDC+k.takeUSDC).
			spoiledBy("token.transfer", "a unit more sent", amount(1, tokensAt)),
	}
}
