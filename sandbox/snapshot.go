package sandbox

import "fmt"

// Snapshot returns the whole state of the sandbox: the time and what is planned, the ledger
// with its history, the nodes, and the accounts, orders, positions, sessions, webhooks,
// deliveries that wait, limits, faults and violations of every service. Of one state there is
// one snapshot, equal to the last byte.
//
// Not in it are open connections, what clients wait for on the sandbox's clock, an
// [Sandbox.Attack], the trouble of feeds and what was recorded of them. Snapshot waits for
// deliveries in flight, for WebhookTimeout at most; it fails if one is in flight even then, and
// while Advance is at work.
//
// [Config].Snapshot starts a sandbox in the state, as many as one likes; [Restore] takes
// a sandbox back to it. Only a program with the same version of this package can read it. It has
// the sandbox's keys and tokens.
func Snapshot(s *Sandbox) ([]byte, error) {
	raw, err := s.world().Snapshot()
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	return raw, nil
}

// Restore takes the sandbox to the state of a snapshot, its time and its settings included.
// The addresses stay, and the key of the control port; connections of feeds end, and a request
// that waits for the clock is answered early; others under way are cut off. A client
// that waits on the sandbox's clock waits for as long as it would have. Handles such as that of
// [Sandbox.Lending] must be taken again.
//
// It fails on bytes that are no snapshot, cut, damaged or of another version, on a snapshot of
// another Deployment or number of nodes, and as [Snapshot] does. Then nothing has changed.
func Restore(s *Sandbox, snapshot []byte) error {
	if err := s.world().Restore(snapshot, s.present.Store); err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	return nil
}
