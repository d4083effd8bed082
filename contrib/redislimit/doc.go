// Package redislimit shares the limits of one key among many processes, in Redis:
//
//	fleet, err := redislimit.New(redislimit.Config{
//		Client: redis.NewClient(&redis.Options{Addr: "localhost:6379"}),
//		Key:    "lending-main", // names the key; not the key itself
//	})
//	...
//	defer fleet.Close()
//	client, err := lending.New(lending.Config{
//		...,
//		Options: walletfi.Options{Limiter: fleet.Limiter},
//	})
//
// The limit is as exact as in one process: at most N requests in any window as the
// service counts them, whatever the latency. A permit is one round trip, and so is its
// release. Callers of all processes are served in the order in which they came, to
// about 50 ms, and calls marked by [ratelimit.WithUrgent] before the others. Holds and
// counts of the service hold for the fleet; of a wait that is doubted ([ratelimit.Prober]), one
// request of the whole fleet probes at a time. A pace is kept as one request in any window
// of that length.
//
// # What can fail
//
// A process that dies keeps the slots of its requests under way until its lease ends
// ([Config].Lease); then they count as sent. The lease must be longer than a request
// takes to reach the service.
//
// If Redis cannot be reached, [Limiter.Permit] fails with a [ratelimit.LimiterError] and
// nothing is sent, or walletfi.Options.LimiterFallback gives a local share.
//
// If Redis lost its state, or was restarted or failed over, so that it may have lost its
// last writes, no slot is given for [Config].ReportPeriod. In that time each process
// reports what it sent itself. So the budget is not exceeded, provided that every process
// reaches Redis once in that period. What a process sent that has ended meanwhile is not
// reported. If that matters, make the period as long as the longest window. The first
// process of a new fleet waits for one period too, since an empty Redis cannot tell.
//
// Only Redis's clock counts. If it is set back, time goes on from where it was, so that
// no slot comes free early and none is lost. If it jumps ahead, slots come free early by
// as much; a failover to a server with another clock is such a jump, if the report period
// is shorter than the difference.
//
// All of a scope is in one hash of at most about 100 KB per budget, whose name has one
// hash tag, so that it works in a Redis Cluster. All processes must state the same windows.
// Other ones are an error until no process with the first has called for a Lease, and then
// take over with what was sent; a longer window knows of no more than those before it did.
// Of two numbers of requests for one window each process keeps its own, so that the fleet
// sends as many as the larger. The hash expires when it was not used for 30 days and two
// windows.
//
// The script takes about 2 microseconds longer for each process that called within a
// Lease: Redis keeps up with some hundred processes that wait at the same time. One that is
// too slow fails calls, and nothing is exceeded.
//
// The user of an access list needs EVAL, EVALSHA, TIME, INFO,
// PEXPIRE and the commands of hashes.
package redislimit
