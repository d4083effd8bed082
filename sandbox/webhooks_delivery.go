package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// webhooksSchedule is the delay before each attempt.
var webhooksSchedule = []time.Duration{0, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour}

// send delivers a body: on the schedule, or once where it is a test. What
// fails five times marks the webhook failed, and what it missed is lost.
func (w *webhooks) send(h *webhooksHook, body []byte, test bool) {
	d := delivery{service: Webhooks, id: h.id, url: h.destination, compose: w.signer(body)}
	if !test {
		d.schedule = webhooksSchedule
		d.dropped = func() bool { return !h.live() }
		d.done = func(landed bool) { h.failed = h.failed || !landed && !h.deleted }
	}
	w.deliver(d)
}

// signer signs the attempts of one delivery: each anew, or all alike, in turn
// from delivery to delivery, since which of the two is not documented.
func (w *webhooks) signer(body []byte) func(int) (http.Header, []byte) {
	var kept http.Header
	anew := w.turn("webhooks signature", 2) == 0
	return func(int) (http.Header, []byte) {
		if kept == nil || anew {
			kept = w.signature(body)
		}
		return kept, body
	}
}

// signature makes the three headers.
func (w *webhooks) signature(body []byte) http.Header {
	nonce := fmt.Sprintf("%016x%016x", w.random(), w.random())
	timestamp := strconv.FormatInt(w.now().Unix(), 10)
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
func (w *webhooks) notify(h *webhooksHook, payload any) { w.send(h, webhooksBody(payload), false) }

func webhooksBody(payload any) []byte {
	body, err := json.Marshal(payload)
	if err != nil {
		panic("sandbox: a payload that cannot be written: " + err.Error())
	}
	return body
}

func (w *webhooks) rotate() { w.secret = fmt.Sprintf("whsec_%016x%016x", w.random(), w.random()) }

// WebhookSecret returns the secret that the webhook service signs its
// deliveries with, which a receiver must know. Its bytes, as they stand, are
// the key of the HMAC.
func (s *Sandbox) WebhookSecret() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.webhooks.secret
}

// RotateWebhookSecret makes the webhook service sign with a new secret, and
// returns it. What waits for another attempt may yet come under the old one.
func (s *Sandbox) RotateWebhookSecret() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.webhooks.rotate()
	return s.webhooks.secret
}

// DeliverWebhook makes the webhook service deliver a body of the caller's to a
// webhook's destination, signed and with every retry. A webhook that is
// disabled or marked failed gets nothing.
func (s *Sandbox) DeliverWebhook(webhookID string, body []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, err := s.webhooks.hook(webhookID)
	if err != nil {
		return fmt.Errorf("sandbox: there is no webhook %q", webhookID)
	}
	if !h.live() {
		return fmt.Errorf("sandbox: the webhook %q is disabled or failed", webhookID)
	}
	s.webhooks.send(h, append([]byte(nil), body...), false)
	return nil
}
