package world

import "time"

// EndpointConfig describes an address that clients are given.
type EndpointConfig struct {
	Name    string // "rpc0" and so on, if empty
	Nodes   []int  // indexes into Config.Nodes; several make it a balancer
	Balance Balance
	Profile Profile
}

// Balance says how a balancer picks the node for a request.
type Balance int

// The ways to pick a node.
const (
	BalanceRandom   Balance = iota // by seed, each request
	BalanceSticky                  // the same node for a time, then another
	BalanceByMethod                // the first node for heads and sends, the last for history
)

// Profile is what a provider allows and how its front misbehaves. The zero
// value allows everything.
type Profile struct {
	Name string

	// Batch is how many calls a JSON-RPC batch may hold: zero any number, -1
	// refuses batches. A larger batch is refused whole.
	Batch int

	// SplitBatch serves the calls of a batch by different nodes.
	SplitBatch bool

	// GetBlocksMax limits the range of getBlocks; zero means 500,000.
	GetBlocksMax int

	// Refuse lists methods that are answered with error -32601.
	Refuse []string

	// Rate is the budget of calls a second (a batch counts each of its
	// calls), beyond which status 429 is answered; zero means no limit.
	// RetryAfter adds that header.
	Rate       int
	RetryAfter bool

	// Fail, Reset, Hang and Garble are the chances that a request is
	// answered with a 5xx status, a broken connection (before or after it
	// was served), nothing for HangFor (zero means 30 s), or a garbled body.
	Fail, Reset, Hang, Garble float64
	HangFor                   time.Duration

	// MixUp is the chance that the front mixes answers up: it gives one that is
	// another request's, with that one's id, or one without an id; of a batch, in
	// another order, or one twice.
	MixUp float64

	// Cache is the age of the oldest answer that the front repeats to the
	// same question; zero means none. Sends are never cached.
	Cache time.Duration
}
