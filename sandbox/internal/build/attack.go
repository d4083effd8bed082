package build

import (
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Attack makes f decide on every transaction that a service is about to
// answer: what it returns takes the honest one's place, nil leaves it. A nil f
// is honest again. The owner is whose signature is wanted. It is called amidst
// a request, so that it must not call methods of the sandbox that change or
// read its state; Wallet, WalletAddress, URL and ProgramID are free.
func (s *Chain) Attack(f func(service string, honest []byte, owner [32]byte) []byte) {
	s.Lock()
	defer s.Unlock()
	s.attack = nil
	if f != nil {
		s.attack = func(service kit.Service, honest []byte, owner [32]byte) []byte {
			return f(string(service), honest, owner)
		}
	}
}

// Drain is an attack, to be given to Attack: in place of what was asked for,
// the owner's SOL goes to thief, all but what the fee takes.
func (s *Chain) Drain(thief string) (func(service string, honest []byte, owner [32]byte) []byte, error) {
	to, err := solana.PublicKeyFromBase58(thief)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %q is no address", thief)
	}
	return func(_ string, _ []byte, owner [32]byte) []byte {
		from := solana.PublicKey(owner)
		balance := s.Balance(from)
		if balance < 5000 {
			return nil
		}
		hash, _ := s.Blockhash(0)
		tx, err := solana.NewTransaction(
			[]solana.Instruction{system.NewTransferInstruction(balance-5000, from, to).Build()}, hash, solana.TransactionPayer(from))
		if err != nil {
			return nil
		}
		raw, err := s.Encode(tx, nil)
		if err != nil {
			return nil
		}
		return raw
	}, nil
}
