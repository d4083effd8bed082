package entryfile

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// index finds the places of records by their names, in 8 bytes a name: 24 bits of the
// name's hash before 40 of the place, sorted, in shards by 12 further bits of the hash.
// It may find the place of another name too, so that what is found has to be read.
type index [1 << 12][]uint64

const placeBits = 40

func hashOf(name string) uint64 {
	sum := sha256.Sum256([]byte(name))
	return binary.LittleEndian.Uint64(sum[:])
}

func (x *index) slot(hash uint64, place int64) (shard *[]uint64, value uint64) {
	return &x[hash>>52], hash<<12>>placeBits<<placeBits | uint64(place)
}

func placeOf(value uint64) int64 { return int64(value & (1<<placeBits - 1)) }

func (x *index) find(hash uint64) (places []int64) {
	shard, first := x.slot(hash, 0)
	i, _ := slices.BinarySearch(*shard, first)
	for ; i < len(*shard) && (*shard)[i]>>placeBits == first>>placeBits; i++ {
		places = append(places, placeOf((*shard)[i]))
	}
	return places
}

func (x *index) has(hash uint64, place int64) bool {
	shard, value := x.slot(hash, place)
	_, ok := slices.BinarySearch(*shard, value)
	return ok
}

func (x *index) remove(hash uint64, place int64) {
	shard, value := x.slot(hash, place)
	if i, ok := slices.BinarySearch(*shard, value); ok {
		*shard = slices.Delete(*shard, i, i+1)
	}
}

func (x *index) insert(hash uint64, place int64) {
	shard, value := x.slot(hash, place)
	i, _ := slices.BinarySearch(*shard, value)
	*shard = slices.Insert(*shard, i, value)
}

// add adds without order: write puts it in order.
func (x *index) add(hash uint64, place int64) {
	shard, value := x.slot(hash, place)
	*shard = append(*shard, value)
}

// places returns all, in the order of the file.
func (x *index) places() (all []int64) {
	for _, shard := range x {
		for _, value := range shard {
			all = append(all, placeOf(value))
		}
	}
	slices.Sort(all)
	return all
}

func (x *index) write(c *framelog.Chain) (err error) {
	var b []byte
	for i, shard := range x {
		slices.Sort(shard)
		x[i] = slices.Clone(shard) // no larger than it has to be
		b = binary.AppendUvarint(b, uint64(len(shard)))
		for _, value := range shard {
			b = binary.LittleEndian.AppendUint64(b, value)
		}
		if (len(b) > 1<<20 || i == len(x)-1) && err == nil {
			err = c.Append(b)
			b = b[:0]
		}
	}
	return err
}

func (x *index) read(s *framelog.Scanner) (err error) {
	var b []byte
	for i := range x {
		if len(b) == 0 {
			if b, err = s.Whole(); err != nil {
				return err
			}
		}
		n, width := binary.Uvarint(b)
		if width <= 0 || n > uint64(len(b)-width)/8 {
			return errors.New("an index cannot be read")
		}
		b = b[width:]
		x[i] = make([]uint64, n)
		for k := range x[i] {
			x[i][k], b = binary.LittleEndian.Uint64(b), b[8:]
		}
	}
	return nil
}
