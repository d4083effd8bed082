package program

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

// keysOf are addresses of names, in order.
func keysOf(names ...string) (keys []Key) {
	for _, name := range names {
		keys = append(keys, address(name))
	}
	return keys
}

func u32(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }

func u64(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

// asOwn is the same call as one of a transaction's own: keys by index, some of
// them loaded by a table.
func asOwn(c Call) Call {
	raw := make([]byte, 0, 32*len(c.Keys))
	static := len(c.Keys) / 2
	for _, k := range c.Keys[:static] {
		raw = append(raw, k[:]...)
	}
	tx := &txwire.Transaction{Raw: raw}
	tx.KeyCount = static
	c.Of = &Accounts{Tx: tx, Loaded: slices.Clone(c.Keys[static:])}
	for i := range c.Keys {
		c.Indexes = append(c.Indexes, byte(i))
	}
	c.Keys = nil
	return c
}

// holdReader holds what a reader says of a whole call against want, of the call
// with less data or fewer accounts that it is not whole, and of the call with
// more of either that it is the same.
func holdReader[M any](t *testing.T, name string, whole Call, read func(*Call) (M, bool), want M) {
	t.Helper()
	require.NotEmpty(t, whole.Keys)
	for _, call := range []Call{whole, asOwn(whole)} {
		got, ok := read(&call)
		require.True(t, ok, name)
		require.Equal(t, want, got, name)
	}
	for n := 1; n < len(whole.Data); n++ {
		cut := whole
		cut.Data = whole.Data[:n]
		_, ok := read(&cut)
		require.False(t, ok, "%s with %d of %d bytes", name, n, len(whole.Data))
	}
	for n := range whole.Keys {
		cut := whole
		cut.Keys = whole.Keys[:n]
		_, ok := read(&cut)
		require.False(t, ok, "%s with %d of %d accounts", name, n, len(whole.Keys))
	}
	more := whole
	more.Data = append(slices.Clone(whole.Data), 1, 2, 3)
	more.Keys = append(slices.Clone(whole.Keys), address("one more"))
	got, ok := read(&more)
	require.True(t, ok, name)
	require.Equal(t, want, got, name)
}

func TestReadSystemMove(t *testing.T) {
	keys := keysOf("from", "base", "to")
	amount := u64(1<<63 + 7)
	holdReader(t, "transfer", Call{Keys: []Key{keys[0], keys[2]}, Data: append(u32(Transfer), amount...)}, (*Call).ReadSystemMove,
		SystemMove{From: &keys[0], By: &keys[0], To: &keys[2], Lamports: 1<<63 + 7})
	holdReader(t, "transfer with seed", Call{Keys: keys, Data: append(u32(TransferWithSeed), amount...)}, (*Call).ReadSystemMove,
		SystemMove{From: &keys[0], By: &keys[1], To: &keys[2], Lamports: 1<<63 + 7})
	for tag := range uint32(20) {
		call := Call{Keys: keys, Data: append(u32(tag), amount...)}
		_, ok := call.ReadSystemMove()
		assert.Equal(t, tag == Transfer || tag == TransferWithSeed, ok, "instruction %d", tag)
		assert.Equal(t, int64(tag), call.SystemTag())
		call.Data = call.Data[:4]
		assert.Equal(t, int64(tag), call.SystemTag(), "the tag alone")
		call.Data = call.Data[:3]
		assert.EqualValues(t, -1, call.SystemTag(), "no whole tag, which is no create of tag 0")
	}
}

func TestReadCreation(t *testing.T) {
	payer, account, base, owner := address("payer"), address("account"), address("base"), address("owner")
	rest := slices.Concat(u64(3_000_000), u64(165), owner[:])
	holdReader(t, "create", Call{Keys: []Key{payer, account}, Data: append(u32(CreateAccount), rest...)}, (*Call).ReadCreation,
		Creation{Payer: &payer, Account: &account, Lamports: 3_000_000, Space: 165, Owner: owner})
	for _, length := range []int{0, 1, maxSeed} {
		seed := strings.Repeat("s", length)
		data := slices.Concat(u32(CreateAccountWithSeed), base[:], u64(uint64(length)), []byte(seed), rest)
		holdReader(t, "create with seed", Call{Keys: []Key{payer, account}, Data: data}, (*Call).ReadCreation,
			Creation{Payer: &payer, Account: &account, Base: base, Seed: seed, WithSeed: true, Lamports: 3_000_000, Space: 165, Owner: owner})
	}
	for _, length := range []uint64{maxSeed + 1, 1 << 63, ^uint64(0)} {
		call := Call{Keys: []Key{payer, account}, Data: slices.Concat(u32(CreateAccountWithSeed), base[:], u64(length), make([]byte, 200))}
		_, ok := call.ReadCreation()
		assert.False(t, ok, "a seed of %d bytes", length)
	}
	prefund := Call{Keys: []Key{account, payer}, Data: append(u32(CreateAllowPrefund), rest...)}
	got, ok := prefund.ReadCreation()
	require.True(t, ok)
	require.Equal(t, Creation{Payer: &payer, Account: &account, Lamports: 3_000_000, Space: 165, Owner: owner}, got)
	prefund.Keys = prefund.Keys[:1] // an account that has all its lamports needs no payer
	got, ok = prefund.ReadCreation()
	require.True(t, ok)
	require.Nil(t, got.Payer)
	prefund.Keys = nil
	_, ok = prefund.ReadCreation()
	require.False(t, ok)
	for tag := range uint32(20) {
		call := Call{Keys: []Key{payer, account}, Data: slices.Concat(u32(tag), make([]byte, 200))}
		_, ok := call.ReadCreation()
		assert.Equal(t, tag == CreateAccount || tag == CreateAccountWithSeed || tag == CreateAllowPrefund, ok, "instruction %d", tag)
	}
}

func TestReadTokenMoves(t *testing.T) {
	k := keysOf("source", "second", "third", "fourth")
	amount := u64(77)
	plain := TokenMove{Source: &k[0], To: &k[1], Authorities: 2, Amount: 77}
	checked := TokenMove{Source: &k[0], Mint: &k[1], To: &k[2], Authorities: 3, Amount: 77}
	withFee := checked
	withFee.Fee = 9
	holdReader(t, "transfer", Call{Keys: k[:3], Data: append([]byte{TokenTransfer}, amount...)}, (*Call).ReadTokenTransfer, plain)
	holdReader(t, "transfer checked", Call{Keys: k, Data: slices.Concat([]byte{TokenTransferChecked}, amount, []byte{6})}, (*Call).ReadTokenTransfer, checked)
	holdReader(t, "transfer with fee", Call{Keys: k, Data: slices.Concat([]byte{TokenTransferFee, TransferFeeTransfer}, amount, []byte{6}, u64(9))}, (*Call).ReadTokenTransfer, withFee)
	holdReader(t, "approve", Call{Keys: k[:3], Data: append([]byte{TokenApprove}, amount...)}, (*Call).ReadTokenApproval, plain)
	holdReader(t, "approve checked", Call{Keys: k, Data: slices.Concat([]byte{TokenApproveChecked}, amount, []byte{6})}, (*Call).ReadTokenApproval, checked)
}

func TestReadInitialOwner(t *testing.T) {
	k, owner := keysOf("account", "mint", "owner"), address("owner")
	for _, tag := range []byte{TokenInitializeAccount2, TokenInitializeAccount3} {
		holdReader(t, "by data", Call{Keys: k[:2], Data: append([]byte{tag}, owner[:]...)}, (*Call).ReadInitialOwner, owner)
	}
	call := Call{Keys: k, Data: []byte{TokenInitializeAccount}}
	got, ok := call.ReadInitialOwner()
	require.True(t, ok)
	require.Equal(t, owner, got)
	for n := range k {
		call.Keys = k[:n]
		_, ok := call.ReadInitialOwner()
		require.False(t, ok, "%d accounts", n)
	}
}

// Token-2022 may call a hook only if a transfer has accounts beyond those that
// it needs.
func TestMayHook(t *testing.T) {
	k := keysOf("a", "b", "c", "d", "e", "f")
	for _, row := range []struct {
		data []byte
		most int // accounts without a hook
	}{
		{[]byte{TokenTransfer}, 3},
		{[]byte{TokenTransferChecked}, 4},
		{[]byte{TokenTransferFee, TransferFeeTransfer}, 4},
		{[]byte{TokenTransferFee, TransferFeeHarvest}, len(k)},
		{[]byte{TokenTransferFee}, len(k)},
		{[]byte{TokenApprove, TransferFeeTransfer}, len(k)},
		{nil, len(k)},
	} {
		for n := range len(k) + 1 {
			call := Call{Program: Token2022, Keys: k[:n], Data: row.data}
			assert.Equal(t, n > row.most, call.MayHook(), "%v with %d accounts", row.data, n)
			call.Program = Token
			assert.False(t, call.MayHook(), "the first token program has no hooks")
		}
	}
}

func TestCallAccounts(t *testing.T) {
	k := keysOf("a", "b", "c", "d")
	for _, call := range []Call{{Keys: k}, asOwn(Call{Keys: k})} {
		require.Equal(t, 4, call.Count())
		for i := range k {
			require.Equal(t, k[i], *call.At(i))
		}
		require.Nil(t, call.At(4))
		part := call.Sub(1, 2, []byte{9})
		require.Equal(t, []byte{9}, part.Data)
		require.Equal(t, 2, part.Count())
		require.Equal(t, []Key{k[1], k[2]}, []Key{*part.At(0), *part.At(1)})
		require.Nil(t, part.At(2))
		require.Equal(t, 4, call.Count(), "the whole is as it was")
	}
	unresolved := asOwn(Call{Keys: k})
	unresolved.Of.Loaded = nil
	require.NotNil(t, unresolved.At(1))
	require.Nil(t, unresolved.At(2), "in a table that nobody resolved")

	simulated := Call{Keys: k}
	require.False(t, simulated.Writes(0), "of which it is not known")
	require.False(t, simulated.Signs(0))
	own := asOwn(Call{Keys: k})
	own.Of.Tx.Required, own.Of.Tx.ReadonlyUnsigned, own.Of.Tx.LoadedWritable = 1, 1, 1
	var writes, signs []bool
	for i := range k {
		writes, signs = append(writes, own.Writes(i)), append(signs, own.Signs(i))
	}
	require.Equal(t, []bool{true, false, true, false}, writes)
	require.Equal(t, []bool{true, false, false, false}, signs)
}

func TestCallData(t *testing.T) {
	call := Call{}
	require.Zero(t, call.Tag())
	k := address("k")
	call.Data = append([]byte{7}, k[:]...)
	require.EqualValues(t, 7, call.Tag())
	n, ok := call.U64(25)
	require.True(t, ok)
	require.Equal(t, binary.LittleEndian.Uint64(k[24:]), n)
	n, ok = call.U64(26)
	require.False(t, ok)
	require.Zero(t, n)
	got, ok := call.KeyAt(1)
	require.True(t, ok)
	require.Equal(t, k, got)
	got, ok = call.KeyAt(2)
	require.False(t, ok)
	require.Zero(t, got)
}
