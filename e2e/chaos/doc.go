// Package chaos pays under faults of the services, the nodes, the journal and the
// processes, on a ledger in memory and over HTTP on the sandbox, and counts on the ledger
// what was paid twice and what was said falsely.
package chaos
