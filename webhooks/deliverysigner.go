package webhooks

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
)

// DeliverySigner makes deliveries as the service does, for tests of a receiver:
// valid deliveries, and deliveries that a receiver must refuse or must not handle
// twice. Send them, or pass them to [Receiver.ServeHTTP]. Its methods panic if the
// URL or the Deployment is invalid, as httptest.NewRequest does.
type DeliverySigner struct {
	Secret     walletfi.Secret        // the receiver's secret
	Timestamp  TimestampForm          // the zero value is TimestampSeconds
	Now        func() time.Time       // nil means time.Now
	Deployment *deployment.Deployment // the receiver's, for the names of the headers
}

// Request returns a signed delivery of body to url.
func (s DeliverySigner) Request(url string, body []byte) *http.Request {
	return s.RequestAt(url, body, s.now())
}

// RequestAt is [DeliverySigner.Request] with the given timestamp.
func (s DeliverySigner) RequestAt(url string, body []byte, at time.Time) *http.Request {
	head := signed{nonce: fmt.Sprintf("%016x", rand.Uint64()), timestamp: s.Timestamp.format(at)}
	mac := head.mac(s.Secret)
	mac.Write(body)
	header := http.Header{
		"Content-Type":  {"application/json"},
		HeaderNonce:     {head.nonce},
		HeaderTimestamp: {head.timestamp},
		HeaderSignature: {hex.EncodeToString(mac.Sum(nil))},
	}
	spoken, err := spokenIn(s.Deployment)
	if err != nil {
		panic(err)
	}
	spoken.Rename(header)
	return delivery(url, header, body)
}

// Stale is [DeliverySigner.Request] with a timestamp that is too old for the
// default MaxAge.
func (s DeliverySigner) Stale(url string, body []byte) *http.Request {
	return s.RequestAt(url, body, s.now().Add(-DefaultMaxAge-time.Minute))
}

// Tampered is [DeliverySigner.Request] with the last byte of the body changed after
// signing.
func (s DeliverySigner) Tampered(url string, body []byte) *http.Request {
	changed := append([]byte{}, body...)
	if len(changed) == 0 {
		changed = []byte{0}
	}
	changed[len(changed)-1] ^= 1
	return delivery(url, s.Request(url, body).Header, changed)
}

// Replayed returns a copy of a request of a DeliverySigner, byte for byte: what an
// attacker sends, or the service if it did not get the answer.
func (s DeliverySigner) Replayed(req *http.Request) *http.Request {
	body, err := req.GetBody()
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		panic(err)
	}
	return delivery(req.URL.String(), req.Header.Clone(), text)
}

func (s DeliverySigner) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

func delivery(url string, header http.Header, body []byte) *http.Request {
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header = header
	return req
}
