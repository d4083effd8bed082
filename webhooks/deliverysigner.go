package webhooks

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go"
)

// DeliverySigner makes deliveries as the service does, for tests of a
// receiver: valid ones, and with the methods that change a request, stale,
// replayed and tampered ones.
type DeliverySigner struct {
	Secret    walletfi.Secret  // that the receiver knows
	Timestamp TimestampForm    // as the receiver's
	Now       func() time.Time // nil means time.Now
}

// Request returns a signed delivery of body to url. Sending it twice is a
// replay. It panics on a url that is none, as httptest does.
func (s DeliverySigner) Request(url string, body []byte) *http.Request {
	now := time.Now()
	if s.Now != nil {
		now = s.Now()
	}
	return s.RequestAt(url, body, now)
}

// RequestAt is Request with a timestamp of its own: a stale one, or one that
// is ahead.
func (s DeliverySigner) RequestAt(url string, body []byte, at time.Time) *http.Request {
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	stamp := strconv.FormatInt(at.Unix(), 10)
	if s.Timestamp == TimestampMilliseconds {
		stamp = strconv.FormatInt(at.UnixMilli(), 10)
	}
	nonce := fmt.Sprintf("%016x", rand.Uint64())
	mac := signer(s.Secret, nonce, stamp)
	mac.Write(body)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(HeaderNonce, nonce)
	req.Header.Set(HeaderTimestamp, stamp)
	req.Header.Set(HeaderSignature, hex.EncodeToString(mac.Sum(nil)))
	return req
}

// Tampered is Request whose last byte of the body changed after it was signed.
func (s DeliverySigner) Tampered(url string, body []byte) *http.Request {
	changed := append([]byte(nil), body...)
	if len(changed) > 0 {
		changed[len(changed)-1] ^= 1
	}
	req := s.Request(url, body)
	tampered := s.Request(url, changed)
	tampered.Header = req.Header
	return tampered
}
