package play

import "time"

// Network says how the cluster takes transactions. Without one, a node executes
// what it is sent at once.
type Network struct {
	// Reach is the chance that one sendTransaction reaches a leader, which
	// executes it two slots later. 0 means 1.
	Reach float64
	// Resends makes nodes send what they were given again every two seconds,
	// until it has landed or expired.
	Resends bool
	// Lag is how many slots all nodes lag.
	Lag uint64
	// Nodes are the cluster's nodes: see LedgerHandle.NodeURL. Nil means one that
	// behaves.
	Nodes []Node
	// SkipEvery leaves one in so many slots without a block. 0 and 1 mean that every
	// slot has one.
	SkipEvery uint64
}

// Node says how one node of a Network behaves.
type Node struct {
	// Lag is how many slots the node lags: it knows no later block,
	// blockhash or transaction.
	Lag uint64
	// Silent makes the node accept requests and never answer.
	Silent bool
	// SlotForHeight makes the node answer the slot when it is asked for a height.
	SlotForHeight bool
	// PerSecond is how many requests a second the node answers. It refuses more
	// with 429. 0 means any number.
	PerSecond int
	// HistoryOff makes the node a validator that keeps no transactions: getBlock,
	// getTransaction, getSignaturesForAddress and searchTransactionHistory fail.
	HistoryOff bool
}

// NodeSocketTrouble says what goes wrong with a node's signatureNotification.
type NodeSocketTrouble struct {
	// Lost drops them.
	Lost bool
	// Late sends them so much later, by the sandbox's clock.
	Late time.Duration
	// Repeats is how many times more each is sent.
	Repeats int
	// Foreign sends each to all signature subscriptions of its connection, for
	// transactions too that were not executed.
	Foreign bool
}
