package corpus

import "github.com/walletfi/walletfi-go/signing/internal/txbuild"

// swapCall is the exchange's call: in from one account, out to another.
func (k *cast) swapCall(in, out Key) ins {
	return k.trade(txbuild.WritableSigner(k.owner), txbuild.Writable(in), txbuild.Writable(out), txbuild.Writable(k.pool),
		txbuild.Writable(k.vault), txbuild.Readonly(k.usdc))
}

// wrapped are the instructions that wrap lamports in the associated account.
func (k *cast) wrapped(lamports uint64) []ins {
	return []ins{
		txbuild.CreateATA(k.owner, k.ourSOL, k.owner, txbuild.NativeMint, spl.Program, true),
		txbuild.Transfer(k.owner, k.ourSOL, lamports), spl.SyncNative(k.ourSOL),
	}
}

// swaps are what the five trading services build.
func (k *cast) swaps() []shape {
	ata := txbuild.CreateATA(k.owner, k.ourBonk, k.owner, k.bonk, t22.Program, true)
	unwrap := spl.Close(k.ourSOL, k.owner, k.owner)
	list := paid(200_000, 20_000, ata, k.swapCall(k.ourUSDC, k.ourBonk))
	return []shape{
		k.honest("swap", "tokens for tokens", list...).spends(k.usdc, k.spendUSDC).
			spoiledBy("token.transfer", "a transfer besides",
				also(spl.TransferChecked(k.ourUSDC, k.usdc, k.thiefs, k.owner, k.spendUSDC+1, 6))),
		k.honest("amm", "tokens for tokens through a table", list...).spends(k.usdc, k.spendUSDC).
			with(k.route(k.pool, k.vault, k.usdc)).as(V0, Set).inV0().
			spoiledBy("G6", "lamports to an account of the table", func(s *scene) {
				also(txbuild.Transfer(k.owner, k.pool, k.spend))(s)
			}),
		k.honest("swap", "SOL for tokens", paid(300_000, 10_000, join(k.wrapped(k.spend), []ins{
			ata, k.swapCall(k.ourSOL, k.ourBonk), unwrap,
		})...)...).spends(txbuild.NativeMint, k.spend).
			spoiledBy("token.close", "the wrapped SOL closed to the thief", account(7, 1, k.thief)),
		k.honest("amm", "SOL for tokens through a table", join(k.wrapped(k.spend), []ins{
			ata, k.swapCall(k.ourSOL, k.ourBonk), unwrap,
		})...).spends(txbuild.NativeMint, k.spend).
			with(k.route(k.vault, k.pool)).as(V0, Set).inV0().
			spoiledBy("system.transfer", "the wrapped lamports to another account", account(1, 1, k.thief)),
		k.honest("providerswap", "tokens for SOL", paid(250_000, 5_000, txbuild.CreateATA(k.owner, k.ourSOL, k.owner,
			txbuild.NativeMint, spl.Program, true), k.swapCall(k.ourUSDC, k.ourSOL), unwrap)...).spends(k.usdc, k.spendUSDC).
			spoiledBy("token.authority", "the account handed over", also(spl.SetAuthority(k.ourUSDC, k.owner, 2, k.thief))),
	}
}

// swapsThatPay are swaps with tips, fees and payments next to the trade.
func (k *cast) swapsThatPay() []shape {
	ata := txbuild.CreateATA(k.owner, k.ourBonk, k.owner, k.bonk, t22.Program, true)
	tip := txbuild.Transfer(k.owner, k.relay, k.tip)
	fee := spl.TransferChecked(k.ourUSDC, k.usdc, txbuild.Associated(k.partner, k.usdc, spl.Program), k.owner,
		k.takeUSDC, 6)
	call := k.swapCall(k.ourUSDC, k.ourBonk)
	list := paid(200_000, 20_000, ata, call)
	return []shape{
		k.honest("providerswap", "a swap with a relay's tip", paid(200_000, 0, ata, call, tip)...).
			spends(k.usdc, k.spendUSDC).tips(k.tip).
			spoiledBy("G8", "a lamport more of tip", amount(4, lamportsAt)),
		k.honest("amm", "a swap with a tip first", join([]ins{tip}, list)...).spends(k.usdc, k.spendUSDC).tips(k.tip).
			spoiledBy("G8", "the tip a second time", also(tip)),
		k.honest("swap", "a swap with a referral fee in tokens", ata, fee, call).spends(k.usdc, k.spendUSDC).
			charges(k.usdc, k.takeUSDC).
			spoiledBy("token.transfer", "the spend and a unit more besides",
				also(spl.TransferChecked(k.ourUSDC, k.usdc, k.thiefs, k.owner, k.spendUSDC+1, 6))),
		k.honest(
			"providerswap", "a swap with fee and tip in SOL", ata, call, tip, txbuild.Transfer(k.owner, k.partner, k.fee),
		).spends(k.usdc, k.spendUSDC).tips(k.tip).charges(txbuild.NativeMint, k.fee).
			spoiledBy("G8", "a third recipient", also(txbuild.Transfer(k.owner, k.thief, 1))),
		k.honest("providerswap", "the fee before the tip", txbuild.Transfer(k.owner, k.partner, k.fee), tip, call).
			spends(k.usdc, k.spendUSDC).tips(k.tip).charges(txbuild.NativeMint, k.fee).
			spoiledBy("program.unknown", "another program called", func(s *scene) {
				s.last().Instructions[2].Program = k.rogue
			}),
		k.honest(
			"swap", "to another wallet's account",
			paid(200_000, 1, txbuild.CreateATA(k.owner, k.other, k.friend, k.usdc, spl.Program, true), k.swapCall(
				k.ourSOL, k.other,
			), t22.TransferChecked(k.ourPump, k.pump, txbuild.Associated(k.friend, k.pump, t22.Program), k.owner, 0, 6))...,
		).
			spends(txbuild.NativeMint, k.spend).
			names(k.friend).
			spoiledBy("token.transfer", "the transfer with an amount", data(4, tokensAt, 1)),
		k.honest("swap", "tokens sent to the exchange's account", ata, spl.TransferChecked(k.ourUSDC, k.usdc, k.vault,
			k.owner, k.spendUSDC, 6), k.trade(txbuild.Writable(k.vault))).spends(k.usdc, k.spendUSDC).
			spoiledBy("token.transfer", "a unit more", amount(1, tokensAt)),
		k.honest("amm", "tokens sent without the mint", ata, spl.Transfer(k.ourUSDC, k.vault, k.owner, k.spendUSDC),
			k.trade(txbuild.Writable(k.vault))).spends(k.usdc, k.spendUSDC).
			spoiledBy("token.transfer", "out of an account of another mint", account(1, 0, k.pool)),
		k.honest("swap", "two legs", paid(600_000, 100, ata, call, k.swapCall(k.ourBonk, k.ourPump))...).
			spends(k.usdc, k.spendUSDC).
			spoiledBy("budget.set", "the price a second time", also(txbuild.UnitPrice(1<<40))),
		k.honest("swap", "an order's deposit with a memo", txbuild.Memo("order 77", k.owner), spl.TransferChecked(k.ourUSDC,
			k.usdc, k.vault, k.owner, k.spendUSDC, 6), k.trade(txbuild.WritableSigner(k.owner))).spends(k.usdc, k.spendUSDC).
			spoiledBy("token.approve", "an approval besides", also(spl.Approve(k.ourUSDC, k.thief, k.owner, 1))),
	}
}

// inV0 has a set's transactions be v0, since it has tables.
func (h shape) inV0() shape {
	f := txbuild.V0
	h.scene.last().needs = &f
	return h
}

// wraps are the ways to wrap and unwrap.
func (k *cast) wraps() []shape {
	seeded := txbuild.Seeded(k.owner, "wsol-1", spl.Program)
	atSeed := func(lamports uint64) []ins {
		return []ins{
			txbuild.CreateAccountWithSeed(k.owner, seeded, k.owner, "wsol-1", lamports, 165, spl.Program),
			spl.InitializeAccount3(seeded, txbuild.NativeMint, k.owner),
		}
	}
	keyed := []ins{txbuild.CreateAccount(k.owner, k.fresh, accountRent+k.spend, 165, spl.Program),
		spl.InitializeAccount2(k.fresh, txbuild.NativeMint, k.owner)}
	signs := func(s *scene) { s.intent.CoSigners, s.last().signedBy = []string{text(k.fresh)}, []Key{k.fresh} }
	return []shape{
		k.honest("swap", "wrap", k.wrapped(k.spend)...).spends(txbuild.NativeMint, k.spend).
			spoiledBy("system.transfer", "the lamports to the thief", account(1, 1, k.thief)),
		k.honest("swap", "unwrap", spl.Close(k.ourSOL, k.owner, k.owner)).
			spoiledBy("token.close", "to the thief", account(0, 1, k.thief)),
		k.honest("amm", "unwrap in part", spl.Unwrap(k.ourSOL, k.owner, k.owner, k.spend)).
			spoiledBy("token.close", "to the thief", account(0, 1, k.thief)),
		k.honest("amm", "wrap at a seed", append(atSeed(accountRent+k.spend), k.swapCall(seeded, k.ourBonk),
			spl.Close(seeded, k.owner, k.owner))...).spends(txbuild.NativeMint, k.spend).
			spoiledBy("system.create", "a lamport more wrapped", amount(0, 4+32+8+6)),
		k.honest("swap", "wrap at a seed, the account for another", atSeed(accountRent+k.spend)...).
			spends(txbuild.NativeMint, k.spend).
			spoiledBy("system.create", "the account of the thief's", func(s *scene) {
				copy(s.last().Instructions[1].Data[1:], k.thief[:])
			}),
		k.honest("amm", "wrap at a seed, filled later", append(atSeed(accountRent), txbuild.Transfer(k.owner, seeded,
			k.spend), spl.SyncNative(seeded), k.swapCall(seeded, k.ourBonk), spl.Close(seeded, k.owner, k.owner))...).
			spends(txbuild.NativeMint, k.spend).
			spoiledBy("system.transfer", "closed before it is filled", func(s *scene) {
				list := s.last().Instructions
				list[2], list[3] = list[5], list[2]
				s.last().Instructions = list[:4]
			}),
		k.honest("providerswap", "wrap at a seed and send on", append(atSeed(accountRent+k.spend), spl.Transfer(seeded,
			k.vaultSOL, k.owner, k.spend), k.trade(), spl.Close(seeded, k.owner, k.owner))...).
			spends(txbuild.NativeMint, k.spend).
			spoiledBy("token.transfer", "a unit more sent on", amount(2, tokensAt)),
		k.honest("amm", "wrap in an account of its own key", append(keyed, k.swapCall(k.fresh, k.ourBonk),
			spl.Close(k.fresh, k.owner, k.owner))...).spends(txbuild.NativeMint, k.spend).with(signs).
			spoiledBy("token.close", "closed to the thief", account(3, 1, k.thief)),
		k.honest("swap", "wrapped SOL sent", spl.TransferChecked(k.ourSOL, txbuild.NativeMint, k.vaultSOL, k.owner, k.spend,
			9), k.trade()).spends(txbuild.NativeMint, k.spend).
			spoiledBy("token.transfer", "plain SOL sent besides", func(s *scene) {
				s.intent.OutputTo = []string{text(k.friend)}
				also(spl.TransferChecked(k.ourSOL, txbuild.NativeMint, k.vaultSOL, k.owner, 1, 9))(s)
			}),
	}
}

// payments are transfers that requests name.
func (k *cast) payments() []shape {
	friends := txbuild.Associated(k.friend, k.usdc, spl.Program)
	return []shape{
		k.honest("smartaccount", "SOL to a destination", txbuild.Transfer(k.owner, k.friend, k.spend)).
			spends(txbuild.NativeMint, k.spend).pays(k.friend).
			spoiledBy("system.transfer", "to another", account(0, 1, k.thief)),
		k.honest("smartaccount", "SOL in two payments", txbuild.Transfer(k.owner, k.friend, k.spend-1000),
			txbuild.Transfer(k.owner, k.friend, 1000)).spends(txbuild.NativeMint, k.spend).pays(k.friend).
			spoiledBy("system.transfer", "a lamport more", amount(1, lamportsAt)),
		k.honest("smartaccount", "tokens to a destination", txbuild.CreateATA(k.owner, friends, k.friend, k.usdc, spl.Program,
			true), spl.TransferChecked(k.ourUSDC, k.usdc, friends, k.owner, k.spendUSDC, 6)).spends(k.usdc, k.spendUSDC).
			pays(k.friend).
			spoiledBy("token.transfer", "a unit more", amount(1, tokensAt)),
		k.honest("smartaccount", "a deposit into the smart account", k.trade(
			txbuild.WritableSigner(k.owner), txbuild.Writable(k.pool),
		), txbuild.Transfer(k.owner, k.pool, k.spend)).spends(txbuild.NativeMint, k.spend).pays(k.pool).
			spoiledBy("system.transfer", "to another", account(1, 1, k.thief)),
		k.honest("smartaccount", "tokens to a payee, to the unit",
			spl.TransferChecked(k.ourUSDC, k.usdc, friends, k.owner, k.spendUSDC, 6)).spends(k.usdc, k.spendUSDC).pays(k.friend).
			spoiledBy("token.transfer", "to a stranger", account(0, 2, k.thiefs)),
		k.honest("smartaccount", "tokens to a payee's token account", spl.Transfer(k.ourUSDC, k.vault, k.owner, k.spendUSDC)).
			spends(k.usdc, k.spendUSDC).pays(k.vault).
			spoiledBy("token.transfer", "to a stranger", account(0, 1, k.thiefs)),
		k.honest("providerswap", "a payment with a fee", spl.TransferChecked(k.ourUSDC, k.usdc, friends, k.owner, k.spendUSDC,
			6), spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner, k.takeUSDC, 6)).
			spends(k.usdc, k.spendUSDC).charges(k.usdc, k.takeUSDC).pays(k.friend).
			spoiledBy("G8", "the fee a second time",
				also(spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner, k.takeUSDC, 6))),
		k.honest("leverage", "SOL among our own accounts", txbuild.Transfer(k.owner, k.listed, k.spend),
			txbuild.Transfer(k.owner, k.ourSOL, k.spend)).spends(k.usdc, k.spendUSDC).
			with(func(s *scene) { s.policy.Accounts = []OwnAccount{{k.listed, k.usdc}} }).
			spoiledBy("system.transfer", "to our account of another token", account(0, 1, k.ourUSDC)),
		k.honest("socialsearch", "a payment for use", txbuild.Memo("invoice 12"), spl.TransferChecked(k.ourUSDC, k.usdc,
			friends, k.owner, 10_000, 6)).spends(k.usdc, 10_000).pays(k.friend).
			spoiledBy("token.transfer", "a higher byte set", data(1, tokensAt+3, 1)),
		k.honest("webhooks", "nothing to anybody", txbuild.Transfer(k.owner, k.thief, 0), txbuild.Memo("ping")).
			spoiledBy("system.transfer", "one lamport to somebody", amount(0, lamportsAt)),
	}
}
