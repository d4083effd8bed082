package e2e

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// rewritten is a set in another format, of the same accounts, instructions and
// fees, as a service would write it. It is false for a set that another signer
// has signed already, or that has no room in the format.
func rewritten(t *testing.T, u walletfi.Unsigned, format signing.Version, tables signing.Resolver) (walletfi.Unsigned, bool) {
	t.Helper()
	all := slices.Clone(u.Transactions)
	for i, encoded := range all {
		tx, err := signing.Decode(encoded)
		require.NoError(t, err)
		raw := written(t, tx, format, tables)
		most := 1232
		if format == signing.V1 {
			most = 4096
		}
		signed := slices.ContainsFunc(tx.Signatures(), func(s signing.Signature) bool { return s != signing.Signature{} })
		if len(raw) > most || signed {
			return u, false
		}
		all[i] = walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(raw))
	}
	u.Transactions = all
	return u, true
}

// layout is a transaction's accounts, those of lookup tables among them, in the
// order of a message without tables.
type layout struct {
	keys   []signing.PublicKey
	header [3]byte
	at     []byte // of the old indexes
}

func laidOut(t *testing.T, tx *signing.Transaction, tables signing.Resolver) layout {
	t.Helper()
	raw := tx.Message()
	if raw[0]&0x80 != 0 {
		raw = raw[1:]
	}
	static, l := tx.AccountKeys(), layout{header: [3]byte(raw)}
	var writable, readonly []signing.PublicKey
	for _, lookup := range tx.Lookups() {
		table, err := tables.LookupTable(context.Background(), lookup.Table)
		require.NoError(t, err)
		for _, i := range lookup.Writable {
			writable = append(writable, table.Addresses[i])
		}
		for _, i := range lookup.Readonly {
			readonly = append(readonly, table.Addresses[i])
		}
	}
	split := len(static) - int(l.header[2])
	l.keys = slices.Concat(static[:split], writable, static[split:], readonly)
	l.header[2] += byte(len(readonly))
	for _, key := range slices.Concat(static, writable, readonly) {
		l.at = append(l.at, byte(slices.Index(l.keys, key)))
	}
	return l
}

// written writes a transaction with empty signature slots.
func written(t *testing.T, tx *signing.Transaction, format signing.Version, tables signing.Resolver) []byte {
	l := laidOut(t, tx, tables)
	var instructions []signing.Instruction
	for _, in := range tx.Instructions() {
		for i, a := range in.Accounts {
			in.Accounts[i] = l.at[a]
		}
		instructions = append(instructions, in)
	}
	slots, hash := make([]byte, 64*int(l.header[0])), tx.Blockhash()
	if format == signing.V1 {
		return append(l.messageV1(instructions, hash), slots...)
	}
	out := append(compact(nil, int(l.header[0])), slots...)
	if format == signing.V0 {
		out = append(out, 0x80)
	}
	out = l.addresses(compact(append(out, l.header[:]...), len(l.keys)))
	out = compact(append(out, hash[:]...), len(instructions))
	for _, in := range instructions {
		out = compact(append(out, byte(slices.Index(l.keys, in.Program))), len(in.Accounts))
		out = compact(append(out, in.Accounts...), len(in.Data))
		out = append(out, in.Data...)
	}
	if format == signing.V0 {
		out = append(out, 0)
	}
	return out
}

func (l layout) addresses(out []byte) []byte {
	for _, key := range l.keys {
		out = append(out, key[:]...)
	}
	return out
}

// messageV1 has the limits and the priority fee in its configuration.
func (l layout) messageV1(instructions []signing.Instruction, hash signing.PublicKey) []byte {
	limit, price := uint64(1_400_000), uint64(0)
	for _, in := range instructions {
		switch {
		case in.Program != signing.ComputeBudgetProgram:
		case in.Data[0] == 2:
			limit = uint64(binary.LittleEndian.Uint32(in.Data[1:]))
		case in.Data[0] == 3:
			price = binary.LittleEndian.Uint64(in.Data[1:])
		}
	}
	out := append([]byte{0x81}, l.header[:]...)
	out = binary.LittleEndian.AppendUint32(out, 0b1111)
	out = append(append(out, hash[:]...), byte(len(instructions)), byte(len(l.keys)))
	out = l.addresses(out)
	out = binary.LittleEndian.AppendUint64(out, (price*limit+999_999)/1_000_000)
	out = binary.LittleEndian.AppendUint32(out, uint32(limit))
	out = binary.LittleEndian.AppendUint32(out, 64<<20)
	for _, in := range instructions {
		out = append(out, byte(slices.Index(l.keys, in.Program)), byte(len(in.Accounts)))
		out = binary.LittleEndian.AppendUint16(out, uint16(len(in.Data)))
	}
	for _, in := range instructions {
		out = append(append(out, in.Accounts...), in.Data...)
	}
	return out
}

// compact appends a compact-u16.
func compact(out []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}
