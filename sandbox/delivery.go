package sandbox

import (
	"net/http"
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
	Status  int    // 0 if no answer came
	Err     string // why no answer came
	Landed  bool   // whether the destination accepted
}

// Settle waits until no webhook delivery is in flight, for at most the given
// real time.
func (s *Sandbox) Settle(most time.Duration) { s.world.Settle(most) }

// Deliveries returns every attempt to deliver a webhook that has ended, in the
// order in which they ended.
func (s *Sandbox) Deliveries() []Delivery {
	var all []Delivery
	for _, d := range s.world.Deliveries() {
		all = append(all, Delivery{Service(d.Service), d.ID, d.URL, d.Attempt, d.At, d.Header, d.Body, d.Status, d.Err, d.Landed})
	}
	return all
}
