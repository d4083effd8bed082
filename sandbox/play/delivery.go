package play

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
