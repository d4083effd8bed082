package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// schedule is the delay before each attempt.
var schedule = []time.Duration{0, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour}

// send delivers a body, on the schedule, or once if it is a test. After five
// failed attempts the webhook is marked failed and the delivery is lost.
func (w *Service) send(h *hook, body []byte, test bool) {
	d := kit.Outgoing{Service: play.Webhooks, ID: h.id, URL: h.destination, Letter: &letter{
		w: w, h: h, body: body, test: test, anew: w.Turn("webhooks signature", 2) == 0,
	}}
	if !test {
		d.Schedule = schedule
	}
	w.Deliver(d)
}

// letter is a body for a webhook's destination. Deliveries alternate between a new
// signature per attempt and the same signature for all attempts: the documentation does
// not say which.
type letter struct {
	w      *Service
	h      *hook
	body   []byte
	test   bool
	anew   bool
	header http.Header // of the attempt before, nil on the first
}

// Compose implements kit.Letter.
func (l *letter) Compose(int) (http.Header, []byte) {
	if l.header == nil || l.anew {
		l.header = l.w.signature(l.body)
	}
	return l.header, l.body
}

// Dropped implements kit.Letter.
func (l *letter) Dropped() bool { return !l.test && !l.h.live() }

// Done implements kit.Letter.
func (l *letter) Done(landed bool) {
	if !l.test {
		l.h.failed = l.h.failed || !landed && !l.h.deleted
	}
}

// signature makes the three headers.
func (w *Service) signature(body []byte) http.Header {
	nonce := fmt.Sprintf("%016x%016x", w.Random(), w.Random())
	timestamp := strconv.FormatInt(w.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(w.secret))
	mac.Write([]byte(nonce + timestamp))
	mac.Write(body)
	header := http.Header{}
	header.Set("X-Webhook-Signature", hex.EncodeToString(mac.Sum(nil)))
	header.Set("X-Webhook-Nonce", nonce)
	header.Set("X-Webhook-Timestamp", timestamp)
	return header
}

// notify delivers a payload to a webhook.
func (w *Service) notify(h *hook, payload any) {
	w.send(h, w.Tell(play.Webhooks, kit.MustJSON(payload)), false)
}

func (w *Service) rotate() { w.secret = fmt.Sprintf("whsec_%016x%016x", w.Random(), w.Random()) }

// Secret does what sandbox.WebhooksHandle.Secret says.
func (w *Service) Secret() string { return kit.Under(w, func() string { return w.secret }) }

// RotateSecret does what sandbox.WebhooksHandle.RotateSecret says.
func (w *Service) RotateSecret() string {
	w.Lock()
	defer w.Unlock()
	w.rotate()
	return w.secret
}

// DeliverBody does what sandbox.WebhooksHandle.Deliver says.
func (w *Service) DeliverBody(webhookID string, body []byte) error {
	w.Lock()
	defer w.Unlock()
	h := w.find(webhookID)
	if h == nil {
		return fmt.Errorf("sandbox: there is no webhook %q", webhookID)
	}
	if !h.live() {
		return fmt.Errorf("sandbox: the webhook %q is disabled or failed", webhookID)
	}
	w.send(h, append([]byte(nil), body...), false)
	return nil
}
