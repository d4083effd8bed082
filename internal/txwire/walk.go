package txwire

import (
	"encoding/binary"
	"fmt"
)

// walk reads the structure of a transaction once, strictly, and leaves
// offsets. It keeps the first fault and the kinds of all others. It stops at a
// fault that leaves the next field's offset unknown.
type walk struct {
	b       []byte
	pos     int
	faults  *Faults
	stopped bool
	Layout
}

// Parse reads the structure of t.Raw and leaves its layout in t. It returns
// nil if the bytes are well formed.
func (t *Transaction) Parse() *Faults {
	w := walk{b: t.Raw}
	w.run()
	t.Layout = w.Layout
	return w.faults
}

// fail records a fault after which the bytes can still be read.
func (w *walk) fail(kind Kind, found, allowed string, args ...any) {
	if w.stopped {
		return
	}
	if w.faults == nil {
		w.faults = &Faults{Kind: kind, Found: fmt.Sprintf(found, args...), Allowed: allowed}
	}
	w.faults.Kinds |= kind
}

// stop records a fault after which nothing can be read.
func (w *walk) stop(kind Kind, found, allowed string, args ...any) {
	w.fail(kind, found, allowed, args...)
	w.stopped = true
	w.faults.Unreadable = true
}

// run reads the whole transaction.
func (w *walk) run() {
	if len(w.b) == 0 {
		w.stop(Encoding, "nothing", "a transaction")
		return
	}
	switch first := w.b[0]; {
	case first == 0x81:
		w.size(MaxSizeV1)
		w.v1()
	case first > 0x81:
		// A signature count never has its high bit: 128 of them are past the size.
		w.stop(Unknown, "a transaction of version %d", "legacy, v0 or v1", first&0x7f)
	default:
		w.size(MaxSize)
		w.signed()
	}
	if !w.stopped && w.pos != len(w.b) {
		w.fail(Encoding, "%d bytes after the last field", "nothing after the last field", len(w.b)-w.pos)
	}
}

func (w *walk) size(most int) {
	if len(w.b) > most {
		w.fail(Encoding, "%d bytes", fmt.Sprintf("at most %d bytes in this format", most), len(w.b))
	}
}

// signed reads a legacy or v0 transaction: signatures, then the message.
func (w *walk) signed() {
	slots := w.compact()
	w.signatures, _ = w.take(64 * slots)
	w.message = w.pos
	if w.pos < len(w.b) {
		w.prefix(w.b[w.pos])
	}
	w.header()
	if slots != int(w.Required) {
		w.stop(Encoding, "%d signature slots for %d required signers", "one slot a signer", slots, w.Required)
	}
	w.KeyCount = w.compact()
	w.keys, _ = w.take(32 * w.KeyCount)
	w.blockhash, _ = w.take(32)
	w.InstructionCount = w.compact()
	instructions := w.pos
	w.instructions = instructions
	highest := w.scanInstructions()
	if w.Version == V0 {
		w.scanLookups()
	}
	w.messageEnd = w.pos
	w.sanity(highest)
}

// prefix reads the version byte of a message; a legacy message has no version byte.
func (w *walk) prefix(first byte) {
	w.Version = Legacy
	if first < 0x80 {
		return
	}
	if first != 0x80 {
		w.fail(Unknown, "a message of version %d behind signatures", "legacy or v0 there", first&0x7f)
	}
	w.Version = V0
	w.pos++
}

func (w *walk) header() {
	w.Required, w.ReadonlySigned, w.ReadonlyUnsigned = w.u8(), w.u8(), w.u8()
}

// scanInstructions passes over the instructions of a legacy or v0 message and
// returns the highest account index, -1 without instructions.
func (w *walk) scanInstructions() (highest int) {
	highest = -1
	for i := 0; i < w.InstructionCount && !w.stopped; i++ {
		w.programIndex(int(w.u8()))
		highest = max(highest, w.indexes(w.compact()))
		w.take(w.compact())
	}
	return highest
}

// indexes passes over n account indexes and returns the highest.
func (w *walk) indexes(n int) int {
	at, ok := w.take(n)
	if !ok {
		return -1
	}
	highest := -1
	for _, index := range w.b[at : at+n] {
		highest = max(highest, int(index))
	}
	return highest
}

// programIndex checks the index of a called program.
func (w *walk) programIndex(index int) {
	if index == 0 {
		w.fail(Sanity, "the fee payer called as a program", "program indexes from 1")
	}
	if index >= w.KeyCount {
		w.fail(Sanity, "program index %d of %d static keys", "a static key as program", index, w.KeyCount)
	}
}

// scanLookups passes over the lookup tables of a v0 message.
func (w *walk) scanLookups() {
	w.LookupCount = w.compact()
	w.lookups = w.pos
	for i := 0; i < w.LookupCount && !w.stopped; i++ {
		w.take(32)
		writable := w.compact()
		w.take(writable)
		readonly := w.compact()
		w.take(readonly)
		if writable+readonly == 0 {
			w.fail(Sanity, "lookup table %d loads nothing", "at least one account a table", i)
		}
		w.LoadedWritable += writable
		w.LoadedReadonly += readonly
	}
}

// sanity applies what the runtime checks before it runs anything; highest is
// the highest account index that an instruction has.
func (w *walk) sanity(highest int) {
	if w.stopped {
		return
	}
	total := w.KeyCount + w.LoadedWritable + w.LoadedReadonly
	if w.ReadonlySigned >= w.Required {
		w.fail(Sanity, "%d read-only of %d signers", "a fee payer that can be written", w.ReadonlySigned, w.Required)
	}
	if int(w.Required)+int(w.ReadonlyUnsigned) > w.KeyCount {
		w.fail(Sanity, "%d signers and %d read-only accounts among %d keys", "no more than there are keys",
			w.Required, w.ReadonlyUnsigned, w.KeyCount)
	}
	if total > MaxAccounts {
		w.fail(Sanity, "%d accounts", "at most 256 accounts", total)
	}
	if highest >= total {
		w.fail(Sanity, "account index %d of %d accounts", "indexes in range", highest, total)
	}
	if w.KeyCount == 0 {
		w.stop(Sanity, "no account keys", "a fee payer")
		return
	}
	w.duplicates()
}

// duplicates compares the first eight bytes of every two keys, and the rest
// if those agree.
func (w *walk) duplicates() {
	var room [MaxAccounts]uint64
	n := min(w.KeyCount, MaxAccounts)
	heads := room[:n]
	for i := range heads {
		heads[i] = binary.LittleEndian.Uint64(w.b[w.keys+32*i:])
	}
	for i, head := range heads {
		for j, other := range heads[:i] {
			if head == other && w.key(i) == w.key(j) {
				w.fail(Sanity, "the key %s twice", "no key twice", w.key(i))
				return
			}
		}
	}
}

func (w *walk) key(i int) Key { return Key(w.b[w.keys+32*i : w.keys+32*i+32]) }
