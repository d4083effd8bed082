package world_test

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// effects tells what a transaction has changed, as a walletfi.EffectsReader does.
func (c *climb) effects(keys []solana.PublicKey, was map[solana.PublicKey]*ledger.Account, fee uint64) *walletfi.Effects {
	e := &walletfi.Effects{Slot: c.node.slot, FeePayer: keys[0].String(), Fee: walletfi.Amount(fee)}
	for _, key := range keys {
		before, after := was[key], c.world.Account(key)
		lamports := walletfi.Change{Before: lamportsOf(before), After: lamportsOf(after)}
		if lamports.Before != lamports.After {
			e.Lamports = append(e.Lamports, walletfi.LamportChange{Account: key.String(), Change: lamports})
		}
		had, isOld := tokenOf(key, before)
		has, isNew := tokenOf(key, after)
		switch same := had.Owner == has.Owner && had.Mint == has.Mint; {
		case isOld && isNew && same && had.After == has.After && lamports.Before == lamports.After:
		case isOld && isNew && same:
			has.Before = had.After
			e.Tokens = append(e.Tokens, has)
		default:
			if isOld {
				had.Before, had.After = had.After, 0
				e.Tokens = append(e.Tokens, had)
			}
			if isNew {
				e.Tokens = append(e.Tokens, has)
			}
		}
	}
	return e
}

func lamportsOf(a *ledger.Account) walletfi.Amount {
	if a == nil {
		return 0
	}
	return walletfi.Amount(a.Lamports)
}

// tokenOf reads a token account as a change from nothing.
func tokenOf(key solana.PublicKey, a *ledger.Account) (walletfi.TokenChange, bool) {
	t, ok := ledger.AsToken(a)
	if !ok {
		return walletfi.TokenChange{}, false
	}
	return walletfi.TokenChange{
		Account: key.String(), Owner: t.Owner().String(), Mint: t.Mint().String(),
		Change: walletfi.Change{After: walletfi.Amount(t.Amount())},
	}, true
}
