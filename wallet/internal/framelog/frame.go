package framelog

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// A frame is the length of its content, the length's checksum, the checksum of the
// rest, the hash of the frame before it, and its content. In the old format it has no
// hash.
const (
	hashSize    = 16
	oldHeader   = 12
	frameHeader = oldHeader + hashSize
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// hashOf is the first half of the SHA-256 of a frame, and with it of every frame before.
// Half is enough against mistakes: no other frame has the same 128 bits by accident,
// and whoever writes to the file on purpose can hash it again at any length.
func hashOf(b []byte) []byte {
	sum := sha256.Sum256(b)
	return sum[:hashSize]
}

// Place is the end of a frame.
type Place struct {
	Size   int64  `json:"size"`   // bytes of the file up to it
	Frames uint64 `json:"frames"` // up to it; of a Log since it began, over all compactions
	Hash   []byte `json:"hash"`
}

func (p *Place) pass(frame []byte) {
	p.Size, p.Frames, p.Hash = p.Size+int64(len(frame)), p.Frames+1, hashOf(frame)
}

// add returns the frame that has the content and follows p, and moves p to its end.
func (p *Place) add(content []byte) []byte {
	frame := make([]byte, frameHeader, frameHeader+len(content))
	binary.LittleEndian.PutUint32(frame, uint32(len(content)))
	binary.LittleEndian.PutUint32(frame[4:], crc32.Checksum(frame[:4], castagnoli))
	copy(frame[oldHeader:], p.Hash)
	frame = append(frame, content...)
	binary.LittleEndian.PutUint32(frame[8:], crc32.Checksum(frame[oldHeader:], castagnoli))
	p.pass(frame)
	return frame
}

// errTorn means that the rest of the file is a frame that a crash cut short: it reaches
// beyond the file's end, or has zeros where the disk was not written. Text has none.
var errTorn = errors.New("a frame was cut short")

// Scanner reads frames one after another.
type Scanner struct {
	Place
	name   string
	in     *bufio.Reader
	end    int64 // of what is read
	header int
	alone  bool // the frame before it is not known
}

// Scan reads the frames of a file from a place on, up to a size.
func Scan(file File, name string, from Place, end int64) *Scanner {
	in := bufio.NewReaderSize(io.NewSectionReader(file, from.Size, end-from.Size), 1<<16)
	return &Scanner{Place: from, name: name, in: in, end: end, header: frameHeader}
}

// ReadFrame returns the content of the frame at a byte.
func ReadFrame(file File, name string, at int64) ([]byte, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(file, at, math.MaxInt64-at), 1<<12)
	return (&Scanner{Place{Size: at}, name, in, math.MaxInt64, frameHeader, true}).Whole()
}

// Whole returns the content of the next frame, which must be there.
func (s *Scanner) Whole() ([]byte, error) {
	content, err := s.Next()
	switch err {
	case io.EOF, io.ErrUnexpectedEOF, errTorn:
		return nil, s.Damage("a frame is missing or cut short")
	}
	return content, err
}

// Next returns the content of the next frame, io.EOF after the last.
func (s *Scanner) Next() ([]byte, error) {
	left := s.end - s.Size
	if left <= 0 {
		return nil, io.EOF
	}
	if left < int64(s.header) {
		return nil, errTorn
	}
	frame := make([]byte, s.header)
	if _, err := io.ReadFull(s.in, frame); err != nil {
		return nil, err
	}
	if crc32.Checksum(frame[:4], castagnoli) != binary.LittleEndian.Uint32(frame[4:]) {
		if zeros(frame[oldHeader:]) && s.zerosLeft() {
			return nil, errTorn
		}
		return nil, s.Damage("the checksum of a frame's length differs")
	}
	length := int64(binary.LittleEndian.Uint32(frame))
	if length > left-int64(s.header) {
		return nil, errTorn
	}
	frame = append(frame, make([]byte, length)...)
	content := frame[s.header:]
	if _, err := io.ReadFull(s.in, content); err != nil {
		return nil, err
	}
	switch {
	case crc32.Checksum(frame[oldHeader:], castagnoli) != binary.LittleEndian.Uint32(frame[8:]):
		if bytes.IndexByte(content, 0) >= 0 && s.zerosLeft() {
			return nil, errTorn
		}
		return nil, s.Damage("a frame's checksum differs")
	case s.header == frameHeader && !s.alone && !bytes.Equal(frame[oldHeader:frameHeader], s.Hash):
		return nil, s.Damage("a frame does not follow the one before it: frames were cut out, moved, repeated or put in")
	}
	s.pass(frame)
	return content, nil
}

// zerosLeft reports whether only zeros follow what was read.
func (s *Scanner) zerosLeft() bool {
	rest, err := io.ReadAll(s.in)
	return err == nil && zeros(rest)
}

func zeros(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// Damage is the error of a problem at the place that was reached.
func (s *Scanner) Damage(problem string) error { return &DamageError{s.name, s.Size, problem} }

// DamageError says where a file is damaged. It answers to ErrCorrupt.
type DamageError struct {
	File    string
	At      int64
	Problem string
}

// Error says what and where.
func (e *DamageError) Error() string {
	return fmt.Sprintf("%v: %s, byte %d: %s", ErrCorrupt, e.File, e.At, e.Problem)
}

// Unwrap returns ErrCorrupt.
func (e *DamageError) Unwrap() error { return ErrCorrupt }
