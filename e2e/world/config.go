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
