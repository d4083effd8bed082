package world

import "time"

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
