package entryfile

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// kept are the settled records at the beginning of a file, the oldest first. They are
// not changed: one that is settled anew is written to the next file. In memory are 8
// bytes for the key of each and for each of its names.
type kept struct {
	framelog.Kept
	end         framelog.Place // of the records, where the index begins: the state
	records     int
	keys, names index
	users       sync.WaitGroup // who may read the file
}

// openKept reads the index.
func openKept(k framelog.Kept) (*kept, error) {
	all := &kept{Kept: k}
	if err := json.Unmarshal(k.State, &all.end); err != nil {
		return nil, fmt.Errorf("%w: %w", framelog.ErrCorrupt, err)
	}
	s := framelog.Scan(k.File, k.Name, all.end, k.To.Size)
	for _, x := range []*index{&all.keys, &all.names} {
		if err := x.read(s); err != nil {
			return nil, err
		}
	}
	if s.Size != k.To.Size || string(s.Hash) != string(k.To.Hash) {
		return nil, s.Damage("it is not the index that was written")
	}
	all.records = len(all.keys.places())
	return all, nil
}

// A record's frame has its own place, the time in microseconds, the number of its
// hashes, these, the key's first, and the text.
type keptFrame struct {
	place, micros int64
	hashes        []uint64
	text          []byte
}

const keptHeader = 8 + 8 + 2

func (f keptFrame) content() []byte {
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, keptHeader+8*len(f.hashes)+len(f.text)), uint64(f.place))
	b = binary.LittleEndian.AppendUint64(b, uint64(f.micros))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(f.hashes)))
	for _, hash := range f.hashes {
		b = binary.LittleEndian.AppendUint64(b, hash)
	}
	return append(b, f.text...)
}

func (k *kept) frame(place int64, content []byte) (f keptFrame, err error) {
	n := 0
	if len(content) >= keptHeader {
		f.place, f.micros = int64(binary.LittleEndian.Uint64(content)), int64(binary.LittleEndian.Uint64(content[8:]))
		n = int(binary.LittleEndian.Uint16(content[16:]))
	}
	if f.place != place || n < 1 || len(content) < keptHeader+8*n {
		return f, &framelog.DamageError{File: k.Name, At: place, Problem: "it is not the record that was written here"}
	}
	for i := range n {
		f.hashes = append(f.hashes, binary.LittleEndian.Uint64(content[keptHeader+8*i:]))
	}
	f.text = content[keptHeader+8*n:]
	return f, nil
}

// each calls do with the records in order, and returns where they end.
func (k *kept) each(do func(keptFrame) error) (s *framelog.Scanner, err error) {
	s = framelog.Scan(k.File, k.Name, k.From, k.end.Size)
	for s.Size < k.end.Size && err == nil {
		var f keptFrame
		place := s.Size
		content, wrong := s.Whole()
		if wrong != nil {
			return s, wrong
		}
		if f, err = k.frame(place, content); err == nil {
			err = do(f)
		}
	}
	return s, err
}

// match returns the record of key that is at one of the places, nil if none is.
func (k *kept) match(cfg *Config, key string, places []int64) (*Record, error) {
	for _, place := range places {
		if r, err := k.read(cfg, place); err != nil || r.Key == key {
			return r, err
		}
	}
	return nil, nil
}

func (k *kept) read(cfg *Config, place int64) (*Record, error) {
	content, err := framelog.ReadFrame(k.File, k.Name, place)
	if err != nil {
		return nil, err
	}
	f, err := k.frame(place, content)
	if err != nil {
		return nil, err
	}
	r, err := cfg.Parse(f.text)
	if err == nil {
		r.place = place
	}
	return r, err
}

// remove and insert change the index. A record at place 0 is in none.
func (k *kept) remove(hashes []uint64, place int64) { k.index(hashes, place, (*index).remove) }
func (k *kept) insert(hashes []uint64, place int64) { k.index(hashes, place, (*index).insert) }

func (k *kept) index(hashes []uint64, place int64, change func(x *index, hash uint64, place int64)) {
	for i, hash := range hashes {
		switch {
		case place == 0:
		case i == 0:
			change(&k.keys, hash, place)
		default:
			change(&k.names, hash, place)
		}
	}
}

// writer writes the records and the index of a file.
type writer struct {
	*framelog.Chain
	*kept
}

func (w writer) add(f keptFrame) (place int64, err error) {
	if f.place = w.Chain.Size; f.place >= 1<<placeBits {
		return 0, fmt.Errorf("the file has more than %d bytes of settled entries", f.place)
	}
	w.records++
	w.index(f.hashes, f.place, (*index).add)
	return f.place, w.Append(f.content())
}

// finish writes the index and returns the state.
func (w writer) finish() ([]byte, error) {
	w.kept.end = w.Place
	err := w.keys.write(w.Chain)
	if err == nil {
		err = w.names.write(w.Chain)
	}
	if err != nil {
		return nil, err
	}
	w.To, w.kept.File = w.Place, w.Chain.File
	return json.Marshal(w.kept.end)
}

// Hashes are what a record is found by: its key and its names.
func Hashes(key string, names ...string) (all []uint64) {
	for _, name := range names {
		all = append(all, hashOf(name))
	}
	slices.Sort(all)
	return slices.Insert(slices.Compact(all), 0, hashOf(key))
}
