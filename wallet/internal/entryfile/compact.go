package entryfile

import (
	"slices"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// Prune drops the settled records that gone reports, none if it is nil, and writes the
// file anew. It works beside the writers.
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
	old, err := s.log.Replace(cut, func(c *framelog.Chain) ([]byte, error) {
		next.From = c.Place
		w := writer{c, next}
		if err := s.copy(w, settled, gone); err != nil {
			return nil, err
		}
		return w.finish()
	}, open)
	if err != nil {
		s.log.Later()
		return err
	}
	s.publish(next, settled, old)
	return nil
}

// copy writes the records that were kept and those that were settled since, in order.
func (s *Store) copy(w writer, settled []*Record, gone func(*Record) bool) error {
	slices.SortFunc(settled, oldest)
	add := func(until int64) (err error) {
		for err == nil && len(settled) > 0 && settled[0].Since.UnixMicro() < until {
			if r := settled[0]; gone == nil || !gone(r) {
				err = w.add(keptFrame{micros: r.Since.UnixMicro(), hashes: r.hashes(), text: r.Text})
			}
			settled = settled[1:]
		}
		return err
	}
	_, err := s.cold.each(func(f keptFrame) error {
		s.mu.Lock()
		live := s.cold.keys.has(f.hashes[0], f.place)
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
		if err := add(f.micros); err != nil {
			return err
		}
		return w.add(f)
	})
	if err != nil {
		return err
	}
	return add(1<<63 - 1)
}

// publish makes a file that was written the one that is read.
func (s *Store) publish(next *kept, settled []*Record, old framelog.File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.cold
	s.cold = next
	for _, r := range settled {
		if s.hot[r.Key] == r {
			s.forget(r)
		} else {
			s.superseded = append(s.superseded, r.Key)
		}
	}
	for _, key := range s.superseded { // while the file was being written
		r, err := next.match(s.cfg, key, next.keys.find(hashOf(key)))
		if err != nil {
			s.err = err
		} else if r != nil {
			next.remove(r)
		}
	}
	go func() {
		before.users.Wait()
		old.Close()
	}()
}
