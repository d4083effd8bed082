package signing

import (
	"encoding/binary"
	"fmt"
)

// The largest transactions of each format, in bytes.
const (
	maxPacket   = 1232 // legacy and v0
	maxPacketV1 = 4096
)

// maxAccounts is what a u8 index can reach.
const maxAccounts = 256

// walk reads the structure of a transaction once, strictly, and leaves
// offsets. It is the only parser: the guard and the signer stand on the
// layout that it leaves. The first fault is kept in err, and from then on
// nothing is read.
type walk struct {
	b   []byte
	pos int
	err *GuardError
	off Rule // not applied; only the package's own tests set it
	layout
}

// fail records a fault, unless its rule is switched off.
func (w *walk) fail(rule Rule, found, allowed string, args ...any) {
	if w.err == nil && rule != w.off {
		w.stop(rule, found, allowed, args...)
	}
}

// stop records a fault after which nothing can be read.
func (w *walk) stop(rule Rule, found, allowed string, args ...any) {
	if w.err == nil {
		w.err = &GuardError{Rule: rule, Instruction: EnvelopeInstruction, Found: fmt.Sprintf(found, args...), Allowed: allowed}
	}
}

// run reads the whole transaction.
func (w *walk) run() {
	if len(w.b) == 0 {
		w.stop(RuleEncoding, "nothing", "a transaction")
		return
	}
	switch first := w.b[0]; {
	case first == 0x81:
		w.size(maxPacketV1)
		w.v1()
	case first > 0x81:
		// A signature count never has its high bit: 128 of them are past the size.
		w.stop(RuleVersion, "a transaction of version %d", "legacy, v0 or v1", first&0x7f)
	default:
		w.size(maxPacket)
		w.signed()
	}
	if w.err == nil && w.pos != len(w.b) {
		w.fail(RuleEncoding, "%d bytes after the last field", "nothing after the last field", len(w.b)-w.pos)
	}
}

func (w *walk) size(most int) {
	if len(w.b) > most {
		w.fail(RuleEncoding, "%d bytes", fmt.Sprintf("at most %d bytes in this format", most), len(w.b))
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
	if slots != int(w.required) {
		w.stop(RuleEncoding, "%d signature slots for %d required signers", "one slot a signer", slots, w.required)
	}
	w.keyCount = w.compact()
	w.keys, _ = w.take(32 * w.keyCount)
	w.blockhash, _ = w.take(32)
	w.instructionCount = w.compact()
	instructions := w.pos
	w.instructions = instructions
	highest := w.scanInstructions()
	if w.version == V0 {
		w.scanLookups()
	}
	w.messageEnd = w.pos
	w.sanity(highest)
}

// prefix reads the version byte of a message; a legacy message has none.
func (w *walk) prefix(first byte) {
	w.version = Legacy
	if first < 0x80 {
		return
	}
	if first != 0x80 {
		w.fail(RuleVersion, "a message of version %d behind signatures", "legacy or v0 there", first&0x7f)
	}
	w.version = V0
	w.pos++
}

func (w *walk) header() {
	w.required, w.readonlySigned, w.readonlyUnsigned = w.u8(), w.u8(), w.u8()
}

// scanInstructions passes over the instructions of a legacy or v0 message and
// returns the highest account index, -1 where there is none.
func (w *walk) scanInstructions() (highest int) {
	highest = -1
	for i := 0; i < w.instructionCount && w.err == nil; i++ {
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

func (w *walk) programIndex(index int) {
	if index == 0 {
		w.fail(RuleSanity, "the fee payer called as a program", "program indexes from 1")
	}
	if index >= w.keyCount {
		w.fail(RuleSanity, "program index %d of %d static keys", "a static key as program", index, w.keyCount)
	}
}

// scanLookups passes over the lookup tables of a v0 message.
func (w *walk) scanLookups() {
	w.lookupCount = w.compact()
	w.lookups = w.pos
	for i := 0; i < w.lookupCount && w.err == nil; i++ {
		w.take(32)
		writable := w.compact()
		w.take(writable)
		readonly := w.compact()
		w.take(readonly)
		if writable+readonly == 0 {
			w.fail(RuleSanity, "lookup table %d loads nothing", "at least one account a table", i)
		}
		w.loadedWritable += writable
		w.loadedReadonly += readonly
	}
}

// sanity applies what the runtime checks before it runs anything; highest is
// the highest account index that an instruction has.
func (w *walk) sanity(highest int) {
	if w.err != nil {
		return
	}
	total := w.keyCount + w.loadedWritable + w.loadedReadonly
	if w.readonlySigned >= w.required {
		w.fail(RuleSanity, "%d read-only of %d signers", "a fee payer that can be written", w.readonlySigned, w.required)
	}
	if int(w.required)+int(w.readonlyUnsigned) > w.keyCount {
		w.fail(RuleSanity, "%d signers and %d read-only accounts among %d keys", "no more than there are keys", w.required, w.readonlyUnsigned, w.keyCount)
	}
	if total > maxAccounts {
		w.fail(RuleSanity, "%d accounts", "at most 256 accounts", total)
	}
	if highest >= total {
		w.fail(RuleSanity, "account index %d of %d accounts", "indexes in range", highest, total)
	}
	if w.keyCount == 0 {
		w.stop(RuleSanity, "no account keys", "a fee payer")
		return
	}
	w.duplicates()
}

// duplicates compares the first eight bytes of every two keys, and the rest
// where those agree.
func (w *walk) duplicates() {
	var room [maxAccounts]uint64
	n := min(w.keyCount, maxAccounts)
	heads := room[:n]
	for i := range heads {
		heads[i] = binary.LittleEndian.Uint64(w.b[w.keys+32*i:])
	}
	for i, head := range heads {
		for j, other := range heads[:i] {
			if head == other && w.key(i) == w.key(j) {
				w.fail(RuleSanity, "the key %s twice", "no key twice", w.key(i))
				return
			}
		}
	}
}

func (w *walk) key(i int) PublicKey { return PublicKey(w.b[w.keys+32*i : w.keys+32*i+32]) }
