package framelog

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// ErrRolledBack means that the log lacks what was written to it: an older copy, another
// log or nothing is in its place, or its end is gone.
var ErrRolledBack = errors.New("the log was rolled back")

// head is the file next to a log that says how much was written. It is written after
// each frame is on disk and is not synced, so that a crash of the machine may leave an
// older one, never one ahead of the log. Its two lines are written by turns, in two
// blocks of the disk: one is whole if a crash tears the other.
type head struct {
	file   File // nil if there is none
	path   string
	frames uint64
	hash   []byte // of the last of them
	id     []byte // of the log, drawn when it began
}

const headApart = 4096

func (h *head) line() []byte {
	b := fmt.Appendf(nil, "%020d %x %x ", h.frames, h.hash, h.id)
	return fmt.Appendf(b, "%08x\n", crc32.Checksum(b, castagnoli))
}

func readHead(c Calls, path string, flag int) (*head, error) {
	file, err := c.Open(path, flag)
	if errors.Is(err, os.ErrNotExist) {
		return &head{path: path}, nil
	}
	if err != nil {
		return nil, err
	}
	var best *head
	unreadable, failure := 0, error(nil)
	for turn := range int64(2) {
		b := make([]byte, 128)
		n, err := file.ReadAt(b, turn*headApart)
		if err != nil && err != io.EOF {
			failure = err
		}
		line, _, _ := bytes.Cut(b[:n], []byte("\x00"))
		one := &head{file: file, path: path}
		_, _ = fmt.Sscanf(string(line), "%d %x %x", &one.frames, &one.hash, &one.id)
		if bytes.Equal(one.line(), line) && (best == nil || one.frames > best.frames) {
			best = one
		}
		if len(line) > 0 {
			unreadable++
		}
	}
	switch {
	case best != nil:
		return best, nil // one is enough
	case failure != nil:
		return nil, errors.Join(failure, file.Close())
	case unreadable == 2:
		return nil, errors.Join(
			&DamageError{path, 0, "it is not readable; remove it to do without what it knows"}, file.Close(),
		)
	}
	return &head{file: file, path: path}, nil // its creation was cut short
}

// admits refuses a log that is shorter than the head says. It is asked at each place that the log
// has, and once more at its end.
func (h *head) admits(id []byte, at Place, end bool) error {
	what := ""
	switch {
	case h.frames == 0:
	case id == nil:
		what = "nothing is in its place, or a file of an older format"
	case !bytes.Equal(h.id, id):
		what = "another log is in its place"
	case h.frames == at.Frames && !bytes.Equal(h.hash, at.Hash):
		what = fmt.Sprintf("it differs from what was written up to frame %d", at.Frames)
	case end && at.Frames < h.frames:
		what = fmt.Sprintf(
			"it has %d of %d frames: an older copy is in its place, or its end was cut off", at.Frames, h.frames,
		)
	}
	if what == "" {
		return nil
	}
	return fmt.Errorf("%w: %s. Put the newest copy back. What was written since is lost with any other: "+
		"to go on with this one all the same, remove %s", ErrRolledBack, what, h.path)
}

// begin writes where a log is that was opened, to a new file if there is none.
func (h *head) begin(c Calls, id []byte, at Place) (err error) {
	if h.file == nil {
		if h.file, err = c.Open(h.path, os.O_RDWR|os.O_CREATE); err != nil {
			return err
		}
	}
	h.id = id
	if err := h.write(at); err != nil {
		return err
	}
	return errors.Join(h.file.Sync(), c.SyncFolder(h.path))
}

// write says that the log reaches to a place. That must be on disk.
func (h *head) write(at Place) error {
	h.frames, h.hash = at.Frames, at.Hash
	_, err := h.file.WriteAt(h.line(), int64(h.frames%2)*headApart)
	return err
}
