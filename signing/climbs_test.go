package signing

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func TestAttackedSteps(t *testing.T) {
	two := func() []*scene { return []*scene{numbered(1), numbered(2)} }
	with := func(second ...txbuild.Instruction) []*scene { return []*scene{numbered(1), just(second...)} }
	rent := func(s *scene) {
		s.intent.MaxRentLamports, s.intent.MaxForeignRentLamports = new(walletfi.Amount(2_500_000)), 0
	}
	runClimbs(t, []climb{
		// A budget of the first counted again in the second.
		{name: "SOL spent, then paid", set: with(txbuild.Transfer(owner, friend, 15_001)),
			executed: one(effects(9, ownerLoses(1_000_000))), shows: pays(9, 15_001)},
		{name: "SOL lost, then a tip", set: with(txbuild.Transfer(owner, stranger, 10_000)),
			executed: one(effects(9, ownerLoses(1_015_000))), shows: pays(9, 10_000)},
		{name: "USDC spent, then paid", set: with(spl.TransferChecked(ourUSDC, usdc, friend, owner, 46, 6)),
			executed: one(effects(9, usdcFrom(800, 300))), shows: play(9, usdcNow(300), usdcNow(254))},
		{name: "USDC spent, then burned", set: with(spl.Burn(ourUSDC, usdc, owner, 1)),
			executed: one(effects(9, usdcFrom(800, 255))), shows: play(9, usdcNow(255), usdcNow(254))},
		{name: "paid by bytes, the effects hide it, paid again",
			set: []*scene{only2(1, txbuild.Transfer(owner, friend, 600_000)),
				just(txbuild.Transfer(owner, friend,
					600_000))}, executed: one(effects(9)), shows: pays(9, 600_000)},
		{name: "tipped by bytes, the effects hide it, tipped again",
			set: []*scene{only2(1, txbuild.Transfer(owner, stranger, 10_000)),
				just(txbuild.Transfer(owner, stranger,
					10_000))}, executed: one(effects(9)), shows: still(9), change: noSOL},
		{name: "tipped by bytes, then in a call",
			set: []*scene{only2(1, txbuild.Transfer(owner, stranger, 10_000)),
				numbered(2)}, executed: one(effects(9, ownerLoses(10_000))),
			shows: play(9, nil, accts{owner: ownerAt(900_000_000 - 5000 - 10_000)},
				txbuild.Transfer(owner, stranger, 10_000)), change: noSOL},
		{name: "a tip in the first call, a tip in the second", set: two(),
			executed: one(effects(9, ownerLoses(10_000))),
			shows: play(9, nil, accts{owner: ownerAt(900_000_000 - 5000 - 10_000)},
				txbuild.Transfer(owner, stranger, 10_000)), change: noSOL},
		{name: "rent in the first, rent in the second's call", set: two(),
			executed: one(effects(9, ownerLoses(2_500_000), lam(vault, 0, 2_500_000))),
			shows: play(9, nil, accts{owner: ownerAt(900_000_000 - 5000 - 2_400_000), thief: ownerAt(2_400_000)},
				txbuild.CreateAccount(owner, thief, 2_400_000, 200, rogue)), change: all(rent, noSOL)},
		{name: "rent past its cap in the first", set: two(),
			executed: one(effects(9, ownerLoses(2_510_001),
				lam(vault, 0, 2_510_001))), shows: still(9), change: all(rent, noSOL)},
		{name: "rent by bytes in the first, which the effects hide, and again",
			set: []*scene{only2(1, txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, false)),
				just(txbuild.CreateATA(owner, ourPump, owner, pump, Token2022Program,
					false))}, executed: one(effects(9)), shows: still(9), change: all(rent, noSOL)},
		{name: "a fee of the service twice",
			set: []*scene{only2(1, spl.TransferChecked(ourUSDC, usdc, stranger, owner, 5, 6)),
				just(spl.TransferChecked(ourUSDC, usdc, stranger, owner, 5, 6))}, executed: one(effects(9,
				usdcFrom(800,
					795))), shows: still(9), change: func(s *scene) { s.intent.Spend, s.intent.Burn = nil, nil }},
		{name: "three, each within", set: []*scene{numbered(1), numbered(2), numbered(3)},
			executed: []*walletfi.Effects{effects(9, usdcFrom(800, 550)),
				effects(10, usdcFrom(550, 300))}, shows: play(10, usdcNow(300), usdcNow(50))},
		{name: "four, the last by bytes",
			set: []*scene{numbered(1), numbered(2), numbered(3),
				just(spl.TransferChecked(ourUSDC, usdc, friend, owner, 46,
					6))}, executed: []*walletfi.Effects{effects(9, usdcFrom(800, 700)), effects(10, usdcFrom(700, 600)), effects(11, usdcFrom(600, 300))}, shows: play(11, usdcNow(300), usdcNow(254))},
		{name: "the first paid the priority fees",
			set: with(txbuild.Memo("x"), txbuild.UnitLimit(1_000_000),
				txbuild.UnitPrice(9_000_000)), executed: one(effects(9,
				func(e *walletfi.Effects) { e.Fee = 9_000_000; e.Lamports[0].After -= 9_000_000 - 5000 })), shows: still(9), change: noSOL},
		{name: "priority fees by bytes over the set",
			set: []*scene{only2(1, txbuild.UnitLimit(1_000_000), txbuild.UnitPrice(6_000_000)),
				just(txbuild.Memo("x"), txbuild.UnitLimit(1_000_000),
					txbuild.UnitPrice(6_000_000))}, executed: one(effects(9)), shows: still(9)},
		// A loss in the first that the effects show in another place.
		{name: "another mint lost", set: two(), executed: one(effects(9, tok(ourBonk, owner, bonk, 5, 4))),
			shows: still(9)},
		{name: "the same mint from an account that is not associated", set: two(),
			executed: one(effects(9, tok(addressOf("aux"), owner, usdc, 900, 354))), shows: still(9)},
		{name: "from two accounts, each within", set: two(),
			executed: one(effects(9, usdcFrom(800, 500),
				tok(addressOf("aux"), owner, usdc, 900, 600))), shows: still(9)},
		{name: "a sum that wraps", set: two(),
			executed: one(effects(9, tok(ourUSDC, owner, usdc, 1<<63, 0),
				tok(addressOf("aux"), owner, usdc, 1<<63, 0))), shows: still(9)},
		{name: "a sum that wraps over steps", set: []*scene{numbered(1), numbered(2), numbered(3)},
			executed: []*walletfi.Effects{effects(9, usdcFrom(1<<63, 0)),
				effects(10, usdcFrom(1<<63, 0))}, shows: still(10)},
		{name: "wrapped SOL lost", set: two(),
			executed: one(effects(9, tok(ourWrapped, owner, NativeMint, 2_000_000_000, 0),
				lam(ourWrapped, 2_002_039_280, 2_039_280))), shows: still(9)},
		{name: "our account closed to a stranger", set: two(),
			executed: one(effects(9, lam(ourUSDC, 2_039_280, 0),
				tok(ourUSDC, owner, usdc, 0, 0))), shows: still(9), change: noSOL},
		{name: "a listed account's SOL", set: two(), executed: one(effects(9, lam(listed, 9_000_000_000, 0))),
			shows: still(9)},
		{name: "a listed account's USDC, of another owner", set: two(),
			executed: one(effects(9, tok(listed, multisig, usdc, 800, 0))), shows: still(9)},
		{name: "a key's USDC", set: two(), executed: one(effects(9, tok(addressOf("aux"), multisig, usdc, 800, 0))),
			shows: still(9)},
		{name: "given away with an empty account", set: two(),
			executed: one(effects(9, tok(ourUSDC, owner, usdc, 0, 0),
				tok(ourUSDC, thief, usdc, 0, 1))), shows: play(9, accts{ourUSDC: holding(TokenProgram, usdc, thief,
				1)}, accts{ourUSDC: holding(TokenProgram, usdc, thief, 1)})},
		{name: "the fee is the sponsor's, and the owner paid",
			set: []*scene{numbered(1).with(paidBySponsor),
				numbered(2).with(paidBySponsor)}, executed: one(effects(9,
				func(e *walletfi.Effects) { e.FeePayer = sponsor.String() })), shows: play(9, nil, accts{owner: ownerAt(900_000_000)}), change: func(s *scene) { noSOL(s); s.intent.TipLamports = 0 }},
		{name: "SOL to a new account past all rent", set: two(),
			executed: one(effects(9, ownerLoses(70_000_000), lam(vault, 0, 70_000_000))), shows: still(9)},
		{name: "SOL to many new accounts", set: two(),
			executed: one(effects(9, ownerLoses(70_000_000), lam(vault, 0, 10_000_000), lam(thief, 0, 30_000_000),
				lam(stranger, 0, 30_000_000))), shows: still(9)},
		{name: "SOL to an old account, a lamport new", set: two(),
			executed: one(effects(9, ownerLoses(2_500_000), lam(vault, 1, 2_500_001))), shows: still(9)},
		// Gains do not pay for another asset.
		{name: "SOL gained, USDC lost", set: two(),
			executed: one(effects(9, ownerGains(1<<40), usdcFrom(800, 200))), shows: still(9)},
		{name: "another gains", set: two(),
			executed: one(effects(9, usdcFrom(800, 200), tok(thiefUSDC, thief, usdc, 0, 600))), shows: still(9)},
		// A state that is not real.
		{name: "a slot before", set: two(), executed: one(effects(9)), shows: still(8)},
		{name: "no slot", set: two(), executed: one(effects(9)), shows: still(0)},
		{name: "no state at all", set: two(), executed: one(effects(9, usdcFrom(800, 500))),
			shows: answering(func(SimulationRequest) (*Simulation, error) { return &Simulation{Slot: 9}, nil })},
		{name: "nil", set: two(), executed: one(effects(9)), shows: silent{}},
		{name: "an error", set: two(), executed: one(effects(9)),
			shows: answering(func(SimulationRequest) (*Simulation, error) { return nil, errors.New("down") })},
		{name: "the first's simulation again", set: two(), executed: one(effects(9)),
			shows: play(8, usdcNow(800), usdcNow(300))},
		{name: "accts only, a nonce of ours", set: two(), executed: one(effects(9)),
			shows: answering(func(r SimulationRequest) (*Simulation, error) {
				out, err := still(9).Simulate(context.Background(), r)
				out.StatesOnly = true
				for i, k := range r.Accounts {
					if k == vault {
						out.Before[i], out.After[i] = AccountState{Owner: StakeProgram,
							Data: []byte{1}}, AccountState{Owner: StakeProgram, Data: []byte{2}}
					}
				}
				return out, err
			})},
		// Effects of another transaction.
		{name: "of a failed one", set: two(), executed: one(effects(9, func(e *walletfi.Effects) { e.Err = " " })),
			shows: still(9)},
		{name: "more than there are", set: two(),
			executed: []*walletfi.Effects{effects(9), effects(10), effects(11)}, shows: still(11)},
		{name: "an odd owner", set: two(), executed: one(effects(9, func(e *walletfi.Effects) {
			usdcFrom(800, 0)(e)
			e.Tokens[0].Owner = owner.String() + " "
		})), shows: still(9)},
		{name: "no owner", set: two(), executed: one(effects(9, func(e *walletfi.Effects) {
			usdcFrom(800, 0)(e)
			e.Tokens[0].Owner = ""
		})), shows: still(9)},
		// The set.
		{name: "the second hands over", set: with(spl.SetAuthority(ourUSDC, owner, 2, thief)),
			executed: one(effects(9)), shows: still(9)},
		{name: "the third hands over, at the first",
			set: []*scene{numbered(1), numbered(2),
				just(spl.SetAuthority(ourUSDC, owner, 2, thief))}, shows: still(9)},
		{name: "the third hands over, at the second",
			set: []*scene{numbered(1), numbered(2),
				just(spl.SetAuthority(ourUSDC, owner, 2, thief))}, executed: one(effects(9)), shows: still(9)},
		{name: "the third is of another owner's",
			set: []*scene{numbered(1), numbered(2),
				just(txbuild.Memo("x")).with(func(s *scene) { s.build.Payer = thief })}, shows: still(9)},
		{name: "one more than was asked for", set: []*scene{numbered(1), numbered(2), numbered(3)},
			executed: one(effects(9)), shows: still(9), change: func(s *scene) { s.intent.MaxTransactions = 2 }},
		{name: "a durable nonce in the second", set: with(txbuild.AdvanceNonce(vault, owner), txbuild.Memo("x")),
			executed: one(effects(9)), shows: still(9)},
		{name: "a protected account in the third",
			set: []*scene{numbered(1), numbered(2),
				just(txbuild.Call(exchange, nil, txbuild.Writable(guarded)))}, shows: still(9)},
		{name: "the second has ended", set: two(), executed: one(effects(9)), shows: still(9),
			options: []Option{WithLastValidBlockHeight(100), AtBlockHeight(101)}},
		{name: "the second is of another blockhash",
			set: []*scene{numbered(1),
				numbered(2).with(func(s *scene) { s.build.Blockhash = stranger })}, executed: one(effects(9)), shows: still(9), options: []Option{WithBlockhash(someBlockhash.String())}},
		{name: "made in the first, paid in the second",
			set: []*scene{only2(1, txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram),
				spl.InitializeAccount3(fresh, NativeMint, owner)), just(txbuild.Transfer(owner, fresh,
				1<<30))}, executed: one(effects(9, ownerLoses(accountRent), lam(fresh, 0, accountRent))), shows: still(9)},
		{name: "an unpinned program in the third",
			set: []*scene{numbered(1), numbered(2), just(txbuild.Call(rogue, nil))}, shows: still(9)},
		// Arrival.
		{name: "arrived, and taken back", set: two(), executed: one(effects(9, usdcFrom(0, 100))),
			shows: play(9, usdcNow(100), usdcNow(0)), change: all(receive(usdc, 100))},
		{name: "arrives at another's", set: two(), executed: one(effects(9, tok(thiefUSDC, thief, usdc, 0, 100))),
			shows: still(9), change: receive(usdc, 100)},
		{name: "the first's fee is added twice", set: two(),
			executed: one(effects(9, ownerGains(100_000_000-5000))), shows: play(9, nil,
				accts{owner: ownerAt(900_000_000 - 5000)}), change: receive(NativeMint, 100_000_000)},
		{name: "the first's tip is added twice",
			set: []*scene{only2(1, txbuild.Transfer(owner, stranger, 10_000)),
				numbered(2)}, executed: one(effects(9,
				ownerLoses(10_000))), shows: play(9, nil, accts{owner: ownerAt(1_000_000_000 - 5000 - 10_000)}), change: all(receive(NativeMint, 100_000_000), noSOL)},
		{name: "made rent is added though nobody paid it",
			set: []*scene{only2(1, txbuild.CreateATA(owner, ourUSDC, owner, usdc, TokenProgram, true)),
				numbered(2)}, executed: one(effects(9)), shows: play(9, nil, accts{owner: ownerAt(1_000_000_000 - 5000 - accountRent)}), change: receive(NativeMint, 100_000_000)},
		{name: "all is taken by the first, and nothing can arrive later",
			set: []*scene{numbered(1), just(txbuild.Memo("x"))}, executed: nil, shows: play(9, usdcNow(800),
				usdcNow(300)), change: receive(bonk, 100)},
		{name: "a wrapped arrival that is already the owner's", set: two(),
			executed: one(effects(9, ownerLoses(1_000_000), tok(ourWrapped, owner, NativeMint, 0, 1_000_000),
				lam(ourWrapped, 2_039_280, 3_039_280))), shows: still(9), change: receive(NativeMint, 1_000_000)},

		{name: "honest: exactly what is left", honest: true, set: two(),
			executed: one(effects(9, usdcFrom(800, 300))), shows: play(9, usdcNow(300), usdcNow(255))},
		{name: "honest: a token comes and goes", honest: true, set: two(),
			executed: one(effects(9, tok(ourPump, owner, pump, 0, 5_000), usdcFrom(800, 300))),
			shows: play(9,
				accts{ourUSDC: usdcNow(300)[ourUSDC],
					ourPump: holding(Token2022Program, pump, owner,
						5_000)}, accts{ourUSDC: usdcNow(300)[ourUSDC], ourPump: holding(Token2022Program, pump, owner, 0)})},
		{name: "honest: a later slot", honest: true, set: two(), executed: one(effects(9)), shows: still(1 << 40)},
		{name: "honest: no lamports changed but the fee payer's", honest: true, set: two(),
			executed: one(effects(9)), shows: still(9)},
		{name: "honest: an account of ours is closed to us", honest: true, set: two(),
			executed: one(effects(9, ownerGains(2_039_280), lam(ourUSDC, 2_039_280, 0))), shows: still(9)},
		{name: "honest: SOL is wrapped", honest: true, set: two(),
			executed: one(effects(9, ownerLoses(300_000_000), tok(ourWrapped, owner, NativeMint, 0, 300_000_000),
				lam(ourWrapped, 2_039_280, 302_039_280))), shows: still(9)},
		{name: "honest: a new account of ours is made and filled", honest: true, set: two(),
			executed: one(effects(9, ownerLoses(302_039_280), tok(ourWrapped, owner, NativeMint, 0, 300_000_000),
				lam(ourWrapped, 0, 302_039_280))), shows: still(9)},
		{name: "honest: a sponsor pays", honest: true,
			set: []*scene{numbered(1).with(paidBySponsor),
				numbered(2).with(paidBySponsor)}, executed: one(&walletfi.Effects{Slot: 9,
				FeePayer: sponsor.String(), Fee: 10_000, Lamports: []walletfi.LamportChange{{Account: sponsor.String(), Change: walletfi.Change{Before: 20_000, After: 10_000}}}}), shows: play(9, accts{owner: ownerAt(5)}, accts{owner: ownerAt(5)})},
		{name: "honest: strangers trade in it", honest: true, set: two(),
			executed: one(effects(9, lam(stranger, 5, 9_000_000_000), tok(vault, stranger, usdc, 9, 9_000),
				tok(thiefUSDC, thief, usdc, 5, 0))), shows: still(9)},
		{name: "honest: the first of sixteen", honest: true, set: manyOf(16), shows: still(9)},
		{name: "honest: the last of sixteen", honest: true, set: manyOf(16), executed: quietly(15),
			shows: still(40)},
		{name: "honest: exactly arrives, over both", honest: true, set: two(),
			executed: one(effects(9, ownerGains(50_000_000))), shows: play(9, accts{owner: ownerAt(1_000_000_000)},
				accts{owner: ownerAt(1_050_000_000 - 5000)}), change: receive(NativeMint, 100_000_000)},
		{name: "honest: a tip and arrival", honest: true,
			set: []*scene{only2(1, txbuild.Transfer(owner, stranger, 10_000)),
				numbered(2)}, executed: one(effects(9,
				ownerLoses(10_000))), shows: play(9, nil, accts{owner: ownerAt(1_000_000_000 - 5000)}), change: all(receive(NativeMint, 100_000_000), noSOL)},
	})
}

func noReceive(s *scene) { s.intent.Receive = nil }

func manyOf(n int) (list []*scene) {
	for i := range n {
		list = append(list, numbered(byte(i)))
	}
	return list
}

func quietly(n int) (list []*walletfi.Effects) {
	for i := range n {
		list = append(list, effects(uint64(9+i)))
	}
	return list
}

// TestAttackedStepDelegateOfThree: three transactions, each approves the whole spend again after
// the delegate has taken it.
func TestAttackedStepDelegateOfThree(t *testing.T) {
	approve := func(memo string) *scene {
		return just(spl.Approve(ourUSDC, approved, owner, 500), txbuild.Memo(memo),
			txbuild.Call(exchange, []byte{1}, txbuild.WritableSigner(owner), txbuild.Writable(ourUSDC)))
	}
	has := func(n uint64) AccountState { return holding(TokenProgram, usdc, owner, n, withDelegate(approved, 500)) }
	c := climb{set: []*scene{approve("1"), approve("2"), approve("3")},
		executed: []*walletfi.Effects{effects(9), effects(10)},
		shows:    play(10, accts{ourUSDC: has(1000)}, accts{ourUSDC: has(1000)})}
	_, _, err := c.try(t, txbuild.V0)
	require.Error(t, err, "signed")
	t.Log(err)
}

// TestAttackedStepSlots: effects without a slot, or whose newest is not the last, let a simulator that lags pass.
func TestAttackedStepSlots(t *testing.T) {
	two := func() []*scene { return []*scene{numbered(1), numbered(2)} }
	runClimbs(t, []climb{
		{name: "no slot of either", set: two(), executed: one(effects(0)), shows: still(0)},
		{name: "the effects have no slot", set: two(), executed: one(effects(0)), shows: still(1)},
		{name: "the last slot is not the newest", set: []*scene{numbered(1), numbered(2), numbered(3)},
			executed: []*walletfi.Effects{effects(10), effects(9)}, shows: still(9)},
		{name: "one of them has no slot", set: []*scene{numbered(1), numbered(2), numbered(3)},
			executed: []*walletfi.Effects{effects(10), effects(0)}, shows: still(5)},
	})
}
