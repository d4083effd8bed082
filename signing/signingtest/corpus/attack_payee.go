package corpus

import "github.com/walletfi/walletfi-go/signing/internal/txbuild"

// payeeAttacks send a payment within its caps to someone else.
func (k *cast) payeeAttacks() []technique {
	paying := func(rule, name, aim string, instructions ...ins) technique {
		return k.attack(rule, name, aim, instructions...).with(func(s *scene) {
			s.intent.PayTo, s.intent.OutputTo = []string{text(k.friend)}, nil
			s.intent.TipLamports, s.intent.ServiceFee = 0, nil
		})
	}
	half := k.spendUSDC / 2
	friends := func(n uint64) ins { return spl.TransferChecked(k.ourUSDC, k.usdc, k.other, k.owner, n, 6) }
	thiefs := func(n uint64) ins { return spl.TransferChecked(k.ourUSDC, k.usdc, k.thiefs, k.owner, n, 6) }
	sol := k.spend - 1
	return []technique{
		paying("system.create", "a payment into an account of the exchange's", "be paid in the friend's place",
			txbuild.CreateAccount(k.owner, k.fresh, accountRent+sol, 165, k.exchange)),
		paying("system.create", "a payment into a new account of ours", "have a later program take it",
			txbuild.CreateAccount(k.owner, k.fresh, accountRent+sol, 165, spl.Program),
			spl.InitializeAccount3(k.fresh, txbuild.NativeMint, k.owner)),
		paying("token.transfer", "a payment as a fee that a mint withholds", "own the mint that is paid",
			t22.TransferCheckedWithFee(k.ourPump, k.pump, k.ourPump, k.owner, 1<<40, 6, k.spendPump)),
		paying("token.transfer", "a payment to a stranger", "be paid in the friend's place", thiefs(k.spendUSDC)),
		paying("token.transfer", "half of a payment to a stranger", "share the payment", friends(half), thiefs(half)),
		paying("token.transfer", "a payment without its mint to a stranger", "be paid in the friend's place",
			spl.Transfer(k.ourUSDC, k.thiefs, k.owner, k.spendUSDC)),
		paying("token.transfer", "a payment of wrapped SOL to a stranger", "be paid in the friend's place",
			spl.TransferChecked(k.ourSOL, txbuild.NativeMint, k.vaultSOL, k.owner, k.spend, 9)),
		paying("token.transfer", "a payment to the payee's account of another program", "be paid in the friend's place",
			spl.TransferChecked(k.ourUSDC, k.usdc, txbuild.Associated(k.friend, k.usdc, t22.Program), k.owner, k.spendUSDC, 6)),
		paying("token.transfer", "a payment to a stranger within a batch", "have only the first be read",
			spl.Batch(friends(1), thiefs(half))),
		paying("system.transfer", "a payment of SOL to a stranger", "be paid in the friend's place",
			txbuild.Transfer(k.owner, k.thief, k.spend)),
		paying("token.approve", "an approval in a payment's place", "take it tomorrow",
			spl.ApproveChecked(k.ourUSDC, k.usdc, k.named, k.owner, k.spendUSDC, 6)),
	}
}
