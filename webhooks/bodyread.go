package webhooks

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
)

const (
	// piece is what is read and hashed at a time: it is hashed out of the cache.
	piece = 64 << 10
	// mostAhead bounds the room that is made on the word of a header, before
	// anything was read, and what a buffer may have that is kept for the next.
	mostAhead = 1 << 20
	// margin lets the last read see the end instead of a full buffer.
	margin = 512
)

// readHashed appends at most limit bytes to dst, in pieces that are hashed as
// they come. The size is a guess, 0 where there is none.
func readHashed(dst []byte, r io.Reader, mac hash.Hash, limit, size int64) ([]byte, error) {
	before := len(dst)
	dst = slices.Grow(dst, int(max(min(size, limit, mostAhead), piece-margin)+margin))
	for {
		if len(dst) == cap(dst) {
			dst = slices.Grow(dst, len(dst))
		}
		room := dst[len(dst):min(cap(dst), len(dst)+piece)]
		n, err := r.Read(room)
		mac.Write(room[:n])
		dst = dst[:len(dst)+n]
		switch {
		case int64(len(dst)-before) > limit:
			return nil, ErrTooLarge
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return nil, readError(err)
		}
	}
}

// scratch are buffers for bodies that are being verified: fresh memory would
// cost a good part of what hashing does, and what is forged is not worth any.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// inScratch has verify append a body to a buffer, and returns a copy of what it
// returns. The buffer never leaves.
func inScratch(verify func(dst []byte) ([]byte, error)) ([]byte, error) {
	buffer := scratch.Get().(*[]byte)
	defer scratch.Put(buffer)
	body, err := verify((*buffer)[:0])
	if err != nil {
		return nil, err
	}
	if cap(body) <= mostAhead {
		*buffer = body
	}
	return bytes.Clone(body), nil
}

func readError(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return ErrTooLarge
	}
	return fmt.Errorf("%w: %w", ErrBody, err)
}

// plainBody is a request's body, decompressed and bounded on the wire.
func plainBody(w http.ResponseWriter, req *http.Request, limit int64) (io.Reader, error) {
	zipped := false
	switch strings.ToLower(req.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip", "x-gzip":
		zipped = true
		limit += min(limit/1024+1024, math.MaxInt64-limit) // what does not compress grows a little
	default:
		return nil, fmt.Errorf("%w: its Content-Encoding is not known", ErrBody)
	}
	if req.ContentLength > limit {
		return nil, ErrTooLarge
	}
	body := http.MaxBytesReader(w, req.Body, limit)
	if zipped {
		return &lazyGzip{compressed: body}, nil
	}
	return body, nil
}

// lazyGzip decompresses from the first read on, so that nothing is read of what
// the headers do not sign.
type lazyGzip struct {
	compressed io.Reader
	plain      *gzip.Reader
}

func (l *lazyGzip) Read(b []byte) (int, error) {
	if l.plain == nil {
		plain, err := gzip.NewReader(l.compressed)
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF // an empty body is no gzip
			}
			return 0, err
		}
		l.plain = plain
	}
	return l.plain.Read(b)
}
