package rows

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/bench/internal/turns"
	"github.com/walletfi/walletfi-go/internal/bodies"
	"github.com/walletfi/walletfi-go/webhooks"
)

const webhookSecret = "whsec_bench"

func webhook() []Row {
	return []Row{
		{Group: Webhooks, Name: "receiver, 285 KB, decoding left out", Unit: "x SHA-256",
			Goal: 1.5, Bound: 4, Measure: receive,
			Why: "It is the difference of two times, of a delivery with its decoding and of decoding alone, so that what " +
				"disturbs either counts whole: 1.3 to 2.2 in runs one after the other, 0.5 to 3.4 beside other work."},
		{Group: Webhooks, Name: "receiver, deliveries of 3 KB over a socket", Unit: "x by hand", Goal: 1,
			Bound: 1.2, Measure: throughput},
	}
}

// unread is the part of a response that is thrown away.
type unread struct {
	header http.Header
	status int
}

func (u *unread) Header() http.Header         { return u.header }
func (u *unread) Write(b []byte) (int, error) { return len(b), nil }
func (u *unread) WriteHeader(status int)      { u.status = status }

// fromTheWire reads as a request's body does: without WriteTo or Len.
type fromTheWire struct{ r *bytes.Reader }

func (f fromTheWire) Read(b []byte) (int, error) { return f.r.Read(b) }
func (f fromTheWire) Close() error               { return nil }

// receive is a delivery through the Receiver, less the time to decode it, over a
// SHA-256 of the same bytes.
func receive(e Effort) (Figure, error) {
	body := []byte(bodies.EVM(195))
	request := webhooks.DeliverySigner{Secret: walletfi.NewSecret(webhookSecret)}.Request(
		"https://bench.example/hook", body,
	)
	handled := 0
	receiver := func() (*webhooks.Receiver, error) {
		return webhooks.NewReceiver(webhooks.ReceiverConfig{
			Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{walletfi.NewSecret(webhookSecret)}},
			Handler:  func(context.Context, *webhooks.Delivery) error { handled++; return nil },
		})
	}
	again := func() *http.Request {
		r := new(*request)
		r.Body = fromTheWire{bytes.NewReader(body)}
		return r
	}
	results, err := turns.Run(e.plan(),
		by("walletfi", func() error {
			r, err := receiver() // of its own, to which nothing is a duplicate
			if err != nil {
				return err
			}
			w, before := &unread{header: http.Header{}}, handled
			r.ServeHTTP(w, again())
			return want(w.status == http.StatusOK && handled == before+1, "status %d", w.status)
		}),
		by("SHA-256", func() error { sha256.Sum256(body); return nil }),
		by("by hand, read and HMAC", func() error { _, err := verifyByHand(again()); return err }),
		by("decoding", func() error { return webhooks.ParseDelivery(body).DecodeErr }),
	)
	if err != nil {
		return Figure{}, err
	}
	ours, sha, decoding := results[0], results[1], results[3]
	return Figure{Value: float64(ours.Best-decoding.Best) / float64(sha.Best), Beside: results}, nil
}

// verifyByHand reads a body, and then hashes it.
func verifyByHand(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, 32<<20))
	if err != nil {
		return nil, err
	}
	at := r.Header.Get(webhooks.HeaderTimestamp)
	mac := hmac.New(sha256.New, []byte(webhookSecret))
	io.WriteString(mac, r.Header.Get(webhooks.HeaderNonce))
	io.WriteString(mac, at)
	mac.Write(body)
	signature, err := hex.DecodeString(r.Header.Get(webhooks.HeaderSignature))
	if err != nil || !hmac.Equal(signature, mac.Sum(nil)) {
		return nil, errors.Join(errors.New("not the signature"), err)
	}
	return body, nil
}
