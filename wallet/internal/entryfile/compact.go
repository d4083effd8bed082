package entryfile

import (
	"math"
	"slices"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// Prune drops the settled records that gone reports, none if it is nil, and writes the
// file. It works while others write.
func (s *Store) Prune(gone func(*Record) bool) error {
	s.compacting.Lock()
	defer s.compacting.Unlock()
	return s.compact(gone)
}

// compact writes a new file: what is settled, and what is open. Only one runs at a time.
func (s *Store) compact(gone func(*Record) bool) error {
	s.mu.Lock()
	mark := s.log.Mark()
	var open [][]byte
	var settled []*Record
	for _, r := range s.hot {
		if r.Open {
			open = append(open, r.Text)
		} else {
			settled = append(settled, r)
		}
	}
	s.superseded = nil
	s.mu.Unlock()
	cut, err := mark()
	if err != nil {
		return err
	}
	next := &kept{Kept: framelog.Kept{Name: s.cfg.Path}}
	slices.SortFunc(settled, oldest)
	places := make([]int64, len(settled))
	old, err := s.log.Replace(cut, func(c *framelog.Chain) ([]byte, error) {
		next.From = c.Place
		if err := s.copy(c, next, settled, places, gone); err != nil {
			return nil, err
		}
		return next.finish(c)
	}, open)
	if err != nil {
		s.log.Later()
		s.mu.Lock()
		s.limit = 2 * s.settled
		s.mu.Unlock()
		return err
	}
	for i, r := range settled {
		next.remove(r.Hashes, places[i]) // until it is out of memory
	}
	s.publish(next, old)
	for i, r := range settled {
		s.move(r, places[i])
	}
	s.shrink()
	return nil
}

// copy writes the records that were kept and those that were settled since, in order.
func (s *Store) copy(c *framelog.Chain, to *kept, settled []*Record, places []int64, gone func(*Record) bool) error {
	next := 0
	add := func(until int64) (err error) {
		for ; err == nil && next < len(settled) && settled[next].Since.UnixMicro() < until; next++ {
			if r := settled[next]; gone == nil || !gone(r) {
				places[next], err = to.add(c, keptFrame{keptHeader{Micros: r.Since.UnixMicro()}, r.Hashes, r.Text})
			}
		}
		return err
	}
	_, err := s.cold.each(func(f keptFrame) error {
		s.mu.Lock()
		live := s.cold.keys.has(f.hashes[0], f.Place)
		s.mu.Unlock()
		if !live {
			return nil // what came in its place is in memory, or among the frames since the cut
		}
		if gone != nil {
			if r, err := s.cfg.Parse(f.text); err != nil || gone(r) {
				return err
			}
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if err := add(f.Micros); err != nil {
			return err
		}
		_, err := to.add(c, f)
		return err
	})
	if err != nil {
		return err
	}
	return add(math.MaxInt64)
}

// publish makes a file that was written the one that is read.
func (s *Store) publish(next *kept, old framelog.File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.cold
	s.cold = next
	s.limited()
	for _, key := range s.superseded { // while the file was being written
		r, err := next.match(s.cfg, key, next.keys.find(hashOf(key)))
		if err != nil {
			s.err = err
		} else if r != nil {
			next.remove(r.Hashes, r.place)
		}
	}
	go func() {
		before.users.Wait()
		old.Close()
	}()
}

// move takes a settled record out of memory that is at a place now, or nowhere if it was
// pruned, unless it has changed. The lock is given back after each: no writer waits for all.
func (s *Store) move(r *Record, place int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hot[r.Key] == r {
		s.forget(r)
		s.cold.insert(r.Hashes, place)
	}
}

// shrink gives back the memory of maps that were larger, as they do not by themselves.
func (s *Store) shrink() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if left := s.hot; len(left) < 1000 {
		s.hot, s.named, s.settled = map[string]*Record{}, map[uint64][]*Record{}, 0
		for _, r := range left {
			s.remember(r)
		}
	}
}
