package ledger

import (
	"encoding/binary"
	"fmt"
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
		slot, bump := r.uint64(), r.byte()
		x.Log("Instruction: CreateLookupTable")
		x.createTable(slot, bump)
	case 1:
		x.Log("Instruction: FreezeLookupTable")
		t := x.tableAt("Lookup table is already frozen", "Deactivated tables cannot be frozen")
		x.failLogging(t.len() == 0, ErrData, "Empty lookup tables cannot be frozen")
		clear(t[21:54]) // no authority any more
	case 2:
		n := r.uint64()
		FailIf(n > uint64(len(r.rest)/32), ErrData)
		x.Log("Instruction: ExtendLookupTable")
		x.extendTable(r.bytes(int(n) * 32))
	case 3:
		x.Log("Instruction: DeactivateLookupTable")
		putUint64(x.tableAt(tableFrozen, "Lookup table is already deactivated")[4:], x.Slot())
	case 4:
		x.Log("Instruction: CloseLookupTable")
		x.closeTable()
	default:
		panic(ErrData)
	}
}

// What the log says of a frozen table, and of one that the transaction may not write.
const (
	tableFrozen   = "Lookup table is frozen"
	tableReadOnly = "Instruction modified data of a read-only account"
)

// tableOwned checks the accounts of an instruction that changes a table: the table and its authority.
func (x *Invocation) tableOwned() {
	x.need(1)
	x.failLogging(x.at(0).Owner != x.Program, errAccountOwner,
		"Lookup table owner should be the Address Lookup Table program")
	x.need(2)
	x.failLogging(!x.Accounts[1].Signer, ErrSigner, "Authority account must be a signer")
}

// tableAt returns the first account as a table whose authority, the second, signed. frozen is the line that the
// log has of a table without an authority, inactive of one that is deactivated; none lets it pass.
func (x *Invocation) tableAt(frozen, inactive string) table {
	x.tableOwned()
	t := table(x.write(0).Data)
	FailIf(len(t) < 4, errAccountData)
	FailIf(len(t) < tableHeader || binary.LittleEndian.Uint32(t) != 1, errUninit)
	authority, ok := t.authority()
	x.failLogging(!ok, errImmutable, frozen)
	x.failLogging(authority != x.key(1), errAuthority, "Incorrect lookup table authority")
	x.failLogging(inactive != "" && t.deactivated() != math.MaxUint64, errArgument, inactive)
	return t
}

// createTable makes a table at the address that belongs to an authority and a recent slot.
func (x *Invocation) createTable(slot uint64, bump byte) {
	x.need(3)
	x.failLogging(!x.Accounts[2].Signer, ErrSigner, "Payer account must be a signer")
	x.failLogging(!x.recent(slot, x.Slot()), ErrData, fmt.Sprintf("%d is not a recent slot", slot))
	number := binary.LittleEndian.AppendUint64(nil, slot)
	key, err := solana.CreateProgramAddress([][]byte{x.Accounts[1].Key[:], number, {bump}}, x.Program)
	x.failLogging(err != nil, Custom(1), "Provided seeds do not result in a valid address")
	x.failLogging(key != x.key(0), errArgument, "Table address must match derived address: "+key.String())
	if x.at(0).Owner == x.Program {
		return
	}
	x.spend(newTableUnits)
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
	t := x.tableAt(tableFrozen, "Deactivated tables cannot be extended")
	old := t.len()
	x.failLogging(old >= tableAddresses, errArgument, "Lookup table is full and cannot contain more addresses")
	x.failLogging(len(keys) == 0, ErrData, "Must extend with at least one address")
	size := old + len(keys)/32
	x.failLogging(size > tableAddresses, ErrData,
		fmt.Sprintf("Extended lookup table length %d would exceed max capacity of %d", size, tableAddresses))
	if t.extended() != x.Slot() {
		putUint64(t[12:], x.Slot())
		t[20] = byte(old)
	}
	x.failLogging(!x.Accounts[0].Writable, Custom(10), tableReadOnly)
	a := x.write(0)
	a.Data = append(a.Data[:tableHeader+32*old:tableHeader+32*old], keys...)
	due := Rent(len(a.Data)) - min(Rent(len(a.Data)), a.Lamports)
	if due == 0 {
		return
	}
	x.need(3)
	x.failLogging(!x.Accounts[2].Signer, ErrSigner, "Payer account must be a signer")
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
	x.tableOwned()
	x.need(3)
	x.failLogging(x.key(0) == x.key(2), errArgument, "Lookup table cannot be the recipient of reclaimed lamports")
	since := x.tableAt(tableFrozen, "").deactivated()
	x.failLogging(since == math.MaxUint64, errArgument, "Lookup table is not deactivated")
	if since == x.Slot() || x.recent(since, x.Slot()) {
		left := slotHashes + 1 - x.clock.Height(x.Slot()) + x.clock.Height(since)
		x.Log(fmt.Sprintf("Table cannot be closed until it's fully deactivated in %d blocks", left))
		panic(errArgument)
	}
	x.failLogging(!x.Accounts[2].Writable, Custom(11), "Instruction changed the balance of a read-only account")
	x.failLogging(!x.Accounts[0].Writable, Custom(10), tableReadOnly)
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
