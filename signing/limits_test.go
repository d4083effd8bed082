package signing

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestEntriesOfOneMint: two of what may be spent add up, and each of what should
// arrive needs an arrival of its own mint.
func TestEntriesOfOneMint(t *testing.T) {
	spends := func(s *scene) {
		s.intent.Spend = []walletfi.Asset{{Mint: usdc.String(), Amount: 300}, {Mint: usdc.String(), Amount: 200}}
		s.intent.ServiceFee = nil
	}
	receives := func(mints ...PublicKey) func(*scene) {
		return func(s *scene) {
			for _, mint := range mints {
				s.intent.Receive = append(s.intent.Receive, walletfi.Asset{Mint: mint.String(), Amount: 1})
			}
		}
	}
	spend := func(amount uint64) txbuild.Instruction { return spl.Transfer(ourUSDC, vault, owner, amount) }
	paysUSDC := spl.TransferChecked(vault, usdc, ourUSDC, fresh, 5, 6)
	paysPump := t22.TransferChecked(vault, pump, ourPump, fresh, 5, 6)
	runVerdicts(t, []verdict{
		allow("both entries together", spend(500)).with(spends),
		allow("both entries, in pieces", spend(250), spend(250)).with(spends),
		refuse("past both entries", RuleTokenTransfer, spend(501)).with(spends),
		refuse("past both entries, in pieces", RuleTokenTransfer, spend(250), spend(251)).with(spends),

		allow("one that arrives", paysUSDC).with(receives(usdc)),
		refuse("two are expected, the first arrives", RuleArrival, paysUSDC).with(receives(usdc, pump)),
		refuse("two are expected, the second arrives", RuleArrival, paysUSDC).with(receives(pump, usdc)),
		allow("both arrive", paysUSDC, paysPump).with(receives(usdc, pump)),
		allow("a pinned program can bring both", txbuild.Call(exchange, nil, txbuild.Writable(ourUSDC), txbuild.Writable(ourPump))).with(receives(usdc, pump)),
		allow("two calls can", txbuild.Call(exchange, nil, txbuild.Writable(ourPump)), txbuild.Call(exchange, nil, txbuild.Writable(ourUSDC))).with(receives(usdc, pump)),
		refuse("a pinned program can bring one", RuleArrival, txbuild.Call(exchange, nil, txbuild.Writable(ourUSDC), txbuild.Readonly(ourPump))).with(receives(usdc, pump)),
		allow("to a listed account", txbuild.Call(exchange, nil, txbuild.Writable(listed))).with(receives(usdc)),
		refuse("to a listed account of another mint", RuleArrival, txbuild.Call(exchange, nil, txbuild.Writable(listed))).with(receives(pump)),
		allow("to a listed account of any mint", txbuild.Call(exchange, nil, txbuild.Writable(listed))).with(receives(pump)).with(func(s *scene) { s.policy.Accounts[0].Mint = PublicKey{} }),
		allow("to one made here", txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, bonk, owner), txbuild.Call(exchange, nil, txbuild.Writable(fresh))).with(receives(bonk)),
		refuse("to one made here of another mint", RuleArrival, txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, bonk, owner), txbuild.Call(exchange, nil, txbuild.Writable(fresh))).with(receives(usdc)),
	})
}

// TestMadeClosedMadeAgain: an account that is made, closed and made again by us is ours
// again, until it is closed again.
func TestMadeClosedMadeAgain(t *testing.T) {
	create := txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram)
	init, closing := spl.InitializeAccount3(fresh, NativeMint, owner), spl.Close(fresh, owner, owner)
	pay := txbuild.Transfer(owner, fresh, 1<<40)
	runVerdicts(t, []verdict{
		allow("paid while it is open again", create, init, closing, create, init, pay, closing),
		refuse("paid between", RuleTip, create, init, closing, pay, create, init),
		refuse("paid after the second close", RuleTip, create, init, closing, create, init, closing, pay),
		refuse("made again and initialised to a thief", RuleSystemCreate, create, init, closing, create, spl.InitializeAccount3(fresh, NativeMint, thief)),
	})
}

// TestLimitsAtTheirEdge: the largest heap, size and number of accounts are good, one
// more is not.
func TestLimitsAtTheirEdge(t *testing.T) {
	heap := func(bytes uint32) func(*scene) {
		return func(s *scene) { s.build.Config = txbuild.Config{Heap: &bytes} }
	}
	runVerdicts(t, []verdict{
		allow("the largest heap", txbuild.HeapFrame(262_144)),
		allow("the smallest heap", txbuild.HeapFrame(32_768)),
		refuse("a step more", RuleComputeBudget, txbuild.HeapFrame(262_144+1024)),
		refuse("a step less", RuleComputeBudget, txbuild.HeapFrame(32_768-1024)),
	})
	runVerdicts(t, []verdict{
		allow("the largest heap in the config", txbuild.Memo("x")).with(heap(262_144)),
		refuse("a step more in the config", RuleComputeBudget, txbuild.Memo("x")).with(heap(262_144 + 1024)),
	}, txbuild.V1)

	size := func(format txbuild.Format, total int) []byte {
		tx := txbuild.Transaction{Format: format, Payer: owner, Blockhash: someBlockhash}
		memo := func(n int) []byte {
			tx.Instructions = []txbuild.Instruction{{Program: txbuild.MemoV2, Data: make([]byte, n)}}
			return tx.Bytes()
		}
		return memo(500 + total - len(memo(500)))
	}
	for format, most := range map[txbuild.Format]int{txbuild.Legacy: 1232, txbuild.V0: 1232, txbuild.V1: 4096} {
		b := size(format, most)
		require.Len(t, b, most)
		require.NoError(t, wiretest.Error(DecodeBytes(b)), format)
		require.ErrorIs(t, wiretest.Error(DecodeBytes(size(format, most+1))), ErrRefused, format)
	}
	require.Equal(t, 4096, txwire.MaxSizeV1)

	accounts := func(n int) []byte { // n keys: the payer, the program and those of a memo
		ins := txbuild.Instruction{Program: txbuild.MemoV2, Data: []byte("x")}
		for i := range n - 2 {
			ins.Accounts = append(ins.Accounts, txbuild.Account{Key: addressOf(fmt.Sprint("account ", i))})
		}
		return txbuild.Transaction{Format: txbuild.V1, Payer: owner, Blockhash: someBlockhash, Instructions: []txbuild.Instruction{ins}}.Bytes()
	}
	tx, err := DecodeBytes(accounts(64))
	require.NoError(t, err)
	require.Equal(t, 64, tx.wire.KeyCount)
	_, err = DecodeBytes(accounts(65))
	refusal := wiretest.As[*GuardError](t, err)
	require.Equal(t, RuleSanity, refusal.Rule)
}
