package corpus

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// proven are accounts whose owner and length the bytes prove although a table,
// another program or a payee is near, and fees that they prove.
func (k *cast) proven() []shape {
	made := func(wallet, program Key) ins {
		return txbuild.CreateATA(k.owner, txbuild.Associated(wallet, k.bonk, program), wallet, k.bonk, program, true)
	}
	rogues := func(s *scene) {
		instead(0, made(k.owner, k.rogue))(s)
		s.last().Tables[0].Holds = []Key{k.rogue}
	}
	signs := func(s *scene) { s.intent.CoSigners = []string{text(k.fresh)} }
	create := func(lamports uint64) ins {
		return txbuild.CreateAccount(k.owner, k.fresh, accountRent+lamports, 165, spl.Program)
	}
	init := spl.InitializeAccount3(k.fresh, txbuild.NativeMint, k.owner)
	call := k.trade(txbuild.WritableSigner(k.fresh), txbuild.Writable(k.pool))
	send := func(n uint64) ins { return spl.Transfer(k.fresh, k.vaultSOL, k.owner, n) }
	return []shape{
		k.honest("swap", "an account whose token program a table names",
			made(k.owner, t22.Program), k.swapCall(k.ourUSDC, k.ourBonk)).spends(k.usdc, k.spendUSDC).
			with(k.route(t22.Program)).as(V0, Set).inV0().spoiledBy("rent", "a program that chooses the length", rogues),
		k.honest("amm", "an account whose mint a table names, too",
			made(k.owner, t22.Program), k.swapCall(k.ourUSDC, k.ourBonk)).spends(k.usdc, k.spendUSDC).
			with(func(s *scene) { s.intent.Receive = []walletfi.Asset{some(k.bonk, 1)} }).
			with(k.route(t22.Program, k.bonk)).as(V0, Set).inV0().spoiledBy("rent", "a program that chooses the length", rogues),
		k.honest("swap", "an account initialised before a call", create(0), init, call).with(signs).
			spoiledBy("system.create", "after it", func(s *scene) {
				i := s.last().Instructions
				i[1], i[2] = i[2], i[1]
			}),
		k.honest("smartaccount", "a payment out of an account that is made for it", create(k.spend), init, send(k.spend)).
			spends(txbuild.NativeMint, k.spend).pays(k.vaultSOL).with(signs).
			spoiledBy("system.create", "a lamport of it kept back", instead(2, send(k.spend-1))),
		k.honest("amm", "a price without a limit, with a batch",
			txbuild.UnitPrice(1_000_000), spl.Batch(spl.SyncNative(k.ourSOL), spl.SyncNative(k.ourSOL))).
			with(func(s *scene) { s.intent.MaxNetworkFeeLamports = new(walletfi.Amount(5_000 + 203_000)) }).as(Legacy, V0).
			spoiledBy("budget.fee", "and an empty batch", also(spl.Batch())),
	}
}

// sponsoredRents are the rents of accounts that a sponsor made, left to it.
func (k *cast) sponsoredRents() []shape {
	closed := func(n int) (list []ins) {
		for i := range n {
			at := txbuild.Associated(k.owner, k.emptied[i], spl.Program)
			list = append(list, txbuild.CreateATA(k.sponsor, at, k.owner, k.emptied[i], spl.Program, true),
				spl.Close(at, k.sponsor, k.owner))
		}
		return list
	}
	sponsored := func(s *scene) {
		k.paidBySponsor(s)
		s.intent.MaxRentLamports = new(walletfi.Amount(2 * accountRent))
	}
	more := func(s *scene) { s.last().Instructions = closed(3) }
	asked := func(s *scene) {
		for _, mint := range k.emptied {
			s.intent.CloseAccounts = append(s.intent.CloseAccounts, text(txbuild.Associated(k.owner, mint, spl.Program)))
		}
	}
	return []shape{
		k.honest("burnclose", "rent of two accounts left to the sponsor", closed(2)...).with(sponsored).
			spoiledBy("rent", "of three", more),
		k.honest("burnclose", "rent of three accounts left to the sponsor, as asked", closed(3)...).with(sponsored).
			with(asked).
			spoiledBy("rent", "as another was", func(s *scene) { s.intent.CloseAccounts = []string{text(k.pool)} }),
	}
}
