package play

import (
	"net/http"
	"time"
)

// Fault describes what goes wrong with a request. Fields combine: a delay can
// precede a reset.
type Fault struct {
	// Delay is a wait, in real time, before anything else happens.
	Delay time.Duration
	// Handled carries the request out before Status or Reset replaces its
	// answer: money moved, and the caller cannot know.
	Handled bool
	// Reset closes the connection instead of answering.
	Reset bool
	// Status replaces the status of the answer. If Body is empty, the body is
	// the service's own error envelope. 429 comes with the headers that the service
	// documents for it, unless Header replaces them. From 200 to 999; 0 keeps it.
	Status int
	// Body replaces the body of the answer.
	Body []byte
	// Header is added to the answer.
	Header http.Header
	// Truncate closes the connection after that many bytes of the body,
	// although Content-Length announces the whole body. 0 sends the whole body.
	Truncate int
	// Garbage carries the request out and sends its status with a body that is
	// not JSON.
	Garbage bool
	// After is how many requests succeed before the fault begins.
	After int
	// Times is how many requests are hit. 0 means every request until the fault
	// is removed.
	Times int
}
