// Package chaos pays through every relay of the services, over HTTP on the sandbox, under
// faults of the services, the nodes, the journal and the processes, and counts on the
// ledger what was paid twice and what was said falsely. Package e2e/world/paid does so in
// memory, on a cluster written from the chain's documents alone.
package chaos
