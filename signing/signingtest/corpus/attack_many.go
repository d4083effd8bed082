package corpus

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// inFee is a transaction that pays a priority fee, by its instructions and in
// v1 by its config.
func (k *cast) inFee(lamports uint64, instructions ...ins) transaction {
	tx := transaction{Transaction: k.build(paid(1_000_000, lamports, instructions...)...)}
	tx.Config.PriorityFee = &lamports
	return tx
}

// manyAttacks add up over the transactions of a set, or over how many there are.
func (k *cast) manyAttacks() []technique {
	var all []technique
	set := func(f txbuild.Format, name, aim string, txs ...transaction) technique {
		t := k.attack("G7", name+", "+f.String(), aim)
		t.scene.txs = txs
		return t.of(f)
	}
	for _, f := range txbuild.Formats {
		memos := make([]transaction, 16)
		for i := range memos {
			memos[i] = transaction{Transaction: k.build(txbuild.Memo(string(rune('a' + i))))}
		}
		loot := transaction{Transaction: k.build(k.loot())}
		all = append(all,
			set(f, "network fees in each", "burn the wallet in fees", k.inFee(6_000_000, k.loot()), k.inFee(6_000_000)),
			set(f, "network fees over nine", "burn the wallet in fees",
				k.inFee(1_200_000, k.loot()), k.inFee(1_200_000, txbuild.Memo("2")), k.inFee(1_200_000, txbuild.Memo("3")),
				k.inFee(1_200_000, txbuild.Memo("4")), k.inFee(1_200_000, txbuild.Memo("5")), k.inFee(1_200_000, txbuild.Memo("6")),
				k.inFee(1_200_000, txbuild.Memo("7")), k.inFee(1_200_000, txbuild.Memo("8")),
				k.inFee(1_200_000, txbuild.Memo("9"))),
			set(f, "a lamport past the intent's network fees", "pay a little more", k.inFee(50_000, k.loot()), k.inFee(50_001)).
				with(func(s *scene) {
					s.intent.MaxNetworkFeeLamports = new(walletfi.Amount(110_000))
				}),
			set(f, "seventeen transactions", "hide among many", append([]transaction{loot}, memos...)...),
			set(f, "a transaction more than the intent says", "hide among many", loot, memos[0], memos[1]).
				with(func(s *scene) { s.intent.MaxTransactions = 2 }),
		)
	}
	return all
}

// many are honest sets of several transactions.
func (k *cast) many() []shape {
	set := func(name string, txs ...transaction) shape {
		h := k.honest("burnclose", name)
		h.scene.txs = txs
		return h
	}
	memos := func(n int) (txs []transaction) {
		for i := range n {
			txs = append(txs, transaction{Transaction: k.build(txbuild.Memo(string(rune('a' + i))))})
		}
		return txs
	}
	more := func(s *scene) { s.txs = append(s.txs, transaction{Transaction: k.build(txbuild.Memo("more"))}) }
	return []shape{
		set("sixteen transactions", memos(16)...).spoiledBy("G7", "one more", more),
		set("twenty transactions, as the intent says", memos(20)...).with(func(s *scene) { s.intent.MaxTransactions = 20 }).
			spoiledBy("G7", "one more", more),
		set("network fees at their cap over a set", k.inFee(40_000), k.inFee(60_000, txbuild.Memo("2"))).
			with(func(s *scene) { s.intent.MaxNetworkFeeLamports = new(walletfi.Amount(110_000)) }).
			spoiledBy("G7", "a lamport more", func(s *scene) { s.intent.MaxNetworkFeeLamports = new(walletfi.Amount(109_999)) }),
	}
}
