package txwire

import "encoding/binary"

// take moves past n bytes and returns the offset at which they began. ok is false if
// there are not so many.
func (w *walk) take(n int) (at int, ok bool) {
	if w.stopped {
		return 0, false
	}
	if n > len(w.b)-w.pos {
		w.stop(Encoding, "%d bytes at offset %d, of which %d are there", "a whole transaction", n, w.pos, len(w.b)-w.pos)
		return 0, false
	}
	at = w.pos
	w.pos += n
	return at, true
}

func (w *walk) u8() uint8 {
	at, ok := w.take(1)
	if !ok {
		return 0
	}
	return w.b[at]
}

func (w *walk) u32() uint32 {
	at, ok := w.take(4)
	if !ok {
		return 0
	}
	return binary.LittleEndian.Uint32(w.b[at:])
}

// compact reads a compact-u16.
func (w *walk) compact() int {
	first := w.u8()
	if first < 0x80 {
		return int(first)
	}
	return w.compactTail(int(first & 0x7f))
}

func (w *walk) compactTail(n int) int {
	second := w.u8()
	n |= int(second&0x7f) << 7
	last := second
	if second >= 0x80 {
		last = w.u8()
		n |= int(last) << 14
		if last > 3 {
			w.stop(Encoding, "a length past 65,535 before offset %d", "lengths of 16 bits", w.pos)
		}
	}
	if last == 0 {
		w.fail(Encoding, "a length that is not in its shortest form before offset %d",
			"compact-u16 in its shortest form", w.pos)
	}
	return n
}
