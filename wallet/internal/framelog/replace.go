package framelog

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// Replace puts a new file in the log's place: what keep appends to it and payloads, which
// stand for all that was written up to cut, and the frames that were written since. It
// works while others write, who wait at the end for the last few frames and three syncs.
// It returns the file that was replaced, for the caller to close.
//
// If it fails the old file is still good, unless it is not known which of the two a crash
// would leave: then the log takes nothing more.
func (l *Log) Replace(cut Place, keep func(*Chain) (state []byte, err error), payloads [][]byte) (old File, err error) {
	if err := l.Err(); err != nil {
		return nil, err
	}
	next, err := l.begin(base{ID: l.id, Frames: cut.Frames, Hash: cut.Hash}, keep, payloads)
	if err != nil {
		return nil, err
	}
	began, from := next.Size, cut.Size
	err = l.head.file.Sync() // so that it does not lag the base
	for end := l.size(); err == nil && end-from > 1<<16; end = l.size() {
		if err = l.carry(next, from, end); err == nil {
			from, err = end, next.sync() // what comes meanwhile is less each time
		}
	}
	l.disk <- struct{}{}
	defer func() { <-l.disk }()
	if broken := l.Err(); broken != nil {
		err = broken // until the disk was free the log may have been closed
	}
	if err == nil {
		err = l.carry(next, from, l.size())
	}
	if err != nil {
		return nil, l.abandon(next.File, err)
	}
	old = l.file
	return old, l.install(next, began)
}

func (l *Log) size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end.Size
}

// begin writes a new file up to where the frames since the cut follow.
func (l *Log) begin(b base, keep func(*Chain) ([]byte, error), payloads [][]byte) (*Chain, error) {
	path := l.cfg.Path + ".new"
	file, err := l.cfg.Calls.Open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err := lockHandle(file, path); err != nil {
		file.Close() // another process's, which stays
		return nil, err
	}
	line := []byte(l.cfg.Header + "\n")
	first := Place{Size: int64(len(line)), Hash: hashOf(line)}
	c := &Chain{File: file, Place: Place{Size: first.Size + frameHeader + baseSize, Hash: first.Hash}}
	if err = file.Truncate(0); err == nil && keep != nil {
		b.State, err = keep(c)
	}
	if err == nil {
		b.Kept, b.Snapshot = c.Place, len(payloads)
		content, _ := json.Marshal(b)
		_, err = file.WriteAt(append(line, first.add(fmt.Appendf(nil, "%-*s", baseSize, content))...), 0)
	}
	c.Hash = first.Hash
	for _, payload := range payloads {
		if err == nil {
			err = c.Append(appendPayload(nil, payload))
		}
	}
	if err == nil {
		err = errors.Join(c.sync(), file.Sync())
	}
	if err != nil {
		return nil, l.abandon(file, err)
	}
	return c, nil
}

func (l *Log) abandon(file File, err error) error {
	_ = l.cfg.Calls.Remove(l.cfg.Path + ".new") // before its lock is given back
	_ = file.Close()
	return err
}

// carry copies whole frames of the present file.
func (l *Log) carry(next *Chain, from, to int64) error {
	for b := make([]byte, syncEvery); from < to; from += int64(len(b)) {
		b = b[:min(int64(len(b)), to-from)]
		if _, err := l.file.ReadAt(b, from); err != nil {
			return err
		}
		if err := next.copy(b); err != nil {
			return err
		}
	}
	return nil
}

// install gives a new file the log's name. began is where the frames since the cut begin.
// The disk is held.
func (l *Log) install(next *Chain, began int64) (err error) {
	if err = next.sync(); err == nil && l.file != nil {
		err = l.present()
	}
	if err == nil && l.old != "" {
		_ = l.cfg.Calls.Remove(l.cfg.Path + l.old) // of an earlier step up
		err = l.cfg.Calls.Link(l.cfg.Path, l.cfg.Path+l.old)
	}
	if err == nil {
		err = l.cfg.Calls.Rename(l.cfg.Path+".new", l.cfg.Path)
	}
	if err != nil {
		return l.abandon(next.File, err)
	}
	l.mu.Lock()
	l.file, l.old, l.base = next.File, "", began
	l.end.Size = next.Size
	l.last.end = l.end // if it is written; else it is told when it is
	l.mu.Unlock()
	if err = l.cfg.Calls.SyncFolder(l.cfg.Path); err != nil {
		l.fail(err)
	}
	return err
}
