// Package play declares what package sandbox takes and returns: its [Config], the
// names of its services, faults, deliveries, violations, and what is read from its
// ledger and its feeds. Package sandbox has the same types under the same names, so
// that a program needs to import only that one:
//
//	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
package play
