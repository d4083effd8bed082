package signing

import (
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestAttackedLifts: what a key of ours, or a delegation, moves to the owner does not pass through the
// owner's accounts: it was ours to move, and is lost if it goes on to a stranger.
func TestAttackedLifts(t *testing.T) {
	aux, ourJUP := addressOf("a key's account"), AssociatedTokenAddress(owner, listed, TokenProgram)
	jup := listed // a mint that no intent names
	inCall := func(list ...txbuild.Instruction) (all []InnerInstruction) {
		for _, i := range list {
			all = append(all, inner(i))
		}
		return all
	}
	row := func(before, after accts, writes PublicKey, list ...txbuild.Instruction) *scene {
		s := ordinary(txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Signer(maker), txbuild.Writable(ourUSDC),
			txbuild.Writable(ourBonk), txbuild.Writable(ourJUP), txbuild.Writable(writes), txbuild.Writable(vault)))
		s.policy.Accounts, s.policy.Protected, s.policy.AllowBlind = nil, nil, nil
		s.policy.Keys, s.policy.CoSigners = []PublicKey{maker}, []PublicKey{maker}
		s.intent.Spend, s.intent.Burn = []walletfi.Asset{{Mint: usdc.String(), Amount: 500}}, nil
		s.intent.Receive = []walletfi.Asset{{Mint: bonk.String(), Amount: 10}}
		s.intent.TipLamports, s.intent.ServiceFee, s.intent.OutputTo = 0, nil, nil
		st := &stage{before: accts{owner: {Lamports: 5_000_000_000}, ourJUP: holding(TokenProgram, jup, owner, 0)},
			after: accts{owner: {Lamports: 5_000_000_000 - 10_000}, ourBonk: holding(Token2022Program, bonk, owner, 10)}, inner: inCall(list...)}
		for k, v := range before {
			st.before[k] = v
		}
		for k, v := range after {
			st.after[k] = v
		}
		s.policy.Simulator = st
		return s
	}
	holds := func(of PublicKey, n uint64, change ...func([]byte)) AccountState {
		return holding(TokenProgram, jup, of, n, change...)
	}
	lifts := spl.TransferChecked(aux, jup, ourJUP, maker, 900, 6)
	takes := spl.TransferChecked(ourJUP, jup, vault, owner, 900, 6)
	key := func(n uint64) accts { return accts{aux: holds(maker, n)} }
	gained := accts{aux: holds(maker, 0), ourJUP: holds(owner, 900)}
	lent := withDelegate(owner, 900)
	before := row(key(900), key(0), aux, takes)
	before.instructions = append([]txbuild.Instruction{lifts}, before.instructions...)
	for i := range before.policy.Simulator.(*stage).inner {
		before.policy.Simulator.(*stage).inner[i].Outer = 1
	}
	runVerdicts(t, []verdict{
		{"a key's tokens", row(key(900), key(0), aux, lifts, takes), RuleTokenTransfer},
		{"a key's tokens, moved before the call", before, RuleTokenTransfer},
		{"a key's SOL", row(accts{maker: {Lamports: 3_000_890_880}}, accts{maker: {Lamports: 890_880}}, maker,
			txbuild.Transfer(maker, owner, 3_000_000_000), txbuild.Transfer(owner, thief, 3_000_000_000)), RuleSystemTransfer},
		{"what the owner is a delegate of", row(accts{aux: holds(friend, 900, lent)}, accts{aux: holds(friend, 0)}, aux,
			spl.TransferChecked(aux, jup, ourJUP, owner, 900, 6), takes), RuleTokenTransfer},
		{"a key's tokens, straight", row(key(900), key(0), aux, spl.TransferChecked(aux, jup, vault, maker, 900, 6)), RuleTokenTransfer},
		{"a key's SOL, straight", row(accts{maker: {Lamports: 3_000_890_880}}, accts{maker: {Lamports: 890_880}}, maker,
			txbuild.Transfer(maker, thief, 3_000_000_000)), RuleSystemTransfer},
		{"a delegation's, straight", row(accts{aux: holds(friend, 900, lent)}, accts{aux: holds(friend, 0)}, aux,
			spl.TransferChecked(aux, jup, vault, owner, 900, 6)), RuleTokenTransfer},
		{"a key's tokens arrive", row(accts{aux: holding(Token2022Program, bonk, maker, 10)}, accts{aux: holding(Token2022Program, bonk, maker, 0)}, aux,
			t22.TransferChecked(aux, bonk, ourBonk, maker, 10, 6)), RuleSimulationArrival},
		{"a part of it goes on", row(key(900), accts{aux: holds(maker, 0), ourJUP: holds(owner, 899)}, aux,
			lifts, spl.TransferChecked(ourJUP, jup, vault, owner, 1, 6)), RuleTokenTransfer},
		{"it stays", row(key(900), gained, aux, lifts), ""},
		{"what a stranger brings passes", row(accts{aux: holds(stranger, 900)}, accts{aux: holds(stranger, 0)}, aux,
			spl.TransferChecked(aux, jup, ourJUP, stranger, 900, 6), takes), ""},
		{"what a new account of a key's held for a moment passes", row(nil, nil, aux,
			spl.TransferChecked(vault, jup, aux, stranger, 900, 6), lifts, takes), ""},
	}, txbuild.V0)
}
