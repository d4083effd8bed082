package ledger

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// v1 writes a transaction in the newest format. The signer is the payer.
func (f *fixture) v1(mask uint32, config []byte, keys []solana.PublicKey, instructions ...Compiled) []byte {
	hash, _ := f.Blockhash(0)
	b := []byte{0x81, 1, 0, byte(len(keys) - 2)}
	b = append(b, words(mask)...)
	b = append(b, hash[:]...)
	b = append(b, byte(len(instructions)), byte(len(keys)))
	for _, k := range keys {
		b = append(b, k[:]...)
	}
	b = append(b, config...)
	for _, in := range instructions {
		b = append(b, byte(in.Program), byte(len(in.Accounts)))
		b = append(b, words(uint16(len(in.Data)))...)
	}
	for _, in := range instructions {
		for _, a := range in.Accounts {
			b = append(b, byte(a))
		}
		b = append(b, in.Data...)
	}
	return append(b, ed25519.Sign(f.keys[keys[0]], b)...)
}

func TestV1IsCarriedOut(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	keys := []solana.PublicKey{a, b, solana.SystemProgramID}
	pay := Compiled{2, []int{0, 1}, words(uint32(2), uint64(sol))}
	config := words(uint64(777), uint32(5000), uint32(65536))
	raw := f.v1(3|4|8, config, keys, pay)
	raw[3] = 1 // the system program alone is read-only
	raw = append(raw[:len(raw)-64], ed25519.Sign(f.keys[a], raw[:len(raw)-64])...)

	r, err := f.Submit(raw)
	require.NoError(t, err)
	require.Nil(t, r.Err, "%v", r.Logs)
	assert.Equal(t, V1, r.Tx.Version)
	assert.Equal(t, &BudgetV1{777, 5000, 65536, 32768}, r.Tx.Budget)
	assert.EqualValues(t, 5777, r.Fee)
	assert.EqualValues(t, sol, f.Balance(b))

	_, err = f.Submit(f.v1(4, words(uint32(5000)), keys, pay))
	assert.Equal(t, ErrTooMuchData, err, "without a limit it may load nothing")
	without := f.v1(8, words(uint32(65536)), keys, pay)
	r, err = f.Submit(without)
	require.NoError(t, err)
	assert.Equal(t, errUnits, r.Err.Cause, "without a limit it may use nothing")
}

func TestV1Refused(t *testing.T) {
	f := newFixture(t)
	a := f.rich("a")
	keys := []solana.PublicKey{a, f.key("b"), solana.SystemProgramID}
	good := f.v1(0, nil, keys, Compiled{2, []int{0}, []byte{1}})
	_, err := Parse(good)
	require.NoError(t, err)
	change := func(at int, to byte) []byte {
		c := bytes.Clone(good)
		c[at] = to
		return c
	}
	for name, raw := range map[string][]byte{
		"an address twice":       f.v1(0, nil, []solana.PublicKey{keys[0], keys[0], keys[2]}),
		"half a fee":             f.v1(1, words(uint32(1)), keys),
		"an unknown bit":         f.v1(32, nil, keys),
		"an odd heap":            f.v1(16, words(uint32(40_000)), keys),
		"too many signatures":    change(1, 13),
		"no signature":           change(1, 0),
		"more keys than allowed": change(41, 65),
		"short":                  good[:len(good)-1],
		"long":                   append(bytes.Clone(good), 0),
		"payer as a program":     change(42+96, 0),
		"program out of range":   change(42+96, 3),
		"account out of range":   change(42+96+4, 3),
		"too large":              append(bytes.Clone(good), make([]byte, MaxSizeV1)...),
	} {
		_, err := Parse(raw)
		assert.Error(t, err, name)
	}
}

func TestParseAgreesWithTheLibrary(t *testing.T) {
	f := newFixture(t)
	a, b, table := f.rich("a"), f.key("b"), f.key("table")
	f.PutTable(table, []solana.PublicKey{b})
	for _, raw := range [][]byte{
		f.tx(a, []solana.Instruction{transfer(a, b, 5), in(memoPrograms[0], []byte("hello"), s(a))}),
		f.tx(a, []solana.Instruction{transfer(a, b, 5)}, table),
	} {
		want, err := solana.TransactionFromBytes(raw)
		require.NoError(t, err)
		got, err := Parse(raw)
		require.NoError(t, err)
		assert.Equal(t, want.Signatures, got.Signatures)
		assert.Equal(t, want.Message.RecentBlockhash, got.Blockhash)
		message, err := want.Message.MarshalBinary()
		require.NoError(t, err)
		assert.Equal(t, message, got.Message)
		assert.Len(t, got.Instructions, len(want.Message.Instructions))
		for i, in := range want.Message.Instructions {
			assert.Equal(t, []byte(in.Data), got.Instructions[i].Data)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	good := f.tx(a, []solana.Instruction{transfer(a, b, 5)})
	_, err := Parse(good)
	require.NoError(t, err)
	change := func(at int, to ...byte) []byte {
		c := bytes.Clone(good)
		copy(c[at:], to)
		return c
	}
	for name, raw := range map[string][]byte{
		"nothing":                nil,
		"trailing byte":          append(bytes.Clone(good), 0),
		"too large":              append(bytes.Clone(good), make([]byte, MaxSize)...),
		"signature count":        change(65, 2),
		"payer read-only":        change(66, 1),
		"more read-only":         change(67, 3),
		"version":                change(65, 0x82),
		"long form of a count":   append([]byte{0x81 - 1, 0}, good[1:]...),
		"endless count":          {0xff, 0xff, 0xff, 0xff},
		"count beyond the bytes": {0xff, 0xff, 0x03},
	} {
		_, err := Parse(raw)
		assert.Error(t, err, name)
	}
	for n := range good {
		_, err := Parse(good[:n])
		assert.Error(t, err, "cut at %d", n)
	}
}

func FuzzSubmit(f *testing.F) {
	x := newFixture(&testing.T{})
	a, b := x.rich("a"), x.key("b")
	f.Add(x.tx(a, []solana.Instruction{transfer(a, b, 5), in(solana.TokenProgramID, []byte{255, 1, 1, 5}, sw(a))}))
	f.Add(x.v1(4, words(uint32(5000)), []solana.PublicKey{a, b, solana.SystemProgramID}, Compiled{2, []int{0, 1}, words(uint32(2), uint64(1))}))
	f.Add([]byte{0x80, 1, 2, 3})
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := newFixture(t)
		l.Airdrop(a, sol)
		l.PutMint(b, NewMint{Decimals: 2})
		l.MintTo(a, b, 1000)
		before := l.total()
		s, err := l.Simulate(raw, false, true)
		if err != nil {
			return
		}
		assert.Equal(t, before, l.total())
		var pre, post uint64
		for i := range s.Keys {
			pre, post = pre+s.Pre[i], post+s.Post[i]
		}
		assert.Equal(t, pre-s.Fee, post, "lamports appeared or vanished")
	})
}

func TestAccountsAsTheyWere(t *testing.T) {
	f := newFixture(t)
	f.Remembered = 4
	a, b := f.rich("a"), f.key("b")
	f.ok(a, transfer(a, b, sol))
	first := f.slot
	_, err := f.Submit(f.tx(a, []solana.Instruction{transfer(a, b, sol+1)}))
	require.NoError(t, err, "a second change in the slot")
	f.slot += 2
	_, err = f.SubmitAll([][]byte{
		f.tx(b, []solana.Instruction{transfer(b, f.key("c"), sol)}),
		f.tx(b, []solana.Instruction{transfer(b, f.key("c"), sol-9999)}),
	}, nil)
	require.NoError(t, err)
	held := func(k solana.PublicKey, slot uint64) uint64 {
		if account := f.AccountAt(k, slot); account != nil {
			return account.Lamports
		}
		return 0
	}
	listed := func(slot uint64) (n int) {
		f.EachAt(slot, func(k solana.PublicKey, account *Account) bool {
			if k == a || k == b || k == f.key("c") {
				assert.Equal(t, held(k, slot), account.Lamports)
				n++
			}
			return true
		})
		return n
	}
	for _, test := range []struct {
		slot    uint64
		a, b, c uint64
		listed  int
	}{
		{first - 1, 10 * sol, 0, 0, 1},
		{first, 8*sol - 10_001, 2*sol + 1, 0, 2},
		{first + 1, 8*sol - 10_001, 2*sol + 1, 0, 2},
		{first + 2, 8*sol - 10_001, 0, 2*sol - 9999, 2},
		{first + 3, 8*sol - 10_001, 0, 2*sol - 9999, 2},
	} {
		got := []uint64{held(a, test.slot), held(b, test.slot), held(f.key("c"), test.slot)}
		assert.Equal(t, []uint64{test.a, test.b, test.c}, got, "slot %d", test.slot-first)
		assert.Equal(t, test.listed, listed(test.slot))
	}
	assert.Equal(t, f.Account(a), f.AccountAt(a, f.slot))
}

// TestPastIsLetGo runs on for longer than is remembered.
func TestPastIsLetGo(t *testing.T) {
	f := newFixture(t)
	a, b := f.rich("a"), f.key("b")
	f.Remembered = 4
	for range 20 {
		f.ok(a, transfer(a, b, sol/100))
	}
	assert.Len(t, f.past[a], 4)
	f.Remove(b)
	assert.Nil(t, f.AccountAt(b, f.slot))
	for range 4 {
		f.ok(a, transfer(a, f.key("c"), sol/100))
	}
	assert.Len(t, f.past, 2)
	f.slot += 4
	f.Remembered = 0
	f.ok(a, transfer(a, b, sol/100))
	assert.Empty(t, f.past)
	assert.Empty(t, f.changes)
}

func TestFailureKeepsThePast(t *testing.T) {
	f := newFixture(t)
	f.Remembered = 4
	a, b := f.rich("a"), f.key("b")
	f.slot++
	good, bad := f.tx(a, []solana.Instruction{transfer(a, b, sol)}), f.tx(b, []solana.Instruction{transfer(b, a, 9*sol)})
	_, err := f.SubmitAll([][]byte{good, bad}, nil)
	require.Error(t, err)
	assert.Empty(t, f.past, "a bundle that fails changed nothing")
	f.run(a, transfer(a, b, 20*sol))
	assert.EqualValues(t, int64(10*sol), f.AccountAt(a, f.slot-1).Lamports)
	assert.EqualValues(t, int64(10*sol-5000), f.AccountAt(a, f.slot).Lamports, "the fee")
	assert.Len(t, f.past, 1)
}
