package kit

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/snapshot"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// MostDeliveries is about how many attempts are remembered, the newest.
const MostDeliveries = 2048

// Outgoing is a webhook to deliver.
type Outgoing struct {
	Service play.Service
	ID      string
	URL     string
	Letter  Letter
	// Schedule is the delay before each attempt. Nil means one attempt at once.
	Schedule []time.Duration
}

// Letter has the content of a delivery.
type Letter interface {
	// Compose makes the request of an attempt. Its signature may differ between
	// attempts.
	Compose(attempt int) (http.Header, []byte)
	// Dropped is called before each attempt; true abandons the delivery.
	Dropped() bool
	// Done is called after the delivery was accepted or the last attempt failed.
	Done(landed bool)
}

// posting is an attempt that is planned.
type posting struct {
	core   *Core
	what   Outgoing
	number int
}

var _ = snapshot.Keep(posting{})

// Happen makes the attempt.
func (p posting) Happen() { p.core.post(p.what, p.number) }

// Deliver sends a webhook, and repeats it on its schedule until the destination
// accepts it.
func (s *Core) Deliver(d Outgoing) {
	if d.Schedule == nil {
		d.Schedule = []time.Duration{0}
	}
	s.attempt(d, 1)
}

func (s *Core) attempt(d Outgoing, number int) {
	if wait := d.Schedule[number-1]; wait > 0 {
		s.After(wait, posting{s, d, number})
		return
	}
	s.post(d, number)
}

// post sends one attempt in a goroutine of its own, since the destination may
// call the sandbox before it answers.
func (s *Core) post(d Outgoing, number int) {
	if s.closed || d.Letter.Dropped() {
		return
	}
	header, body := d.Letter.Compose(number)
	if dialect := s.dialect(d.Service); dialect != nil {
		header = header.Clone()
		dialect.Header(header)
	}
	record := play.Delivery{
		Service: d.Service, ID: d.ID, URL: d.URL, Attempt: number, At: s.Now(), Header: header, Body: body,
	}
	s.flying++
	era := s.era
	s.running.Go(func() {
		s.exchange(&record)
		s.Lock()
		defer s.Unlock()
		s.flying--
		s.stirred++
		s.landed.Broadcast()
		if s.era != era {
			return
		}
		s.delivered++
		record.Number = s.delivered
		s.deliveries = Newest(append(s.deliveries, record), MostDeliveries)
		switch {
		case record.Landed || number == len(d.Schedule):
			d.Letter.Done(record.Landed)
		default:
			s.attempt(d, number+1)
		}
	})
}

func (s *Core) exchange(d *play.Delivery) {
	ctx, cancel := context.WithTimeout(s.context, s.Config.WebhookTimeout)
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

// awaitDeliveries releases the lock until no delivery is in flight, for at most
// the given real time.
func (s *Core) awaitDeliveries(most time.Duration) {
	if s.flying == 0 {
		return
	}
	late := false
	timer := time.AfterFunc(most, func() {
		s.Lock()
		defer s.Unlock()
		late = true
		s.landed.Broadcast()
	})
	defer timer.Stop()
	for s.flying > 0 && !late {
		s.landed.Wait()
	}
}

// Settle waits until no webhook delivery is in flight, for at most the given
// real time.
func (s *Core) Settle(most time.Duration) { s.Locked(func() { s.awaitDeliveries(most) }) }

// Deliveries returns every attempt to deliver a webhook that has ended, in the
// order in which they ended: the newest, MostDeliveries and a few more at most.
func (s *Core) Deliveries() []play.Delivery {
	return Under(s, func() []play.Delivery { return slices.Clone(s.deliveries) })
}
