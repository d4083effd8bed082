package sandbox

// Attack makes f decide on every transaction that a service is about to
// answer: the transaction that it returns replaces the honest one, nil keeps
// the honest one. A nil f ends the attack. The owner is the key whose signature
// is wanted. f is called during a request, so it must not call methods of the
// sandbox that change or read its state; Wallet, WalletAddress, URL and
// ProgramID are free.
func (s *Sandbox) Attack(f func(service string, honest []byte, owner [32]byte) []byte) {
	s.world.Attack(f)
}

// Drain is an attack, to be given to Attack: in place of what was asked for,
// the owner's SOL goes to thief, all but what the fee takes.
func (s *Sandbox) Drain(thief string) (func(service string, honest []byte, owner [32]byte) []byte, error) {
	return s.world.Drain(thief)
}
