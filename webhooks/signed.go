package webhooks

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/internal/dialect"
	"github.com/walletfi/walletfi-go/internal/instant"
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

// liveNames returns a deployment's names of the headers.
func liveNames(d *dialect.Service) headerNames {
	return headerNames{d.Header(HeaderSignature), d.Header(HeaderNonce), d.Header(HeaderTimestamp)}
}

// signed has the values of the headers.
type signed struct {
	nonce, timestamp string
	signature        []byte
}

// signed reads the headers and checks the window, before the body is read.
func (v *Verifier) signed(header http.Header, names headerNames) (signed, error) {
	text := [3]string{}
	for i, name := range []string{names.signature, names.nonce, names.timestamp} {
		values := header.Values(name)
		if len(values) != 1 {
			return signed{}, fmt.Errorf("%w: %s comes %d times", ErrHeaders, name, len(values))
		}
		text[i] = values[0]
	}
	signature, err := hex.DecodeString(text[0])
	s := signed{nonce: text[1], timestamp: text[2], signature: signature}
	if err != nil || len(s.signature) != sha256.Size {
		return signed{}, fmt.Errorf("%w: %s is not the hex of %d bytes", ErrHeaders, names.signature, sha256.Size)
	}
	if s.nonce == "" || strings.ContainsFunc(s.nonce, notInNonce) {
		return signed{}, fmt.Errorf("%w: %s is empty or has a character that no nonce has", ErrHeaders, names.nonce)
	}
	at, err := timestamp(s.timestamp)
	if err != nil {
		return signed{}, fmt.Errorf("%w: %s %w", ErrHeaders, names.timestamp, err)
	}
	if err := v.window(at); err != nil {
		return s, err
	}
	return s, v.inForm(s)
}

// notInNonce reports whether a character could begin a body, or is not visible
// ASCII.
func notInNonce(r rune) bool { return r <= ' ' || r == '{' || r == '[' || r >= 0x7f }

const (
	longestTimestamp = 40
	// mostMoved is how much of a body is looked at: no nonce is as long.
	mostMoved = 1 << 10
)

// movable reports whether the same signature is right for a body that begins elsewhere: it
// covers nonce, timestamp and body without separators. A bracket is in no header, so that a
// body of JSON that begins with one is not movable.
func (v *Verifier) movable(s signed, body []byte) bool {
	end := len(s.nonce) + len(s.timestamp)
	all := s.nonce + s.timestamp + string(body[:min(len(body), mostMoved)])
	for to := range len(all) + 1 {
		for from := max(1, to-longestTimestamp); to != end && from < to; from++ {
			at, err := timestamp(all[from:to])
			if err == nil && v.window(at) == nil && !strings.ContainsFunc(all[:from], notInNonce) {
				return true
			}
		}
	}
	return false
}

// timestamp reads the header. A number must consist of digits: the signature
// covers nonce, timestamp and body without separators, so a point or a sign could
// have been the end of the nonce.
func timestamp(text string) (time.Time, error) {
	number := !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if text == "" || text[0]-'0' > 9 || !number && !strings.ContainsAny(text, "-:Tt") {
		return time.Time{}, errors.New("is neither a number of digits nor a date and time")
	}
	at, ok := instant.Parse(text)
	if !ok {
		return time.Time{}, errors.New("is not a time")
	}
	return at, nil
}
