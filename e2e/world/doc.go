// Package world is test material: a simulated Solana cluster with
// honest-but-awkward nodes and a minority of liars, spoken to as JSON-RPC
// over HTTP/1.1 on in-memory connections.
//
//	w := world.New(world.Draw(42, "balancer"))
//	defer w.Close()
//	w.Fund(owner, 1_000_000_000)
//	line := w.NewLine("wallet")
//	client := w.Endpoint("rpc0").Client(line)
//	// post JSON-RPC to w.Endpoint("rpc0").URL() with client
//
// A World is a function of its Config: slots, skips, forks, blockhashes,
// background traffic, lag and faults are drawn by hashing the seed with what
// is asked, never from a shared sequence, so goroutine scheduling does not
// change them. The world advances when it is looked at, by time.Now: inside a
// testing/synctest bubble its time is virtual. It starts no goroutine except
// one for each open connection.
//
// The court ([World.Executions], [World.Dead], [World.Finalized],
// [World.ProofPossible]) tells the truth; no node need do so.
package world
