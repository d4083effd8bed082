package world

import "time"

// Config is everything a World depends on, besides what its clients do. The
// zero value of each field switches what it describes off (or is the
// mainnet's usual value, where one is named); [Config.Switches] lists those
// that can be switched off one by one.
type Config struct {
	Seed uint64
	Mode string // the name given to Draw, for reports

	Cluster  Cluster
	Landing  Landing
	Nodes    []NodeConfig     // none: one perfect node
	Services []EndpointConfig // none: one endpoint for each node, "rpc0", "rpc1", ...

	// LatencyMin and LatencyMax bound the time that each request takes.
	LatencyMin, LatencyMax time.Duration

	// SkipVerify accepts transactions without checking their signatures.
	SkipVerify bool

	// TraceLines bounds the trace; zero keeps none.
	TraceLines int
}

// Cluster describes slots, blocks and forks.
type Cluster struct {
	// FirstSlot is the slot at the start of the run; zero means 250,000,000.
	FirstSlot uint64

	// SlotMin and SlotMax bound the length of a slot, drawn again each 64
	// slots; zero means 400 ms.
	SlotMin, SlotMax time.Duration

	// SkipRate is the share of slots without a block.
	SkipRate float64

	// ForkRate is the share of spans of 64 slots that hold a minority fork.
	ForkRate float64

	// ForkLen is the longest fork in slots; zero means 12, at most 60.
	ForkLen int

	// ForkConfirmed is the share of forks whose blocks the nodes on them
	// call confirmed, although they are left later.
	ForkConfirmed float64

	// ForkLost is the chance that a transaction executed on a fork is not
	// carried over to the surviving chain (unless it is sent again).
	ForkLost float64

	// ForkFails is the chance that a transaction that succeeds on a fork
	// fails there instead, whatever it does on the surviving chain.
	ForkFails float64

	// FinalityMin and FinalityMax bound how many slots finality trails the
	// tip, drawn again each 64 slots; zero means 32.
	FinalityMin, FinalityMax int

	// Age is how many blocks above its blockhash's block a transaction can
	// still execute; zero means 151. AgeLater, if not zero, replaces it in
	// the blocks from AgeSwitch blocks after the start on. It revives no
	// blockhash that had died by then.
	Age, AgeLater, AgeSwitch int

	// StatusCache is how many rooted blocks the status cache holds; zero
	// means 300.
	StatusCache int

	// EmptyRate and FailingRate are the shares of blocks that have no
	// transactions of strangers, and only failing ones.
	EmptyRate, FailingRate float64
}

// Landing describes the way of a transaction from a node into a block.
type Landing struct {
	// Loss is the chance that what a node sends once reaches no leader.
	Loss float64

	// DelayMax bounds the slots between reaching a leader and being tried.
	DelayMax int

	// Hold is the chance, each block, that a pending transaction is left
	// for a later one.
	Hold float64

	// Drop is the chance that a pending transaction is forgotten for good
	// (until it is sent again) when it is left.
	Drop float64

	// Late is the share of transactions that reached a leader and are tried
	// only in their last possible blocks; LateSpan is how many blocks those
	// are (zero means 1, the very last).
	Late     float64
	LateSpan int

	// Rebroadcast is the number of times a node sends on what it was given,
	// each 5 slots, if the request sets no maxRetries.
	Rebroadcast int
}

// NodeConfig describes a node. The zero value is a perfect one.
type NodeConfig struct {
	// Lag is how far the node lags, in slots. With LagMax above it, lag
	// wanders between the two. Jitter lets the node stand still for up to so
	// many slots, and then catch up.
	Lag, LagMax, Jitter int

	// Fork is the chance that the node follows a minority fork.
	Fork float64

	// Newer makes getSignatureStatuses heed commitment and minContextSlot,
	// and getTransaction minContextSlot. Older nodes ignore them.
	Newer bool

	// Gaps describes what the node's store lacks.
	Gaps Gaps

	// NoHistory is how the node answers when history is asked for and it has
	// none. HistoryOn means that it has.
	NoHistory History

	// NullErrors is the share of reads of the store that fail and are
	// answered as if nothing was found.
	NullErrors float64

	// Stale is the age of the oldest answer that the node repeats from a
	// cache; zero means none. Sends, and answers about the store's floor,
	// are never cached.
	Stale time.Duration

	// Liar makes the node lie.
	Liar Liar
}

// Gaps describes what a store lacks.
type Gaps struct {
	// SnapshotEvery restarts the node from a snapshot about each so many
	// slots (half of it to one and a half): its store then begins at the
	// snapshot, and it lags far for a while.
	SnapshotEvery int

	// Keep prunes blocks older than so many slots.
	Keep int

	// HoleRate is the share of spans of HoleSpan slots that the store has
	// lost; zero HoleSpan means 16.
	HoleRate float64
	HoleSpan int

	// Hollow is the share of spans of HoleSpan slots of which the store has the
	// blocks and none of their transactions, so that they look empty, and their
	// statuses as if they had never been.
	Hollow float64

	// Crooked is the share of slots that are answered with the block of another
	// slot, or with a block that does not hang on the one before.
	Crooked float64

	// ArchiveLag makes whatever left the status cache, and is asked from the
	// archive, appear only after so many slots.
	ArchiveLag int
}

// History says whether a node has the history of transactions.
type History int

// What a node does when history is asked for.
const (
	HistoryOn    History = iota // answers
	HistoryError                // answers error -32011
	HistoryNull                 // answers null
)

// Liar names what a node lies about.
type Liar int

// The kinds of liars. A liar's other answers are those of an honest node.
const (
	Honest         Liar = iota
	LiarNull            // null for every signature and transaction
	LiarOurs            // null for clients' transactions, the truth about strangers'
	LiarSuccess         // finalized success for clients' transactions, executed or not
	LiarFailure         // a finalized failure for clients' transactions
	LiarFinal           // what it saw processed, or on a fork, is called finalized
	LiarAhead           // slots and heights far ahead, and nothing else
	LiarHeight          // the slot in place of the height
	LiarInvalid         // each blockhash is invalid
	LiarShort           // lastValidBlockHeight a few blocks away
	LiarFuture          // heads, blocks, witnesses of a chain far ahead; null for ours
	LiarFrozen          // transactions and accounts as of long ago, at fresh context slots
	LiarNonce           // each nonce has been advanced by a stranger
	LiarWitness         // each signature but ours is finalized; blocks are invented
	LiarSwallow         // accepts transactions, sends none, says null for them
	LiarGenesis         // another genesis hash
	LiarEarly           // blockhashes seen valid at slots before they existed
	LiarChangeable      // another lie with each request
	liarKinds
)

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
