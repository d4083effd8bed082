package corpus

import "math"

// withheldAttacks move tokens of a mint among our own accounts, which withholds
// what it likes.
func (k *cast) withheldAttacks() []technique {
	attack := func(name string, instructions ...ins) technique {
		return k.attack("token.transfer", name, "take it as a fee", append(instructions, k.loot())...).with(func(s *scene) {
			s.intent.Burn = nil
			s.policy.Accounts = []OwnAccount{{k.listedBonk, k.bonk}}
		})
	}
	move := func(n uint64) ins { return t22.TransferChecked(k.listedBonk, k.bonk, k.ourBonk, k.owner, n, 5) }
	fees := func(t technique, fee Fee) technique {
		t.scene.policy.Fees = map[Key]Fee{k.bonk: fee}
		return t
	}
	return []technique{
		attack("an unnamed mint moved among our accounts", move(1<<40)),
		attack("an unnamed mint moved among our accounts, without its name",
			t22.Transfer(k.listedBonk, k.ourBonk, k.owner, 1<<40)),
		attack("an unnamed mint moved among our accounts, in a batch", t22.Batch(t22.SyncNative(k.ourPump), move(1<<40))),
		attack("a mint that the intent expects moved among our accounts", move(1<<40), t22.SyncNative(k.ourPump)).
			with(func(s *scene) {
				s.intent.Receive = append(s.intent.Receive, some(k.bonk, 1))
				s.last().Instructions = append(s.last().Instructions, k.trade())
			}),
		attack("more than the spend moved among our accounts", move(k.spendPump+1)).with(func(s *scene) {
			s.intent.Spend = append(s.intent.Spend, some(k.bonk, k.spendPump))
		}),
		attack("the spend moved among our accounts again and again", times(9, move(k.spendPump/8))...).with(func(s *scene) {
			s.intent.Spend = append(s.intent.Spend, some(k.bonk, k.spendPump))
		}),
		attack("what is withheld, as the fee of a wallet that is named",
			t22.TransferCheckedWithFee(k.listedBonk, k.bonk, k.ourBonk, k.owner, 1<<40, 5, k.takeUSDC)).with(func(s *scene) {
			s.intent.ServiceFee = append(s.intent.ServiceFee, some(k.bonk, k.takeUSDC))
			s.intent.FeeTo = []string{text(k.friend)}
		}),
		fees(attack("a mint that withholds all, as the resolver says", move(1<<40)), Fee{10_000, math.MaxUint64}),
		fees(attack("a mint that withholds one unit, as the resolver says", move(1<<40)), Fee{1, 1}),
	}
}

// withholding move tokens among our accounts without a loss.
func (k *cast) withholding() []shape {
	move := t22.TransferChecked(k.listedBonk, k.bonk, k.ourBonk, k.owner, 1<<40, 5)
	moved := func(name string, change func(*Policy)) shape {
		return k.honest("swap", name, move, k.trade()).with(func(s *scene) {
			s.policy.Accounts = []OwnAccount{{k.listedBonk, k.bonk}}
			change(&s.policy)
		})
	}
	return []shape{
		moved("a mint of the policy's moved among our accounts", func(p *Policy) { p.Mints = []Key{k.bonk} }).
			spoiledBy("token.transfer", "that the policy does not name", func(s *scene) { s.policy.Mints = nil }),
		moved("a mint without a fee, as the resolver says", func(p *Policy) { p.Fees = map[Key]Fee{k.bonk: {}} }).
			spoiledBy("token.transfer", "with a fee", func(s *scene) { s.policy.Fees = map[Key]Fee{k.bonk: {100, 1 << 50}} }),
		moved("a mint that the intent spends", func(*Policy) {}).spends(k.bonk, 1<<40).
			spoiledBy("token.transfer", "a unit more", amount(0, tokensAt)),
		moved("a mint that the intent spends, as the resolver says", func(p *Policy) {
			p.Fees = map[Key]Fee{k.bonk: {100, 50}}
		}).spends(k.bonk, 50).
			spoiledBy("token.transfer", "with a larger fee", func(s *scene) { s.policy.Fees = map[Key]Fee{k.bonk: {100, 51}} }),
	}
}
