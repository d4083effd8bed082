package entryfile

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// kept are the settled records at the beginning of a file, the oldest first. They are
// not changed: one that is settled again is written to the next file. In memory are 8
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

// A record's frame has a header, the record's hashes, the key's first, and its text.
type keptFrame struct {
	keptHeader
	hashes []uint64
	text   []byte
}

type keptHeader struct {
	Place  int64 // its own
	Micros int64 // Since
	Hashes uint16
}

func (f keptFrame) content() []byte {
	f.Hashes = uint16(len(f.hashes))
	b, _ := binary.Append(nil, binary.LittleEndian, f.keptHeader) // fixed sizes: it cannot fail
	b, _ = binary.Append(b, binary.LittleEndian, f.hashes)
	return append(b, f.text...)
}

func (k *kept) frame(place int64, content []byte) (f keptFrame, err error) {
	n, err := binary.Decode(content, binary.LittleEndian, &f.keptHeader)
	f.hashes = make([]uint64, f.Hashes)
	m, wrong := binary.Decode(content[n:], binary.LittleEndian, f.hashes)
	if cmp.Or(err, wrong) != nil || f.Place != place || f.Hashes < 1 {
		return f, &framelog.DamageError{File: k.Name, At: place, Problem: "it is not the record that was written here"}
	}
	f.text = content[n+m:]
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

// add writes a record to a new file.
func (k *kept) add(c *framelog.Chain, f keptFrame) (place int64, err error) {
	if f.Place = c.Size; f.Place >= 1<<placeBits {
		return 0, fmt.Errorf("the file has more than %d bytes of settled entries", f.Place)
	}
	k.records++
	k.index(f.hashes, f.Place, (*index).add)
	return f.Place, c.Append(f.content())
}

// finish writes the index and returns the state.
func (k *kept) finish(c *framelog.Chain) ([]byte, error) {
	k.end = c.Place
	err := k.keys.write(c)
	if err == nil {
		err = k.names.write(c)
	}
	if err != nil {
		return nil, err
	}
	k.To, k.File = c.Place, c.File
	return json.Marshal(k.end)
}

// Hashes are what a record is found by: its key and its names.
func Hashes(key string, names ...string) (all []uint64) {
	for _, name := range names {
		all = append(all, hashOf(name))
	}
	slices.Sort(all)
	return slices.Insert(slices.Compact(all), 0, hashOf(key))
}
