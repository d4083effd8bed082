package txwire

import (
	"encoding/binary"
	"math/bits"
)

// The limits of the v1 format.
const (
	maxSignersV1        = 12
	maxAccountsV1       = 64
	maxInstructionsV1   = 64
	v1InstructionHeader = 4 // program u8, accounts u8, data u16
)

// The bits of a v1 transaction's config mask.
const (
	configPriorityFee = 0b11 // a u64, both bits or none
	configUnitLimit   = 1 << 2
	configDataLimit   = 1 << 3
	configHeap        = 1 << 4
	configAssigned    = 0b11111
)

// v1 reads a v1 transaction: the message, then the signatures, of which there
// are as many as the header says.
func (w *walk) v1() {
	w.Version = V1
	w.message = 0
	w.pos = 1
	w.header()
	mask := w.u32()
	w.blockhash, _ = w.take(32)
	w.InstructionCount = int(w.u8())
	w.KeyCount = int(w.u8())
	w.countsV1()
	w.keys, _ = w.take(32 * w.KeyCount)
	w.configV1(mask)
	w.instructions, _ = w.take(v1InstructionHeader * w.InstructionCount)
	w.payloads = w.pos
	highest := w.scanInstructionsV1()
	w.messageEnd = w.pos
	w.signatures, _ = w.take(64 * int(w.Required))
	w.sanity(highest)
}

func (w *walk) countsV1() {
	if w.Required > maxSignersV1 {
		w.fail(Sanity, "%d signers", "at most 12 in v1", w.Required)
	}
	if w.KeyCount > maxAccountsV1 {
		w.fail(Sanity, "%d accounts", "at most 64 in v1", w.KeyCount)
	}
	if w.InstructionCount > maxInstructionsV1 {
		w.fail(Sanity, "%d instructions", "at most 64 in v1", w.InstructionCount)
	}
}

// configV1 reads the values whose bits are set, four bytes a bit.
func (w *walk) configV1(mask uint32) {
	w.Config.HeapBytes = DefaultHeap
	if mask&^configAssigned != 0 {
		w.fail(Sanity, "config mask %#x", "bits 0 to 4", mask)
	}
	at, ok := w.take(4 * bits.OnesCount32(mask))
	if !ok {
		return
	}
	values := w.b[at:w.pos]
	switch mask & configPriorityFee {
	case configPriorityFee:
		w.Config.PriorityFeeLamports = binary.LittleEndian.Uint64(values)
		values = values[8:]
	case 0:
	default:
		w.fail(Sanity, "half a priority fee in config mask %#x", "bits 0 and 1 together", mask)
		values = values[4:]
	}
	for _, field := range []struct {
		bit uint32
		to  *uint32
	}{{configUnitLimit, &w.Config.ComputeUnitLimit}, {configDataLimit, &w.Config.LoadedAccountsDataMax},
		{configHeap, &w.Config.HeapBytes}} {
		if mask&field.bit != 0 {
			*field.to = binary.LittleEndian.Uint32(values)
			values = values[4:]
		}
	}
}

func (w *walk) scanInstructionsV1() (highest int) {
	highest = -1
	if w.stopped {
		return highest
	}
	headers := w.b[w.instructions:w.payloads]
	for ; len(headers) > 0 && !w.stopped; headers = headers[v1InstructionHeader:] {
		w.programIndex(int(headers[0]))
		highest = max(highest, w.indexes(int(headers[1])))
		w.take(int(binary.LittleEndian.Uint16(headers[2:])))
	}
	return highest
}
