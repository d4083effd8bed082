package webhooks

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go"
)

// The defaults of a Verifier.
const (
	// DefaultMaxAge covers the last retry, 2 h 36 min after the first attempt:
	// whether a retry is signed again is not documented.
	DefaultMaxAge   = 3 * time.Hour
	DefaultMaxAhead = 5 * time.Minute
	DefaultMaxBody  = 32 << 20
)

// Verifier verifies the signatures of deliveries. It is safe for concurrent use as
// long as its fields do not change.
type Verifier struct {
	// Secrets are the shared secrets, the current one first. At least one is
	// required; use more than one during a rotation.
	Secrets []walletfi.Secret
	// MaxAge is how old a timestamp may be. 0 means DefaultMaxAge.
	MaxAge time.Duration
	// MaxAhead is how far ahead of the clock it may be. 0 means DefaultMaxAhead.
	MaxAhead time.Duration
	// MaxBody bounds a body in bytes, after decompression. 0 means DefaultMaxBody.
	MaxBody int64
	// Forms are the forms in which the service writes its timestamps: name them if they are
	// known. Another is [ErrTimestamp]. Nil takes each; a [Receiver] or [DeliveryReader] then keeps,
	// while it lives, to the form that it has seen, as far as a timestamp could be the end of
	// another one. Without either, who recorded a delivery can at some hours, months later, give
	// it again: a time in milliseconds and one in seconds can have the same signature.
	Forms []TimestampForm
	// Now is the clock. Nil means time.Now.
	Now func() time.Time

	learned *learned // nil learns nothing
}

// check refuses a verifier that cannot verify.
func (v *Verifier) check() error {
	if len(v.Secrets) == 0 {
		return &walletfi.ValidationError{Field: "verifier.secrets", Problem: "must not be empty"}
	}
	for _, s := range v.Secrets {
		if s.IsZero() {
			return &walletfi.ValidationError{
				Field:   "verifier.secrets",
				Problem: "must not contain an empty secret: anybody could sign with it",
			}
		}
	}
	if slices.ContainsFunc(v.Forms, func(f TimestampForm) bool { return f < 0 || f > TimestampRFC3339 }) {
		return &walletfi.ValidationError{Field: "verifier.forms", Problem: "has one that is not known"}
	}
	if v.MaxAge < 0 || v.MaxAhead < 0 || v.MaxBody < 0 {
		return &walletfi.ValidationError{Field: "verifier", Problem: "must not have a negative bound"}
	}
	return nil
}

// own is a copy that changes to v do not reach, and that learns.
func (v Verifier) own() Verifier {
	v.Secrets, v.Forms, v.learned = slices.Clone(v.Secrets), slices.Clone(v.Forms), &learned{}
	return v
}

// Verify reads and hashes a delivery's body, and returns it if the headers sign it, whether or
// not it is JSON.
// The error wraps one of the package's Err values. Decompress a compressed body
// first. [ParseDelivery] reads what Verify returns.
func (v *Verifier) Verify(header http.Header, body io.Reader) ([]byte, error) {
	return inScratch(func(dst []byte) ([]byte, error) { return v.VerifyAppend(dst, header, body) })
}

// VerifyAppend is [Verifier.Verify], but appends the body to dst.
func (v *Verifier) VerifyAppend(dst []byte, header http.Header, body io.Reader) ([]byte, error) {
	if err := v.check(); err != nil {
		return nil, err
	}
	size, _ := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	return v.verify(dst, header, documentedNames, body, size)
}

// verify is VerifyAppend for headers of any names. The size is a guess.
func (v *Verifier) verify(
	dst []byte, header http.Header, names headerNames, body io.Reader, size int64,
) ([]byte, error) {
	s, err := v.signed(header, names)
	if err != nil {
		return nil, err
	}
	mac := s.mac(v.Secrets[0])
	all, err := readHashed(dst, body, mac, v.maxBody(), size)
	if err != nil {
		return nil, err
	}
	read := all[len(dst):]
	if !hmac.Equal(mac.Sum(nil), s.signature) && !v.underOlder(s, read) {
		return nil, ErrSignature
	}
	if !bytes.HasPrefix(read, []byte("{")) && !bytes.HasPrefix(read, []byte("[")) && v.movable(s, read) {
		return nil, fmt.Errorf("%w: where it begins is not signed", ErrBody)
	}
	v.learn(s)
	return all, nil
}

// underOlder tries the older secrets.
func (v *Verifier) underOlder(s signed, body []byte) bool {
	for _, secret := range v.Secrets[1:] {
		mac := s.mac(secret)
		mac.Write(body)
		if hmac.Equal(mac.Sum(nil), s.signature) {
			return true
		}
	}
	return false
}

// mac returns the hash of the nonce and the timestamp, which precede the body.
func (s signed) mac(secret walletfi.Secret) hash.Hash {
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	io.WriteString(mac, s.nonce)
	io.WriteString(mac, s.timestamp)
	return mac
}

func (v *Verifier) window(at time.Time) error {
	age := v.now().Sub(at)
	if age > v.maxAge() || age < -v.maxAhead() {
		return ErrTimestamp
	}
	return nil
}

func (v *Verifier) now() time.Time {
	if v.Now != nil {
		return v.Now()
	}
	return time.Now()
}

func (v *Verifier) maxAge() time.Duration   { return cmp.Or(v.MaxAge, DefaultMaxAge) }
func (v *Verifier) maxAhead() time.Duration { return cmp.Or(v.MaxAhead, DefaultMaxAhead) }
func (v *Verifier) maxBody() int64          { return cmp.Or(v.MaxBody, DefaultMaxBody) }
