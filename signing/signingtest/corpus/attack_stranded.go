package corpus

import "github.com/walletfi/walletfi-go/signing/internal/txbuild"

// strandedAttacks send SOL to addresses that are derived from the owner and
// keep it from the owner all the same.
func (k *cast) strandedAttacks() []technique {
	attack := k.attack
	lamports := func(name, aim string, to Key, before ...ins) technique {
		return attack("system.transfer", name, aim, append(before, txbuild.Transfer(k.owner, to, 100*k.spend))...).
			with(func(s *scene) {
				s.intent.TipLamports, s.intent.ServiceFee = 0, nil
			})
	}
	closable := k.address("a closable mint of the thief's")
	ours := txbuild.Associated(k.owner, closable, t22.Program)
	uncreatable := txbuild.Associated(k.owner, k.usdc, t22.Program)
	wrapped2022 := txbuild.Associated(k.owner, txbuild.NativeMint2022, t22.Program)
	empty := func(s *scene) { s.intent.Spend, s.intent.Burn = nil, nil }
	return []technique{
		lamports("SOL to an address that cannot be created", "have it lost for ever", uncreatable),
		lamports("SOL to our account of a closable mint", "hold it to ransom",
			ours, txbuild.CreateATA(k.owner, ours, k.owner, closable, t22.Program, true)).with(empty),
		lamports("SOL to our account of a mint that is named", "hold it to ransom", k.ourPump),
		lamports("SOL to Token-2022's native account, not made here", "have it lost until someone makes it", wrapped2022),
		lamports("SOL to a listed account that was closed", "fund what its key can open again",
			k.listed, spl.Close(k.listed, k.owner, k.owner)),
		attack("token.close", "wrapped SOL closed to an address that cannot be created", "have it lost for ever",
			spl.Close(k.ourSOL, uncreatable, k.owner), k.loot()),
		attack("token.close", "wrapped SOL closed to our account of a closable mint", "hold it to ransom",
			txbuild.CreateATA(k.owner, ours, k.owner, closable, t22.Program, true),
			spl.Close(k.ourSOL, ours, k.owner), k.loot()),
		attack("token.close", "wrapped SOL unwrapped to our account of another mint", "hold it to ransom",
			spl.Unwrap(k.ourSOL, k.ourUSDC, k.owner, k.spend), k.loot()),
	}
}

// unprovenAttacks declare an associated account at an address that the owner,
// the mint and the program do not derive.
func (k *cast) unprovenAttacks() []technique {
	attack := k.attack
	declared := func(at, wallet, mint, program Key) ins {
		return txbuild.CreateATA(k.owner, at, wallet, mint, program, true)
	}
	return []technique{
		attack("ata.create", "an account that nothing derives, declared ours", "have it pass for ours",
			declared(k.vault, k.owner, k.usdc, spl.Program), k.loot()),
		attack("ata.create", "our account declared under the other program", "have the check look at the wrong one",
			declared(k.ourUSDC, k.owner, k.usdc, t22.Program), k.loot()),
		attack("ata.create", "the thief's account declared ours", "have it pass for ours",
			declared(k.thiefs, k.owner, k.usdc, spl.Program), k.loot()),
		attack("token.transfer", "tokens to an account whose mint hides in a table", "have it pass for ours",
			declared(k.vault, k.owner, k.bonk, spl.Program), spl.TransferChecked(k.ourUSDC, k.usdc, k.vault, k.owner,
				3*k.spendUSDC, 6), k.loot()).with(k.route(k.bonk, k.pool)).as(V0),
	}
}
