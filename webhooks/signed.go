package webhooks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/internal/transport"
)

// The headers of a delivery.
const (
	HeaderSignature = "X-Webhook-Signature" // hex of the HMAC-SHA256
	HeaderNonce     = "X-Webhook-Nonce"
	HeaderTimestamp = "X-Webhook-Timestamp"
)

// headerNames are a deployment's names of the three headers.
type headerNames struct{ signature, nonce, timestamp string }

var documentedNames = headerNames{HeaderSignature, HeaderNonce, HeaderTimestamp}

// liveNames returns a vocabulary's names of the headers.
func liveNames(words transport.Vocabulary) headerNames {
	live := func(name string) string {
		h := http.Header{name: nil}
		words.Headers(h)
		for name = range h {
		}
		return name
	}
	return headerNames{live(HeaderSignature), live(HeaderNonce), live(HeaderTimestamp)}
}

// TimestampForm is the form of the timestamp header. The whole header must match:
// the signature covers nonce, timestamp and body without separators, so a looser
// match would let bytes move from one to the next.
type TimestampForm int

// The forms.
const (
	TimestampSeconds      TimestampForm = iota // ten digits
	TimestampMilliseconds                      // thirteen digits
)

// signed has the values of the headers.
type signed struct {
	nonce, timestamp string
	signature        []byte
}

// signed reads the headers and checks the window, before the body is read.
func (v *Verifier) signed(header http.Header, names headerNames) (s signed, err error) {
	text := [3]string{}
	for i, name := range []string{names.signature, names.nonce, names.timestamp} {
		values := header.Values(name)
		if len(values) != 1 {
			return s, fmt.Errorf("%w: %s comes %d times", ErrHeaders, name, len(values))
		}
		text[i] = values[0]
	}
	s = signed{nonce: text[1], timestamp: text[2]}
	s.signature, err = hex.DecodeString(text[0])
	if err != nil || len(s.signature) != sha256.Size {
		return s, fmt.Errorf("%w: %s is not the hex of %d bytes", ErrHeaders, names.signature, sha256.Size)
	}
	if s.nonce == "" || strings.ContainsFunc(s.nonce, notInNonce) {
		return s, fmt.Errorf("%w: %s is empty or has a character that no nonce has", ErrHeaders, names.nonce)
	}
	at, err := v.Timestamp.parse(s.timestamp)
	if err != nil {
		return s, fmt.Errorf("%w: %s %w", ErrHeaders, names.timestamp, err)
	}
	return s, v.window(at)
}

// notInNonce reports whether a character could begin a body, or is not visible
// ASCII.
func notInNonce(r rune) bool { return r <= ' ' || r == '{' || r == '[' || r >= 0x7f }

func (f TimestampForm) digits() int {
	if f == TimestampMilliseconds {
		return len("1700000000000")
	}
	return len("1700000000")
}

func (f TimestampForm) parse(text string) (time.Time, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || len(text) != f.digits() || text[0] < '0' {
		return time.Time{}, fmt.Errorf("is not %d digits", f.digits())
	}
	if f == TimestampMilliseconds {
		return time.UnixMilli(n), nil
	}
	return time.Unix(n, 0), nil
}

func (f TimestampForm) format(at time.Time) string {
	if f == TimestampMilliseconds {
		return strconv.FormatInt(at.UnixMilli(), 10)
	}
	return strconv.FormatInt(at.Unix(), 10)
}
