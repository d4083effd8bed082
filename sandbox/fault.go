package sandbox

// Fault makes requests of the matching routes go wrong. It hits only requests
// that would be carried out: a malformed, unauthorised or rate-limited
// request is refused as usual. If several faults match, the oldest applies. For
// the Solana node, Service is RPC and Pattern is the method, such as
// "sendTransaction". remove ends the fault.
func (s *Sandbox) Fault(match Route, f Fault) (remove func()) { return s.world.Fault(match, f) }

// Attack calls f with every transaction that a service is about to answer. If f
// returns a transaction, it replaces the honest transaction; nil keeps it. A
// nil f ends the attack. owner is the key whose signature is requested. f runs
// during a request: it must not call methods that read or change the sandbox's
// state. It may call Wallet, WalletAddress, URL and ProgramID.
func (s *Sandbox) Attack(f func(service string, honest []byte, owner [32]byte) []byte) {
	s.world.Attack(f)
}

// Drain returns an attack for [Sandbox.Attack]: the transaction sends all of
// the owner's SOL, less the fee, to thief.
func Drain(s *Sandbox, thief string) (func(service string, honest []byte, owner [32]byte) []byte, error) {
	return s.world.Drain(thief)
}
