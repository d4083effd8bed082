package sandbox

import "github.com/walletfi/walletfi-go/sandbox/play"

// Exchange is a request and its answer: see [Requests].
type Exchange = play.Exchange

// Requests returns the newest requests to services and nodes with their answers that a filter
// covers, the oldest first: 1,000 at most, with 4 MiB of bodies.
func Requests(s *Sandbox, filter Exchange) []Exchange { return s.world().Exchanges(filter) }
