package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
)

// The headers of a delivery.
const (
	HeaderSignature = "X-Webhook-Signature" // hex of the HMAC-SHA256
	HeaderNonce     = "X-Webhook-Nonce"
	HeaderTimestamp = "X-Webhook-Timestamp"
)

// The reasons for which a delivery is not taken for the service's.
var (
	ErrSignature = errors.New("webhooks: the signature does not match")
	ErrHeaders   = errors.New("webhooks: a signature header is missing or malformed")
	ErrTimestamp = errors.New("webhooks: the timestamp is outside the window")
	ErrTooLarge  = errors.New("webhooks: the body is too large")
	ErrBody      = errors.New("webhooks: the body could not be read")
)

// TimestampForm is how the timestamp header is written. It is matched whole:
// the signature covers nonce, timestamp and body without anything between
// them, so that a looser match would let bytes move from one to the other.
type TimestampForm int

// The forms.
const (
	TimestampSeconds      TimestampForm = iota // ten digits
	TimestampMilliseconds                      // thirteen digits
)

// The defaults of a Verifier.
const (
	// DefaultMaxAge covers the last retry, 2 h 36 min after the first attempt:
	// whether a retry is signed anew is not documented.
	DefaultMaxAge   = 3 * time.Hour
	DefaultMaxAhead = 5 * time.Minute
	DefaultMaxBody  = 32 << 20
)

// Verifier tells the service's deliveries from anybody else's.
type Verifier struct {
	// Secrets are the shared secrets, the current one first. At least one.
	Secrets []walletfi.Secret
	// Timestamp is the form of the timestamp header. The zero value is
	// TimestampSeconds.
	Timestamp TimestampForm
	// MaxAge is how old a timestamp may be. 0 means DefaultMaxAge.
	MaxAge time.Duration
	// MaxAhead is how far ahead of the clock it may be. 0 means DefaultMaxAhead.
	MaxAhead time.Duration
	// MaxBody bounds a body in bytes, after decompression. 0 means DefaultMaxBody.
	MaxBody int64
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

// check refuses a verifier that could not verify.
func (v *Verifier) check() error {
	if len(v.Secrets) == 0 {
		return &walletfi.ValidationError{Field: "secrets", Problem: "must not be empty"}
	}
	for _, s := range v.Secrets {
		if s.IsZero() {
			return &walletfi.ValidationError{Field: "secrets", Problem: "holds an empty secret, under which anybody could sign"}
		}
	}
	if v.MaxAge < 0 || v.MaxAhead < 0 || v.MaxBody < 0 {
		return &walletfi.ValidationError{Field: "verifier", Problem: "no bound may be negative"}
	}
	return nil
}

// Verify reads a delivery's body while hashing it and returns it where the
// headers sign it. The error is one of the package's Err values.
func (v *Verifier) Verify(header http.Header, body io.Reader) ([]byte, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	nonce, stamp := header.Get(HeaderNonce), header.Get(HeaderTimestamp)
	signature, err := v.headers(header, nonce, stamp)
	if err != nil {
		return nil, err
	}
	mac := signer(v.Secrets[0], nonce, stamp)
	read, err := readHashed(body, mac, orDefault(v.MaxBody, DefaultMaxBody))
	if err != nil {
		return nil, err
	}
	if hmac.Equal(mac.Sum(nil), signature) || v.underOlder(nonce, stamp, read, signature) {
		return read, bodyForm(read)
	}
	return nil, ErrSignature
}

// headers checks the three headers and the window, before the body is read.
func (v *Verifier) headers(header http.Header, nonce, stamp string) (signature []byte, err error) {
	for _, name := range []string{HeaderSignature, HeaderNonce, HeaderTimestamp} {
		if len(header.Values(name)) != 1 {
			return nil, fmt.Errorf("%w: %s", ErrHeaders, name)
		}
	}
	signature, err = hex.DecodeString(header.Get(HeaderSignature))
	if err != nil || len(signature) != sha256.Size {
		return nil, fmt.Errorf("%w: %s is not the hex of %d bytes", ErrHeaders, HeaderSignature, sha256.Size)
	}
	if nonce == "" || strings.ContainsFunc(nonce, func(r rune) bool { return r <= ' ' || r == '{' || r == '[' || r >= 0x7f }) {
		return nil, fmt.Errorf("%w: %s", ErrHeaders, HeaderNonce)
	}
	at, err := v.Timestamp.parse(stamp)
	if err != nil {
		return nil, err
	}
	return signature, v.window(at)
}

func (f TimestampForm) parse(text string) (time.Time, error) {
	digits := 10
	if f == TimestampMilliseconds {
		digits = 13
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || len(text) != digits {
		return time.Time{}, fmt.Errorf("%w: %s is not %d digits", ErrHeaders, HeaderTimestamp, digits)
	}
	if f == TimestampMilliseconds {
		return time.UnixMilli(int64(n)), nil
	}
	return time.Unix(int64(n), 0), nil
}

func (v *Verifier) window(at time.Time) error {
	now := time.Now()
	if v.Now != nil {
		now = v.Now()
	}
	age := now.Sub(at)
	if age > orDefault(v.MaxAge, DefaultMaxAge) || -age > orDefault(v.MaxAhead, DefaultMaxAhead) {
		return ErrTimestamp
	}
	return nil
}

// underOlder tries the secrets that are being rotated out.
func (v *Verifier) underOlder(nonce, stamp string, body, signature []byte) bool {
	for _, secret := range v.Secrets[1:] {
		mac := signer(secret, nonce, stamp)
		mac.Write(body)
		if hmac.Equal(mac.Sum(nil), signature) {
			return true
		}
	}
	return false
}

func signer(secret walletfi.Secret, nonce, stamp string) hash.Hash {
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	io.WriteString(mac, nonce)
	io.WriteString(mac, stamp)
	return mac
}

// bodyForm refuses a body that does not begin as JSON objects and arrays do:
// where it begins could then not be told from where the headers end.
func bodyForm(body []byte) error {
	if len(body) == 0 || body[0] != '{' && body[0] != '[' {
		return fmt.Errorf("%w: it begins with neither { nor [", ErrBody)
	}
	return nil
}

// readHashed reads at most limit bytes, in pieces that are hashed as they come.
func readHashed(r io.Reader, mac hash.Hash, limit int64) ([]byte, error) {
	body := make([]byte, 0, 64<<10)
	for {
		if len(body) == cap(body) {
			grown := make([]byte, len(body), min(2*int64(cap(body)), limit+1))
			copy(grown, body)
			body = grown
		}
		n, err := r.Read(body[len(body):cap(body)])
		mac.Write(body[len(body) : len(body)+n])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, ErrTooLarge
		case err == io.EOF:
			return body, nil
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrBody, err)
		}
	}
}

func orDefault[T ~int64](v, standard T) T {
	if v == 0 {
		return standard
	}
	return v
}
