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
	Number  int    // counts the attempts that have ended from 1, those let go too
}

// Settle waits until no webhook delivery of s is in flight, for at most the given
// real time.
func Settle(s *Sandbox, most time.Duration) { s.world.Settle(most) }

// Deliveries returns every attempt to deliver a webhook that has ended, in the
// order in which they ended: the newest, 2,048 or a few more at most.
func (s *Sandbox) Deliveries() []Delivery {
	var all []Delivery
	for _, d := range s.world.Deliveries() {
		all = append(all, Delivery{Service(d.Service), d.ID, d.URL, d.Attempt, d.At, d.Header, d.Body, d.Status, d.Err, d.Landed, d.Number})
	}
	return all
}
