package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"
)

// Delivery is one attempt to deliver a webhook.
type Delivery struct {
	Service Service
	ID      string // of the webhook or event
	URL     string
	Attempt int       // 1 for the first
	At      time.Time // by the sandbox's clock
	Header  http.Header
	Body    []byte
	Status  int    // 0 where no answer came
	Err     string // why no answer came
	Landed  bool   // whether the destination accepted
}

// delivery is a webhook that is on its way.
type delivery struct {
	service Service
	id      string
	url     string
	// compose makes the request of an attempt, whose signature may change from
	// one to the next.
	compose func(attempt int) (http.Header, []byte)
	// schedule is the delay before each attempt. Nil means one attempt at once.
	schedule []time.Duration
	// dropped is asked before each attempt: true gives the delivery up. May be
	// nil.
	dropped func() bool
	// done is called when the delivery landed or has failed for good. May be nil.
	done func(landed bool)
}

// deliver sends a webhook, and again on its schedule until it lands.
func (s *Sandbox) deliver(d delivery) {
	if d.schedule == nil {
		d.schedule = []time.Duration{0}
	}
	s.attempt(d, 1)
}

func (s *Sandbox) attempt(d delivery, number int) {
	if wait := d.schedule[number-1]; wait > 0 {
		s.after(wait, func() { s.post(d, number) })
		return
	}
	s.post(d, number)
}

// post sends one attempt in a goroutine of its own, since the destination may
// well talk to the sandbox before it answers.
func (s *Sandbox) post(d delivery, number int) {
	if s.closed || d.dropped != nil && d.dropped() {
		return
	}
	header, body := d.compose(number)
	record := Delivery{Service: d.service, ID: d.id, URL: d.url, Attempt: number, At: s.now(), Header: header, Body: body}
	s.flying++
	s.running.Go(func() {
		s.exchange(&record)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.flying--
		s.landed.Broadcast()
		s.deliveries = append(s.deliveries, record)
		switch {
		case record.Landed || number == len(d.schedule):
			if d.done != nil {
				d.done(record.Landed)
			}
		default:
			s.attempt(d, number+1)
		}
	})
}

func (s *Sandbox) exchange(d *Delivery) {
	ctx, cancel := context.WithTimeout(s.context, s.config.WebhookTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(d.Body))
	if err != nil {
		d.Err = err.Error()
		return
	}
	request.Header = d.Header.Clone()
	request.Header.Set("Content-Type", "application/json")
	answer, err := s.webhookClient.Do(request)
	if err != nil {
		d.Err = err.Error()
		return
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<20))
	d.Status, d.Landed = answer.StatusCode, answer.StatusCode == http.StatusOK
	if !d.Landed {
		d.Err = fmt.Sprintf("the destination answered %d", answer.StatusCode)
	}
}

// awaitDeliveries lets go of the lock until no delivery is in flight, for at
// most the real time given.
func (s *Sandbox) awaitDeliveries(most time.Duration) {
	if s.flying == 0 {
		return
	}
	late := false
	timer := time.AfterFunc(most, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		late = true
		s.landed.Broadcast()
	})
	defer timer.Stop()
	for s.flying > 0 && !late {
		s.landed.Wait()
	}
}

// Settle waits until no webhook is being delivered, for at most the real time
// given.
func (s *Sandbox) Settle(most time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.awaitDeliveries(most)
}

// Deliveries returns every attempt to deliver a webhook that has ended, in the
// order in which they ended.
func (s *Sandbox) Deliveries() []Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.deliveries)
}
