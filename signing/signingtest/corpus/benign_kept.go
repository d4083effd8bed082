package corpus

import "github.com/walletfi/walletfi-go/signing/internal/txbuild"

// kept move SOL and tokens among accounts that are proven to be ours.
func (k *cast) kept() []shape {
	wrapped2022 := txbuild.Associated(k.owner, txbuild.NativeMint2022, t22.Program)
	uncreatable := txbuild.Associated(k.owner, k.usdc, t22.Program)
	make2022 := txbuild.CreateATA(k.owner, wrapped2022, k.owner, txbuild.NativeMint2022, t22.Program, true)
	return []shape{
		k.honest(
			"swap", "SOL to the wrapped account", txbuild.Transfer(k.owner, k.ourSOL, 100*k.spend), spl.SyncNative(k.ourSOL),
		).
			spoiledBy("system.transfer", "to an address that cannot be created", account(0, 1, uncreatable)),
		k.honest("amm", "SOL to Token-2022's native account, made here",
			make2022, txbuild.Transfer(k.owner, wrapped2022, k.spend), t22.SyncNative(wrapped2022)).
			spoiledBy("system.transfer", "not made here", without(0)),
		k.honest("burnclose", "wrapped SOL closed to Token-2022's native account, made here",
			make2022, spl.Close(k.ourSOL, wrapped2022, k.owner)).
			spoiledBy("token.close", "not made here", without(0)),
		k.honest("lending", "an account of ours made, and one of a friend's", txbuild.CreateATA(k.owner, k.ourUSDC, k.owner,
			k.usdc, spl.Program, true), txbuild.CreateATA(k.owner, k.other, k.friend, k.usdc, spl.Program, true)).
			with(func(s *scene) { s.intent.MaxForeignRentLamports = accountRent }).
			spoiledBy("ata.create", "the friend's at the thief's address", account(1, 1, k.thiefs)),
	}
}
