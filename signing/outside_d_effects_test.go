package signing_test

import (
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideDEffects: what the executed transactions of a set have changed, also of accounts that the caller lists,
// and effects that cannot be.
func TestOutsideDEffects(t *testing.T) {
	pays := []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500)}
	brings := []ins{moveBONK(dPoolBONK, xMyBONK, dPool, 5)}
	half := []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 250), moveBONK(dPoolBONK, xMyBONK, dPool, 3)}
	vaulted := accs{dVault: solNow(10_000_000_000), dVaultJUP: dJUP(dVault, 900), xMyWSOL: dWSOL(xOwner, 0)}
	lists := func(a attempt) attempt {
		a.policy.Accounts = append(a.policy.Accounts, signing.OwnAccount{Address: dVault})
		a.policy.Keys = append(a.policy.Keys, dKey)
		return a
	}
	set := func(name string, honest bool, done int, i []func(*walletfi.Intent), calls ...[]ins) attempt {
		return lists(inSteps(inSets(name, honest, i, vaulted, true, calls...), done, nil))
	}
	tamper := func(a attempt, f func(*walletfi.Effects)) attempt {
		f(a.step.Executed[0])
		return a
	}
	honest2 := func(name string) attempt { return set(name, false, 1, dSwap, half, half) }
	runAttempts(t, []attempt{
		set("Y1 honest: halves, the second", true, 1, dSwap, half, half),
		set("Y2 the vault has lost SOL in the first", false, 1, dSwap,
			seq(half, []ins{txbuild.Transfer(dVault, xThief, 1_000_000_000)}), half),
		set("Y3 the vault's JUP went in the first", false, 1, dSwap,
			seq(half, []ins{moveJUP(dVaultJUP, dThJUP, dVault, 900)}), half),
		set("Y4 honest: the vault paid us in the first", true, 1, dSwap,
			seq(half, []ins{txbuild.Transfer(dVault, xOwner, 1_000_000_000)}), half),
		set("Y5 the vault paid us in the first, we pay the thief in the second", false, 1, dSwap,
			seq(half, []ins{txbuild.Transfer(dVault, xOwner, 1_000_000_000)}),
			seq(half, []ins{txbuild.Transfer(xOwner, xThief, 1_000_000_000)})),
		set("Y6 the vault's JUP came to us in the first, and goes in the second", false, 1, dSwap,
			seq(half, []ins{moveJUP(dVaultJUP, xMyJUP, dVault, 900)}),
			seq(half, []ins{moveJUP(xMyJUP, dThJUP, xOwner, 900)})),
		set("Y7 a key's SOL went in the first", false, 1, dSwap,
			seq(half, []ins{txbuild.Transfer(dKey, xThief, 1_000_000)}), half),
		set("Y8 our SOL went in the first, as rent of a new wallet", false, 1, dSwap,
			seq(half, []ins{txbuild.Transfer(xOwner, outAddr("new wallet"), 900_000_000)}), half),
		set("Y9 the first took the tip, the second too", false, 1, intents(gets(xBONK, 5), tips(10_000)),
			seq(half, []ins{txbuild.Transfer(xOwner, xThief, 10_000)}),
			seq(half, []ins{txbuild.Transfer(xOwner, xThief, 10_000)})),
		set("Y10 honest: the first took the tip", true, 1, intents(gets(xBONK, 5), tips(10_000)),
			seq(half, []ins{txbuild.Transfer(xOwner, xFriend, 10_000)}), half),
		set("Y11 the first burned JUP", false, 1, dSwap, seq(half, []ins{xTok.Burn(xMyJUP, xJUP, xOwner, 1)}), half),
		set("Y12 the first froze our JUP account after filling it", false, 1, dSwap,
			seq(half, []ins{xTok.Freeze(xMyUSDC, xUSDC, xThief)}),
			[]ins{moveBONK(dPoolBONK, xMyBONK, dPool,
				2)}).limit("effects do not tell of a freeze, and the issuer can do it at any time"),
		tamper(honest2("Y13 the effects name another payer"),
			func(e *walletfi.Effects) { e.FeePayer = xThief.String() }).limit("a step counts by its lamports"),
		tamper(honest2("Y14 the effects' fee is past the cap"),
			func(e *walletfi.Effects) { e.Fee = 20_000_000 }).limit("a step counts by its lamports"),
		tamper(honest2("Y15 the effects name an account that is none"),
			func(e *walletfi.Effects) { e.Lamports[0].Account = "x" }),
		tamper(honest2("Y16 the effects name a mint that is none"),
			func(e *walletfi.Effects) { e.Tokens[0].Mint = "" }),
		tamper(honest2("Y17 the effects are in no slot"), func(e *walletfi.Effects) { e.Slot = 0 }),
		tamper(honest2("Y18 the effects are of a later slot than the simulation"),
			func(e *walletfi.Effects) { e.Slot = 21 }),
		tamper(honest2("Y19 the effects failed"), func(e *walletfi.Effects) { e.Err = "custom 1" }),
		tamper(honest2("Y20 the effects name another signature"),
			func(e *walletfi.Effects) { e.Signature = signing.Signature{1}.String() }),
		tamper(set("Y22 SOL that went in the first is called its fee", false, 1, dSwap,
			seq(half, []ins{txbuild.Transfer(xOwner, xThief, 1_000_000_000)}), half),
			func(e *walletfi.Effects) { e.Fee += 1_000_000_000 }),
		tamper(set("Y23 the same, as another's fee", false, 1, dSwap,
			seq(half, []ins{txbuild.Transfer(xOwner, xThief, 1_000_000_000)}), half),
			func(e *walletfi.Effects) { e.FeePayer = xThief.String() }),
		set("Y21 paid in the first, and again in the third", false, 2, dSwap, pays, brings, pays),
	})
}
