package node

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// fields reads the fields of an account or an instruction from the front.
type fields struct {
	rest  []byte
	short bool // the data ended early
}

func (f *fields) bytes(n uint64) []byte {
	if uint64(len(f.rest)) < n {
		f.rest, f.short = nil, true
		return make([]byte, min(n, 64))
	}
	b := f.rest[:n]
	f.rest = f.rest[n:]
	return b
}

func (f *fields) u8() byte              { return f.bytes(1)[0] }
func (f *fields) u16() uint16           { return binary.LittleEndian.Uint16(f.bytes(2)) }
func (f *fields) u32() uint32           { return binary.LittleEndian.Uint32(f.bytes(4)) }
func (f *fields) u64() uint64           { return binary.LittleEndian.Uint64(f.bytes(8)) }
func (f *fields) key() solana.PublicKey { return solana.PublicKeyFromBytes(f.bytes(32)) }
func (f *fields) amount() string        { return strconv.FormatUint(f.u64(), 10) }
func (f *fields) flag() bool            { return f.u8() != 0 }

// real is a number as Rust writes it.
func (f *fields) real() string {
	return strconv.FormatFloat(math.Float64frombits(f.u64()), 'f', -1, 64)
}

// set is a key of which all zeros mean that there is none.
func (f *fields) set() any {
	if key := f.key(); !key.IsZero() {
		return key
	}
	return nil
}

// optional is a key after a byte which says whether there is one. Of none there is only the byte.
func (f *fields) optional() any {
	if f.u8() == 1 {
		return f.key()
	}
	return nil
}

// elgamal is a key of encrypted amounts, of which all zeros mean none.
func (f *fields) elgamal() any {
	b := f.bytes(32)
	if solana.PublicKeyFromBytes(b).IsZero() {
		return nil
	}
	return base64.StdEncoding.EncodeToString(b)
}

func (f *fields) pairs() any {
	pairs := [][]string{}
	for range f.u32() {
		if f.short {
			break
		}
		pairs = append(pairs, []string{f.text(), f.text()})
	}
	return pairs
}

func (f *fields) text() string { return string(f.bytes(uint64(f.u32()))) }

func (f *fields) keys(n uint64) []solana.PublicKey {
	keys := []solana.PublicKey{}
	for ; n > 0 && !f.short; n-- {
		keys = append(keys, f.key())
	}
	return keys
}

// read reads a field of a type into an object. The types are those of the layouts below and
// of the instructions. A key that is optional and not there is left out, or null if the type
// says so.
func (f *fields) read(into map[string]any, name, kind string) {
	switch kind {
	case "u8":
		into[name] = f.u8()
	case "u16":
		into[name] = f.u16()
	case "i16":
		into[name] = int16(f.u16())
	case "u64":
		into[name] = f.u64()
	case "i64":
		into[name] = int64(f.u64())
	case "amount":
		into[name] = f.amount()
	case "real":
		into[name] = f.real()
	case "bool":
		into[name] = f.flag()
	case "key":
		into[name] = f.key()
	case "set":
		into[name] = f.set()
	case "null":
		into[name] = f.optional()
	case "optional":
		if key := f.optional(); key != nil {
			into[name] = key
		}
	case "elgamal":
		into[name] = f.elgamal()
	case "text":
		into[name] = f.text()
	case "seed":
		into[name] = string(f.bytes(f.u64()))
	case "pairs":
		into[name] = f.pairs()
	case "keys":
		into[name] = f.keys(f.u64())
	case "rest":
		into[name] = string(f.bytes(uint64(len(f.rest))))
	case "state":
		into[name] = states[min(f.u8(), byte(len(states)-1))]
	case "ui":
		into[name] = uiAmount(f.u64(), f.u8())
	case "fee":
		into[name], _ = f.object("epoch:u64 maximumFee:u64 transferFeeBasisPoints:u16")
	default:
		f.special(into, name, kind)
	}
}

// states are those of a token account.
var states = []string{"uninitialized", "initialized", "frozen"}

// object reads the fields of a layout: names with their types. It reports whether they are
// all there.
func (f *fields) object(layout string) (map[string]any, bool) {
	into := map[string]any{}
	for field := range strings.FieldsSeq(layout) {
		name, kind, _ := strings.Cut(field, ":")
		f.read(into, name, kind)
	}
	return into, !f.short
}
