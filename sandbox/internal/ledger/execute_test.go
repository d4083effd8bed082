package ledger

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTransferLandsOnce(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	raw := f.tx(a, []solana.Instruction{transfer(a, b, sol)})
	var watched []*Receipt
	f.Watch(func(r *Receipt) { watched = append(watched, r) })

	first, err := f.Submit(raw)
	require.NoError(t, err)
	require.Nil(t, first.Err)
	assert.EqualValues(t, 5000, first.Fee)
	assert.EqualValues(t, sol, f.Balance(b))
	assert.EqualValues(t, int64(9*sol-5000), f.Balance(a))
	assert.Equal(t, []uint64{10 * sol, 0, 1}, first.Pre)
	assert.Equal(t, []uint64{9*sol - 5000, sol, 1}, first.Post)
	assert.Equal(t, []*Receipt{first}, watched)

	second, err := f.Submit(raw)
	assert.Equal(t, ErrAlreadyProcessed, err)
	assert.Same(t, first, second)
	assert.EqualValues(t, sol, f.Balance(b))
	assert.Same(t, first, f.Receipt(first.Signature))
	assert.Len(t, watched, 1)
}

func TestAtomicButForTheFee(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	r := f.run(a, transfer(a, b, sol), transfer(a, b, 100*sol))
	require.NotNil(t, r.Err)
	assert.Equal(t, &TxError{Kind: "InstructionError", Instruction: 1, Cause: Custom(1)}, r.Err)
	assert.Zero(t, f.Balance(b))
	assert.EqualValues(t, int64(10*sol-5000), f.Balance(a))
	assert.Equal(t, []uint64{10*sol - 5000, 0, 1}, r.Post)
	assert.Equal(t, "Program 11111111111111111111111111111111 failed: custom program error: 0x1", r.Logs[len(r.Logs)-1])
	again, err := f.Submit(r.Tx.Raw)
	assert.Equal(t, ErrAlreadyProcessed, err, "a failed transaction has landed too")
	assert.Same(t, r, again)
}

func TestDropped(t *testing.T) {
	f := newFixture(t)
	a, b, poor := f.rich("a"), f.key("b"), f.key("poor")
	f.Airdrop(poor, 4999)
	owned := f.key("owned")
	f.Put(owned, Account{Lamports: sol, Owner: solana.TokenProgramID})
	table := f.key("table")
	f.PutTable(table, []solana.PublicKey{b})
	withoutSignature := f.tx(a, []solana.Instruction{transfer(a, b, 1)})
	clear(withoutSignature[1:65])
	tampered := f.tx(a, []solana.Instruction{transfer(a, b, 1)})
	tampered[len(tampered)-1] ^= 1
	through := f.tx(a, []solana.Instruction{transfer(a, b, 1)}, table)
	stale := f.tx(a, []solana.Instruction{transfer(a, b, 2)})
	pay := func(from solana.PublicKey) []byte { return f.tx(from, []solana.Instruction{transfer(from, b, 1)}) }
	for _, test := range []struct {
		name string
		raw  []byte
		want error
		do   func()
	}{
		{"no signature", withoutSignature, ErrSignature, nil},
		{"tampered", tampered, ErrSignature, nil},
		{"unknown blockhash", f.txOn(solana.Hash{1}, a, []solana.Instruction{transfer(a, b, 1)}), ErrBlockhash, nil},
		{"no such payer", pay(f.key("nobody")), ErrNoAccount, nil},
		{"poor payer", pay(poor), ErrFee, nil},
		{"payer is no wallet", pay(owned), ErrPayer, nil},
		{"unknown program", f.tx(a, []solana.Instruction{in(f.key("program"), nil, sw(a))}), ErrNoProgram, nil},
		{"no such table", through, ErrNoTable, func() { delete(f.accounts, table) }},
		{"not a table", through, ErrTableOwner, func() { f.Put(table, Account{Lamports: 1, Owner: solana.SystemProgramID}) }},
		{"index beyond the table", through, ErrTableIndex, func() { f.PutTable(table, nil) }},
		{"loaded twice", through, ErrLoadedTwice, func() { f.PutTable(table, []solana.PublicKey{a}) }},
		{"expired", stale, ErrBlockhash, func() { f.slot += 152 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.do != nil {
				test.do()
			}
			r, err := f.Submit(test.raw)
			assert.Equal(t, test.want, err)
			assert.Nil(t, r)
		})
	}
	assert.EqualValues(t, int64(10*sol), f.Balance(a), "what is dropped costs nothing")
}

// TestBlockhashAge holds the ledger against Agave: a bank takes a hash that is at
// most 150 blocks old, and executes on the hashes up to its parent's.
func TestBlockhashAge(t *testing.T) {
	for _, test := range []struct {
		age              uint64
		known, simulated bool
		landed           error
	}{
		{0, true, true, nil},
		{149, true, true, nil},
		{150, true, true, nil},
		{151, false, false, nil},
		{152, false, false, ErrBlockhash},
		{1 << 20, false, false, ErrBlockhash},
	} {
		t.Run(fmt.Sprint(test.age), func(t *testing.T) {
			f := newFixture(t)
			a, b := f.rich("a"), f.key("b")
			made := f.slot
			hash, last := f.Blockhash(0)
			assert.Equal(t, f.Height(made)+150, last)
			raw := f.tx(a, []solana.Instruction{transfer(a, b, sol)})
			f.slot += test.age
			assert.Equal(t, test.known, f.BlockhashKnown(hash, f.slot))
			assert.False(t, f.BlockhashKnown(hash, made-1), "no bank knows a later block")
			assert.Equal(t, hash, f.BlockhashOf(made))
			assert.Equal(t, test.landed == nil, f.BlockhashValid(hash))
			_, err := f.Simulate(raw, true, false)
			assert.Equal(t, test.simulated, err == nil, "%v", err)
			_, err = f.Submit(raw)
			if test.landed == nil {
				require.NoError(t, err)
				return
			}
			assert.Equal(t, test.landed, err)
		})
	}
}

func TestBlockhashOfAnotherChain(t *testing.T) {
	f := newFixture(t)
	for name, hash := range map[string]solana.Hash{
		"zero": {}, "another seed": New(8, f).BlockhashOf(f.slot), "no block": {1, 2, 3},
	} {
		assert.False(t, f.BlockhashValid(hash), name)
	}
}

func TestRentIsKept(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	least := Rent(0)
	assert.EqualValues(t, 890_880, least)
	r := f.run(a, transfer(a, b, least-1))
	assert.Equal(t, &TxError{Kind: "InsufficientFundsForRent", Account: 1}, r.Err)
	f.ok(a, transfer(a, b, least))
	r = f.run(a, transfer(a, b, f.Balance(a)-5000-1))
	assert.Equal(t, &TxError{Kind: "InsufficientFundsForRent", Account: 0}, r.Err)
	f.ok(a, transfer(a, b, f.Balance(a)-5000))
	assert.Nil(t, f.Account(a), "an account without lamports is gone")
}

func TestFees(t *testing.T) {
	budget := func(tag uint8, rest any) solana.Instruction { return in(solana.ComputeBudget, words(tag, rest)) }
	f := newFixture(t)
	a, b := f.rich("a"), f.rich("b")
	for _, test := range []struct {
		name string
		with []solana.Instruction
		fee  uint64
	}{
		{"a signature", nil, 5000},
		{"two signatures", []solana.Instruction{transfer(b, a, 1)}, 10_000},
		{"a price for a limit", []solana.Instruction{budget(2, uint32(10_000)), budget(3, uint64(150))}, 5002},
		{"a price without a limit", []solana.Instruction{budget(3, uint64(1_000_000))}, 5000 + 2*3000},
		{"a price for what is no builtin", []solana.Instruction{budget(3, uint64(1_000_000)), in(memoPrograms[0], []byte("x"))}, 5000 + 2*3000 + 200_000},
		{"a precompile of three", []solana.Instruction{in(ed25519Program, []byte{3})}, 20_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := f.run(a, append(test.with, transfer(a, b, 1))...)
			assert.Equal(t, test.fee, r.Fee)
		})
	}
	f.fails(errUnits, a, budget(2, uint32(200)), transfer(a, b, 1))
	_, err := f.Submit(f.tx(a, []solana.Instruction{budget(2, uint32(1)), budget(2, uint32(1))}))
	assert.Equal(t, &TxError{Kind: "DuplicateInstruction", Instruction: 1}, err)
	_, err = f.Submit(f.tx(a, []solana.Instruction{budget(1, uint32(32_769))}))
	assert.Equal(t, &TxError{Kind: "InstructionError", Instruction: 0, Cause: ErrData}, err)
}

func TestLookupTablesLoad(t *testing.T) {
	f := newFixture(t)
	a, b, table := f.rich("a"), f.key("b"), f.key("table")
	f.PutTable(table, []solana.PublicKey{f.key("unused"), b, solana.TokenProgramID})
	r, err := f.Submit(f.tx(a, []solana.Instruction{
		in(solana.SystemProgramID, words(uint32(2), uint64(sol)), sw(a), w(b), solana.Meta(solana.TokenProgramID)),
	}, table))
	require.NoError(t, err)
	require.Nil(t, r.Err)
	assert.Equal(t, V0, r.Tx.Version)
	assert.Equal(t, []solana.PublicKey{a, solana.SystemProgramID, b, solana.TokenProgramID}, r.Keys)
	assert.Equal(t, [2]int{1, 1}, r.Loaded)
	assert.EqualValues(t, sol, f.Balance(b))
}

func TestSimulationChangesNothing(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	raw := f.tx(a, []solana.Instruction{transfer(a, b, sol)})
	clear(raw[1:65])
	_, err := f.Simulate(raw, true, false)
	assert.Equal(t, ErrSignature, err)
	s, err := f.Simulate(raw, false, false)
	require.NoError(t, err)
	require.Nil(t, s.Err)
	assert.EqualValues(t, sol, s.Touched(f.Ledger, b).Lamports)
	assert.EqualValues(t, int64(9*sol-5000), s.Touched(f.Ledger, a).Lamports)
	assert.Nil(t, s.Touched(f.Ledger, f.key("nobody")))
	assert.Zero(t, f.Balance(b))
	f.slot += 500
	_, err = f.Simulate(raw, false, false)
	assert.Equal(t, ErrBlockhash, err)
	s, err = f.Simulate(raw, false, true)
	require.NoError(t, err)
	assert.Nil(t, s.Err)
	assert.Nil(t, f.Receipt(s.Signature))
}

func TestErrorsAsJSON(t *testing.T) {
	for _, test := range []struct {
		err  *TxError
		want string
	}{
		{ErrBlockhash, `"BlockhashNotFound"`},
		{&TxError{Kind: "InstructionError", Instruction: 2, Cause: Custom(6000)}, `{"InstructionError":[2,{"Custom":6000}]}`},
		{&TxError{Kind: "InstructionError", Cause: ErrSigner}, `{"InstructionError":[0,"MissingRequiredSignature"]}`},
		{&TxError{Kind: "InsufficientFundsForRent", Account: 3}, `{"InsufficientFundsForRent":{"account_index":3}}`},
		{&TxError{Kind: "DuplicateInstruction", Instruction: 1}, `{"DuplicateInstruction":1}`},
	} {
		b, err := json.Marshal(test.err)
		require.NoError(t, err)
		assert.Equal(t, test.want, string(b))
		assert.NotEmpty(t, test.err.Error())
	}
	assert.Equal(t, "custom program error: 0x1770", Custom(6000).Error())
}

func TestSubmitAllOrNone(t *testing.T) {
	f := newFixture(t)
	a, b, c := f.rich("a"), f.key("b"), f.key("c")
	first := f.tx(a, []solana.Instruction{transfer(a, b, sol)})
	second := f.tx(b, []solana.Instruction{transfer(b, c, sol/2)}) // b has nothing before the first
	tooMuch := f.tx(b, []solana.Instruction{transfer(b, c, 2*sol)})
	var seen, watched []*Receipt
	f.Watch(func(r *Receipt) { watched = append(watched, r) })

	_, err := f.SubmitAll([][]byte{first, tooMuch}, nil)
	var bundle *BundleError
	require.ErrorAs(t, err, &bundle)
	assert.Equal(t, 1, bundle.Index)
	assert.EqualError(t, err, "transaction 1: Error processing Instruction 0: custom program error: 0x1")
	assert.EqualValues(t, int64(10*sol), f.Balance(a), "the fee is not taken either")
	assert.Zero(t, f.Balance(b))
	assert.Empty(t, watched)
	for r := range f.History(a) {
		assert.Fail(t, "not landed", "%s", r.Signature)
	}

	receipts, err := f.SubmitAll([][]byte{first, second}, func(r *Receipt) { seen = append(seen, r) })
	require.NoError(t, err)
	assert.Equal(t, receipts, seen)
	assert.Equal(t, receipts, watched)
	assert.EqualValues(t, sol/2, f.Balance(c))
	assert.Same(t, receipts[0], f.Receipt(receipts[0].Signature))

	for name, raws := range map[string][][]byte{
		"landed before": {first}, "twice": {f.tx(a, []solana.Instruction{transfer(a, c, 1)}), f.tx(a, []solana.Instruction{transfer(a, c, 1)})},
		"no transaction": {{1, 2}}, "a bad signature": {append([]byte{1, 9}, first[2:]...)},
	} {
		before := f.Balance(c)
		_, err := f.SubmitAll(raws, nil)
		require.ErrorAs(t, err, &bundle, name)
		assert.Equal(t, before, f.Balance(c), name)
	}
}

func TestSubmitAllCallsAfterInOrder(t *testing.T) {
	f := newFixture(t)
	a, program := f.rich("a"), f.key("program")
	var done []byte
	f.Register(program, func(x *Invocation) {
		FailIf(x.Data[0] == 0, Custom(1))
		x.After(func(*Receipt) { done = append(done, x.Data[0]) })
	})
	one, two, bad := f.tx(a, []solana.Instruction{in(program, []byte{1})}), f.tx(a, []solana.Instruction{in(program, []byte{2})}), f.tx(a, []solana.Instruction{in(program, []byte{0})})
	_, err := f.SubmitAll([][]byte{one, bad}, nil)
	var cause *TxError
	require.ErrorAs(t, err, &cause)
	assert.Empty(t, done)
	_, err = f.SubmitAll([][]byte{one, two}, func(*Receipt) { assert.Empty(t, done, "not before all have landed") })
	require.NoError(t, err)
	assert.Equal(t, []byte{1, 2}, done)
}

// TestLongRunReceipts records more transactions than are remembered.
func TestLongRunReceipts(t *testing.T) {
	f := newFixture(t)
	signature := func(n int) (s solana.Signature) {
		s[0], s[1], s[2] = byte(n), byte(n>>8), byte(n>>16)
		return s
	}
	const all = WholeReceipts + Outcomes + 1000
	for n := range all {
		f.slot += 2
		f.record(&Receipt{Signature: signature(n), Slot: f.slot, Fee: uint64(n), Tx: &Transaction{}, Keys: []solana.PublicKey{{1}}, Err: ErrBlockhash})
	}
	young := f.Receipt(signature(all - WholeReceipts))
	require.NotNil(t, young)
	assert.NotNil(t, young.Tx)
	old := f.Receipt(signature(all - WholeReceipts - 1))
	require.NotNil(t, old)
	assert.Nil(t, old.Tx, "its status alone is left")
	assert.EqualValues(t, all-WholeReceipts-1, old.Fee)
	assert.Equal(t, ErrBlockhash, old.Err)
	assert.NotNil(t, f.Receipt(signature(1000)))
	assert.Nil(t, f.Receipt(signature(999)), "forgotten")
	assert.NotNil(t, f.Receipt(f.Vote(f.Receipt(signature(1000)).Slot)), "what is known of others is known of votes")
	assert.Nil(t, f.Receipt(f.Vote(f.Receipt(signature(1000)).Slot-2)), "also that it is forgotten")
	assert.Nil(t, f.Receipt(f.Vote(old.Slot)).Tx)
	assert.Equal(t, young.Slot-1, f.FirstBlock())
	listed := 0
	for range f.History(solana.PublicKey{1}) {
		listed++
	}
	assert.Equal(t, WholeReceipts, listed)

	// However many there are in a short time, the young ones stay whole.
	for n := range WholeReceipts {
		f.record(&Receipt{Signature: signature(all + n), Slot: f.slot, Tx: &Transaction{}})
	}
	f.record(&Receipt{Signature: signature(all + WholeReceipts), Slot: f.slot + youngReceipts/2, Tx: &Transaction{}})
	assert.NotNil(t, f.Receipt(signature(all)).Tx)
}

func TestVotes(t *testing.T) {
	f := newFixture(t)
	other := New(8, f)
	garbled := f.Vote(f.slot)
	garbled[30] ^= 1
	seen := map[solana.Signature]bool{}
	for name, test := range map[string]struct {
		vote solana.Signature
		slot uint64 // 0 if it is not of this chain
	}{
		"of this block":       {f.Vote(f.slot), f.slot},
		"of an old one":       {f.Vote(f.slot - firstKept), f.slot - firstKept},
		"before the first":    {f.Vote(f.slot - firstKept - 1), 0},
		"that is to come":     {f.Vote(f.slot + 1), 0},
		"of another chain":    {other.Vote(f.slot), 0},
		"garbled":             {garbled, 0},
		"no signature at all": {solana.Signature{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			assert.False(t, seen[test.vote], "each is another")
			seen[test.vote] = true
			r := f.Receipt(test.vote)
			if test.slot == 0 {
				assert.Nil(t, r)
				return
			}
			require.NotNil(t, r)
			assert.Equal(t, []any{test.vote, test.slot, f.TimeOf(test.slot)}, []any{r.Signature, r.Slot, r.Time})
			assert.Nil(t, r.Err)
			assert.Equal(t, r.Pre[0]-r.Fee, r.Post[0])
			assert.Equal(t, f.BlockhashOf(test.slot-1), r.Tx.Blockhash)
			assert.Equal(t, solana.VoteProgramID, r.Keys[r.Tx.Instructions[0].Program])
			assert.Equal(t, test.vote, r.Tx.Signatures[0])
			assert.Len(t, r.Pre, len(r.Keys))
			_, err := f.Submit(r.Tx.Raw)
			assert.ErrorIs(t, err, ErrSignature, "none can be sent")
		})
	}
}

func TestBlocks(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	want := map[uint64][]solana.Signature{}
	for lamports := range uint64(7) {
		f.slot += lamports % 3
		r, err := f.Submit(f.tx(a, []solana.Instruction{transfer(a, b, sol+lamports)}))
		require.NoError(t, err)
		want[f.slot] = append(want[f.slot], r.Signature)
	}
	for slot := f.slot - 10; slot <= f.slot; slot++ {
		var got []solana.Signature
		for _, r := range f.Block(slot) {
			assert.Equal(t, slot, r.Slot)
			got = append(got, r.Signature)
		}
		assert.Equal(t, append([]solana.Signature{f.Vote(slot)}, want[slot]...), got)
	}
}
