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
	// piece is how many bytes are read and hashed at a time, so that they are
	// hashed while they are in the cache.
	piece = 64 << 10
	// mostAhead is the largest buffer that is allocated because a header announces
	// a size, and the largest buffer that is kept for the next body.
	mostAhead = 1 << 20
	// margin leaves room in the buffer, so that the last read returns io.EOF.
	margin = 512
)

// readHashed appends at most limit bytes to dst and hashes them as they come. The
// size is a guess, 0 if there is none.
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

// scratch has buffers for bodies that are being verified: new memory would cost a
// large part of the time of the hash, and a forged body does not need any.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// inScratch calls verify with a buffer and returns a copy of the body that verify
// appended to it. The buffer is not kept by anything else.
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

// plainBody returns a request's body, decompressed. It limits the bytes on the
// wire.
func plainBody(w http.ResponseWriter, req *http.Request, limit int64) (io.Reader, error) {
	zipped := false
	switch strings.ToLower(req.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip", "x-gzip":
		zipped = true
		limit += min(limit/1024+1024, math.MaxInt64-limit) // incompressible data grows a little
	default:
		return nil, fmt.Errorf("%w: its Content-Encoding is unknown", ErrBody)
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

// lazyGzip starts at the first read, so that nothing of a body is read whose
// headers are refused.
type lazyGzip struct {
	compressed io.Reader
	plain      *gzip.Reader
}

func (l *lazyGzip) Read(b []byte) (int, error) {
	if l.plain == nil {
		plain, err := gzip.NewReader(l.compressed)
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF // an empty body is not gzip
			}
			return 0, err
		}
		l.plain = plain
	}
	return l.plain.Read(b)
}
