package sandbox

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
