package build

import (
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Attack does what sandbox.Sandbox.Attack says.
func (s *Chain) Attack(f func(service string, honest []byte, owner [32]byte) []byte) {
	s.Lock()
	defer s.Unlock()
	s.attack = nil
	if f != nil {
		s.attack = func(service play.Service, honest []byte, owner [32]byte) []byte {
			return f(string(service), honest, owner)
		}
	}
}

// Drain returns an attack for sandbox.Sandbox.Attack: the transaction sends all of
// the owner's SOL, less the fee, to thief.
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
			[]solana.Instruction{system.NewTransferInstruction(balance-5000, from, to).Build()},
			hash, solana.TransactionPayer(from))
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
