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
	"github.com/walletfi/walletfi-go/internal/transport"
)

// DeliverySigner makes deliveries as the service does, for tests of a
// receiver: valid ones, and such as a receiver must refuse or must not handle
// twice. Its methods panic on a url or a vocabulary that is none, as
// httptest.NewRequest does. What they return can be sent, or given to
// Receiver.ServeHTTP.
type DeliverySigner struct {
	Secret     walletfi.Secret     // that the receiver knows
	Timestamp  TimestampForm       // as the receiver's
	Now        func() time.Time    // nil means time.Now
	Vocabulary walletfi.Vocabulary // as the receiver's, for the headers' names
}

// Request returns a signed delivery of body to url.
func (s DeliverySigner) Request(url string, body []byte) *http.Request {
	return s.RequestAt(url, body, s.now())
}

// RequestAt is Request with a timestamp of its own, such as one that is ahead.
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
	words, err := transport.NewVocabulary(s.Vocabulary)
	if err != nil {
		panic(err)
	}
	words.Headers(header)
	return delivery(url, header, body)
}

// Stale is Request with a timestamp that no receiver takes by default any more.
func (s DeliverySigner) Stale(url string, body []byte) *http.Request {
	return s.RequestAt(url, body, s.now().Add(-DefaultMaxAge-time.Minute))
}

// Tampered is Request whose body's last byte was changed after it was signed.
func (s DeliverySigner) Tampered(url string, body []byte) *http.Request {
	changed := append([]byte{}, body...)
	if len(changed) == 0 {
		changed = []byte{0}
	}
	changed[len(changed)-1] ^= 1
	return delivery(url, s.Request(url, body).Header, changed)
}

// Replayed returns a request of this type once more, byte for byte: what an
// attacker sends who saw it, or the service whose answer was lost.
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
