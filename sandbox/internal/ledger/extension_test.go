package ledger

import (
	"crypto/sha256"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each extension of a mint begins in its place, and the mint then carries it.
func TestExtensionsOfMints(t *testing.T) {
	f := newFixture(t)
	program := solana.Token2022ProgramID
	a, zero := f.rich("a"), solana.PublicKey{}
	for name, test := range map[string]struct {
		length int
		kind   uint16
		data   []byte
		first  byte // of the value
	}{
		"transfer fee":    {108, 1, join([]byte{26, 0, 1}, a, uint8(1), a, uint16(100), uint64(5000)), a[0]},
		"close authority": {32, 3, join([]byte{25, 1}, a), a[0]},
		"confidential":    {65, 4, join([]byte{27, 0}, a, uint8(1), zero), a[0]},
		"default state":   {1, 6, []byte{28, 0, 2}, 2},
		"soulbound":       {0, 9, []byte{32}, 0},
		"interest":        {52, 10, join([]byte{33, 0}, a, uint16(500)), a[0]},
		"delegate":        {32, 12, join([]byte{35}, a), a[0]},
		"hook":            {64, 14, join([]byte{36, 0}, a, zero), a[0]},
		"metadata":        {64, 18, join([]byte{39, 0}, a, a), a[0]},
		"group":           {64, 20, join([]byte{40, 0}, a, a), a[0]},
		"member":          {64, 22, join([]byte{41, 0}, a, a), a[0]},
		"scaled":          {56, 25, join([]byte{43, 0}, a, uint64(0x3ff8000000000000)), a[0]},
		"pausable":        {33, 26, join([]byte{44, 0}, a), a[0]},
	} {
		t.Run(name, func(t *testing.T) {
			f.t = t
			mint := f.made(a, name, tokenSize+1+4+test.length, program)
			begin := func(data []byte) solana.Instruction { return in(program, data, w(mint)) }
			assert.NotEqual(t, "ok", f.verdict(a, nil, begin(test.data[:len(test.data)-1])), "data that is too short")
			initialize := begin(join([]byte{20, 6}, a, uint8(1), a))
			assert.Equal(t, "InvalidAccountData", f.verdict(a, nil, initialize), "the room that an extension did not take")
			assert.Equal(t, "ReadonlyDataModified", f.verdict(a, nil, in(program, test.data, r(mint))))
			assert.Equal(t, "IncorrectProgramId", f.verdict(a, nil, in(program, test.data, w(f.rich("wallet")))))
			require.Equal(t, "ok", f.verdict(a, nil, begin(test.data), initialize))
			m, ok := AsMint(f.Account(mint))
			require.True(t, ok)
			value := extension(m, test.kind)
			require.Len(t, value, test.length)
			if test.length > 0 {
				assert.Equal(t, test.first, value[0])
			}
			assert.Equal(t, "6", f.verdict(a, nil, begin(test.data)), "a mint that is in use")
		})
	}
}

// mintWith makes a mint with extensions that begin with the data, and an account of it.
func (f *fixture) mintWith(a solana.PublicKey, length int, begin ...[]byte) (mint, account solana.PublicKey) {
	f.t.Helper()
	program := solana.Token2022ProgramID
	mint = f.made(a, "mint of "+f.t.Name(), tokenSize+1+length, program)
	var all []solana.Instruction
	for _, data := range begin {
		all = append(all, in(program, data, w(mint)))
	}
	account = Associated(a, mint, program)
	f.ok(a, append(all, in(program, join([]byte{20, 6}, a, uint8(1), a), w(mint)))...)
	f.ok(a, in(solana.SPLAssociatedTokenAccountProgramID, nil,
		sw(a), w(account), r(a), r(mint), r(solana.SystemProgramID), r(program)))
	return mint, account
}

func TestExtensionsGovernTransfers(t *testing.T) {
	f := newFixture(t)
	program := solana.Token2022ProgramID
	do := func(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
		return in(program, data, accounts...)
	}
	a := f.rich("a")
	mintTo := func(m, to solana.PublicKey) solana.Instruction {
		return do(words(uint8(7), uint64(100)), w(m), w(to), s(a))
	}

	t.Run("pausable", func(t *testing.T) {
		f.t = t
		m, account := f.mintWith(a, 37, join([]byte{44, 0}, a))
		assert.Equal(t, "67", f.verdict(a, nil, do([]byte{44, 1}, w(m), s(a)), mintTo(m, account)))
		assert.Equal(t, "ok", f.verdict(a, nil, do([]byte{44, 2}, w(m), s(a)), mintTo(m, account)))
	})
	t.Run("soulbound", func(t *testing.T) {
		f.t = t
		m, account := f.mintWith(a, 4, []byte{32})
		f.ok(a, mintTo(m, account))
		assert.Equal(t, "37", f.verdict(a, nil, do(words(uint8(3), uint64(1)), w(account), w(account), s(a))))
	})
	t.Run("permanent delegate", func(t *testing.T) {
		f.t = t
		b := f.rich("b")
		m, account := f.mintWith(a, 36, join([]byte{35}, b))
		f.ok(a, mintTo(m, account))
		to, _ := f.MintTo(b, m, 0)
		f.ok(b, do(words(uint8(12), uint64(40), uint8(6)), w(account), r(m), w(to), s(b)))
		assert.EqualValues(t, 60, f.token(account).Amount())
	})
	t.Run("memo", func(t *testing.T) {
		f.t = t
		m, account := f.mintWith(a, 37, join([]byte{44, 0}, a))
		f.ok(a, mintTo(m, account), do([]byte{29, 8, 0}, w(account), sw(a), r(solana.SystemProgramID), s(a)))
		f.ok(a, do([]byte{30, 0}, w(account), s(a)))
		move := do(words(uint8(12), uint64(1), uint8(6)), w(account), r(m), w(account), s(a))
		assert.Equal(t, "36", f.verdict(a, nil, move))
		assert.Equal(t, "ok", f.verdict(a, nil, in(memoPrograms[0], []byte("for you")), move))
	})
	t.Run("interest", func(t *testing.T) {
		f.t = t
		m, _ := f.mintWith(a, 56, join([]byte{33, 0}, a, uint16(500)))
		for _, rate := range []uint16{700, 900} {
			f.ok(a, do(words(uint8(33), uint8(1), rate), w(m), s(a)))
		}
		v := extension(f.Account(m).Data, extensionInterest)
		assert.Equal(t, words(uint16(700)), v[40:42], "no time has passed since the rate was 700")
		assert.Equal(t, words(uint16(900)), v[50:52])
	})
	t.Run("transfer fee", func(t *testing.T) {
		f.t = t
		m, account := f.mintWith(a, 112, join([]byte{26, 0, 1}, a, uint8(1), a, uint16(100), uint64(5000)))
		b := f.rich("b")
		to, _ := f.MintTo(b, m, 0)
		f.ok(a, mintTo(m, account), do(words(uint8(12), uint64(100), uint8(6)), w(account), r(m), w(to), s(a)))
		assert.EqualValues(t, 1, f.token(to).Withheld())
		f.ok(a, do([]byte{26, 3, 1}, r(m), w(account), s(a), w(to)))
		assert.EqualValues(t, 1, f.token(account).Amount())
		f.ok(a, do(words(uint8(26), uint8(5), uint16(1000), uint64(5000)), w(m), s(a)))
		config, _ := feeOf(Mint(f.Account(m).Data))
		assert.EqualValues(t, 1, config.feeAt(f.epoch(), 100), "a new fee counts two epochs later")
		assert.EqualValues(t, 10, config.feeAt(f.epoch()+2, 100))
	})
}

func TestImmutableOwnerLeavesTheKindOpen(t *testing.T) {
	f := newFixture(t)
	a := f.rich("a")
	k := f.made(a, "k", 170, solana.Token2022ProgramID)
	f.ok(a, in(solana.Token2022ProgramID, []byte{22}, w(k)))
	assert.Equal(t, []byte{0, 7, 0, 0, 0}, f.Account(k).Data[tokenSize:])
}

func TestMetadataInAMint(t *testing.T) {
	f := newFixture(t)
	a := f.rich("a")
	m, _ := f.mintWith(a, 68, join([]byte{39, 0}, a, a))
	f.ok(a, transfer(a, m, sol/100))
	do := func(name string, data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
		tag := sha256.Sum256([]byte("spl_token_metadata_interface:" + name))
		return in(solana.Token2022ProgramID, append(tag[:8:8], data...), accounts...)
	}
	text := func(t string) []byte { return append(words(uint32(len(t))), t...) }
	texts := append(append(text("Name"), text("SYM")...), text("uri")...)
	f.ok(a, do("initialize_account", texts, w(m), r(a), r(m), s(a)))
	f.ok(a, do("updating_field", append(append([]byte{3}, text("key")...), text("value")...), w(m), s(a)))
	d := readMetadata(extension(f.Account(m).Data, extensionMetadata))
	assert.Equal(t, metadata{a, m, [3]string{"Name", "SYM", "uri"}, [][2]string{{"key", "value"}}}, d)
	f.ok(a, do("remove_key_ix", append([]byte{0}, text("key")...), w(m), s(a)))
	f.fails(metadataNoKey, a, do("remove_key_ix", append([]byte{0}, text("key")...), w(m), s(a)))
	assert.Empty(t, readMetadata(extension(f.Account(m).Data, extensionMetadata)).more)
}
