package sandbox

import (
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Fault is what goes wrong with a request. Its fields add up: a delay can
// come before a reset.
type Fault struct {
	// Delay passes, in real time, before anything else happens.
	Delay time.Duration
	// Handled means that the request is carried out first and only its answer
	// is what Status or Reset say: money moved, and the caller cannot know.
	Handled bool
	// Reset closes the connection in place of an answer.
	Reset bool
	// Status is answered in place of the answer. With an empty Body it comes
	// in the service's own error envelope.
	Status int
	// Body replaces the answer's.
	Body []byte
	// Header is added to the answer.
	Header http.Header
	// Truncate closes the connection after that many bytes of the body, of
	// which the answer's length promises all. 0 means the whole body.
	Truncate int
	// Garbage carries the request out and answers its status with bytes that
	// are no JSON.
	Garbage bool
	// After lets that many requests through first.
	After int
	// Times is how many requests are hit. 0 means every one until removed.
	Times int
}

// Fault makes the requests of the routes that match covers go wrong. Only
// requests that would otherwise be carried out are hit: a request that is
// malformed, unauthorised or over a limit is refused as ever. Of several faults
// the first one applies. For the Solana node, Service is RPC and Pattern the
// method, such as "sendTransaction". The result takes the fault back.
func (s *Sandbox) Fault(match Route, f Fault) (remove func()) {
	return s.world.Fault(match.internal(), kit.Fault(f))
}
