package ledger

import (
	"encoding/binary"
	"math"

	"github.com/gagliardetto/solana-go"
)

// A lookup table: state, the slot of its deactivation, the slot of its last extension with the
// place at which that began, an optional authority, two bytes, and then the addresses.
const (
	tableHeader    = 56
	tableAddresses = 256 // at most
	slotHashes     = 512 // blocks that the runtime remembers
)

type table []byte

func (t table) deactivated() uint64 { return getUint64(t[4:]) }
func (t table) extended() uint64    { return getUint64(t[12:]) }
func (t table) start() int          { return int(t[20]) }
func (t table) len() int            { return (len(t) - tableHeader) / 32 }

func (t table) authority() (solana.PublicKey, bool) { return solana.PublicKey(t[22:54]), t[21] == 1 }

// runTable carries out an instruction of the lookup-table program.
func runTable(x *Invocation) {
	r := &reader{rest: x.Data, short: ErrData}
	FailIf(len(x.Data) > MaxSize, ErrData)
	switch r.uint32() {
	case 0:
		x.createTable(r.uint64(), r.byte())
	case 1:
		t := x.tableAt(true)
		FailIf(t.len() == 0, ErrData)
		clear(t[21:54]) // no authority any more
	case 2:
		n := r.uint64()
		FailIf(n > uint64(len(r.rest)/32), ErrData)
		x.extendTable(r.bytes(int(n) * 32))
	case 3:
		putUint64(x.tableAt(true)[4:], x.Slot())
	case 4:
		x.closeTable()
	default:
		panic(ErrData)
	}
}

// tableAt returns the first account as a table whose authority, the second, signed.
func (x *Invocation) tableAt(active bool) table {
	x.need(1)
	FailIf(x.at(0).Owner != x.Program, errAccountOwner)
	x.need(2)
	FailIf(!x.Accounts[1].Signer, ErrSigner)
	t := table(x.write(0).Data)
	FailIf(len(t) < tableHeader || binary.LittleEndian.Uint32(t) != 1, errUninit)
	authority, ok := t.authority()
	FailIf(!ok, errImmutable)
	FailIf(authority != x.key(1), errAuthority)
	FailIf(active && t.deactivated() != math.MaxUint64, errArgument)
	return t
}

// createTable makes a table at the address that belongs to an authority and a recent slot.
func (x *Invocation) createTable(slot uint64, bump byte) {
	x.need(3)
	FailIf(!x.Accounts[2].Signer, ErrSigner)
	FailIf(!x.recent(slot, x.Slot()), ErrData)
	number := binary.LittleEndian.AppendUint64(nil, slot)
	key, err := solana.CreateProgramAddress([][]byte{x.Accounts[1].Key[:], number, {bump}}, x.Program)
	FailIf(err != nil, Custom(1))
	FailIf(key != x.key(0), errArgument)
	if x.at(0).Owner == x.Program {
		return
	}
	account := Meta{Key: key, Signer: true, Writable: true}
	if due := Rent(tableHeader) - min(Rent(tableHeader), x.at(0).Lamports); due > 0 {
		x.fund(2, 0, due)
	}
	x.need(4)
	x.Invoke(Instruction{solana.SystemProgramID, []Meta{account}, systemData(8, tableHeader)}, key)
	x.Invoke(Instruction{solana.SystemProgramID, []Meta{account}, append(systemData(1), x.Program[:]...)}, key)
	data := x.write(0).Data
	copy(data, newTable(x.key(1), true))
}

// systemData is the data of an instruction of the system program.
func systemData(tag byte, numbers ...uint64) []byte {
	data := []byte{tag, 0, 0, 0}
	for _, n := range numbers {
		data = binary.LittleEndian.AppendUint64(data, n)
	}
	return data
}

func newTable(authority solana.PublicKey, owned bool) []byte {
	data := make([]byte, tableHeader)
	data[0] = 1
	putUint64(data[4:], math.MaxUint64) // never deactivated
	if owned {
		data[21] = 1
		copy(data[22:], authority[:])
	}
	return data
}

func (x *Invocation) extendTable(keys []byte) {
	t := x.tableAt(true)
	old := t.len()
	FailIf(old >= tableAddresses, errArgument)
	FailIf(len(keys) == 0 || old+len(keys)/32 > tableAddresses, ErrData)
	if t.extended() != x.Slot() {
		putUint64(t[12:], x.Slot())
		t[20] = byte(old)
	}
	FailIf(!x.Accounts[0].Writable, Custom(10))
	a := x.write(0)
	a.Data = append(a.Data[:tableHeader+32*old:tableHeader+32*old], keys...)
	due := Rent(len(a.Data)) - min(Rent(len(a.Data)), a.Lamports)
	if due == 0 {
		return
	}
	x.need(3)
	FailIf(!x.Accounts[2].Signer, ErrSigner)
	x.need(4)
	x.fund(2, 0, due)
}

// fund has one of the instruction's accounts pay another.
func (x *Invocation) fund(payer, account int, lamports uint64) {
	metas := []Meta{{x.key(payer), true, true}, {Key: x.key(account), Writable: true}}
	x.Invoke(Instruction{solana.SystemProgramID, metas, systemData(2, lamports)})
}

// closeTable takes the lamports out of a table that was deactivated so long ago that no
// transaction can use it.
func (x *Invocation) closeTable() {
	x.need(1)
	FailIf(x.at(0).Owner != x.Program, errAccountOwner)
	x.need(2)
	FailIf(!x.Accounts[1].Signer, ErrSigner)
	x.need(3)
	FailIf(x.key(0) == x.key(2), errArgument)
	t := x.tableAt(false)
	since := t.deactivated()
	FailIf(since == math.MaxUint64 || since == x.Slot() || x.recent(since, x.Slot()), errArgument)
	FailIf(!x.Accounts[0].Writable, errReadonly)
	a := x.write(0)
	x.write(2).Lamports += a.Lamports
	a.Lamports, a.Data = 0, nil
}

// recent reports whether the hash of a slot's block is among those that the bank of a slot knows.
func (l *Ledger) recent(slot, bank uint64) bool {
	return slot < bank && l.clock.BlockAt(slot) == slot && l.clock.Height(bank)-l.clock.Height(slot) <= slotHashes
}

// tableKeys reads the addresses that a transaction can load from a table: not those that were
// added in this slot.
func (l *Ledger) tableKeys(data []byte) ([]solana.PublicKey, *TxError) {
	t := table(data)
	if len(t) < tableHeader || binary.LittleEndian.Uint32(t) != 1 || (len(t)-tableHeader)%32 != 0 {
		return nil, ErrTableData
	}
	if off := t.deactivated(); off != math.MaxUint64 && off != l.Slot() && !l.recent(off, l.Slot()) {
		return nil, ErrNoTable
	}
	keys := TableKeys(data)
	if t.extended() == l.Slot() && len(keys) > 0 {
		keys = keys[:t.start()]
	}
	return keys, nil
}

// PutTable writes a lookup table, active from the beginning and frozen.
func (l *Ledger) PutTable(key solana.PublicKey, keys []solana.PublicKey) {
	data := newTable(solana.PublicKey{}, false)
	for _, k := range keys {
		data = append(data, k[:]...)
	}
	l.Put(key, Account{Lamports: Rent(len(data)), Owner: solana.AddressLookupTableProgramID, Data: data})
}

// TableKeys reads the addresses of a lookup table.
func TableKeys(data []byte) []solana.PublicKey {
	var keys []solana.PublicKey
	for at := tableHeader; at+32 <= len(data); at += 32 {
		keys = append(keys, solana.PublicKey(data[at:at+32]))
	}
	return keys
}
