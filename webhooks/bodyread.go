package webhooks

import (
	"compress/gzip"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
)

const (
	// piece is what is read and hashed at a time: it is hashed out of the cache.
	piece = 64 << 10
	// mostAhead bounds the room that is made on the word of a header, before
	// anything was read.
	mostAhead = 1 << 20
	// margin lets the last read see the end instead of a full buffer.
	margin = 512
)

// readHashed reads at most limit bytes, in pieces that are hashed as they come.
// The size is a guess, 0 where there is none.
func readHashed(r io.Reader, mac hash.Hash, limit, size int64) ([]byte, error) {
	body := make([]byte, 0, max(min(size, limit, mostAhead), piece-margin)+margin)
	for {
		if len(body) == cap(body) {
			body = slices.Grow(body, len(body))
		}
		room := body[len(body):min(cap(body), len(body)+piece)]
		n, err := r.Read(room)
		mac.Write(room[:n])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, ErrTooLarge
		case err == io.EOF:
			return body, nil
		case err != nil:
			return nil, readError(err)
		}
	}
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
