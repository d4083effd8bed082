package build

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Effect is the work of a service's program when the ledger executes a
// transaction that the service built. It happens at most once.
type Effect struct {
	// Owner must sign the transaction.
	Owner solana.PublicKey
	// Moves run in order; if one fails, all are undone.
	Moves []Move
	// Work has the service's part in it: any of [Checker], [Settler], [Doer] and
	// [Rehearser]. Its type is data, and snapshot.Keep knows it. May be nil.
	Work any
	// Holders are token accounts to use instead of wallets' associated
	// accounts. May be nil.
	Holders map[Holder]solana.PublicKey

	id    uint64
	spent bool
}

// Checker may fail at execution, with ledger.FailIf, if the state has changed since the
// transaction was built. It must change nothing: simulations call it too.
type Checker interface{ Check() }

// Settler sets the amounts of a copy of the moves at execution, if they depend on the
// state at that time. It may fail. Like Check, it must change nothing else.
type Settler interface{ Settle(moves []Move) }

// Doer is told after the transaction was executed. The service changes its books in it.
type Doer interface{ Done(r *ledger.Receipt) }

// Rehearser does what Done does to what the effects of later transactions depend on, as
// these are simulated after this one; undo takes it back.
type Rehearser interface {
	Rehearse(r *ledger.Receipt) (undo func())
}

// Move is a transfer between two wallets, or a wallet and a vault: of lamports
// if Token is zero, otherwise of tokens between associated accounts. Its source
// is the effect's owner, the service's vault, or a signer of the transaction.
type Move struct {
	From, To solana.PublicKey
	Token    Token
	Amount   uint64
}

// Holder is a wallet as a holder of one mint.
type Holder struct{ Wallet, Mint solana.PublicKey }

// account returns the token account that the effect uses for a wallet.
func (e *Effect) account(wallet solana.PublicKey, t Token) solana.PublicKey {
	if a, ok := e.Holders[Holder{wallet, t.Key}]; ok {
		return a
	}
	return t.Account(wallet)
}

// InstructionLife is how long an instruction that a service answered can be
// executed, in whatever transaction: ten minutes of the sandbox's clock. One
// within a transaction that a service built is let go when that has expired.
const InstructionLife = 10 * time.Minute

// EffectTag marks the data of a service's instruction; the effect's id follows.
var EffectTag = [8]byte{'s', 'a', 'n', 'd', 'b', 'o', 'x', 1}

// Instruct registers an effect and returns the instruction of the service's
// program that runs it. The instruction lists every account that the moves
// touch.
func (s *Chain) Instruct(service play.Service, e Effect) solana.Instruction {
	e.id = s.Random()
	s.loose.Put(e.id, &e)
	accounts := solana.AccountMetaSlice{solana.Meta(e.Owner).WRITE().SIGNER()}
	add := func(m *solana.AccountMeta) {
		at := slices.IndexFunc(accounts, func(a *solana.AccountMeta) bool { return a.PublicKey == m.PublicKey })
		if at < 0 {
			accounts = append(accounts, m)
			return
		}
		accounts[at].IsWritable = accounts[at].IsWritable || m.IsWritable
		accounts[at].IsSigner = accounts[at].IsSigner || m.IsSigner
	}
	vault := s.Vault(service)
	for _, m := range e.Moves {
		authority := solana.Meta(m.From)
		if m.From != vault {
			authority = authority.SIGNER()
		}
		if m.Token.Key.IsZero() {
			add(authority.WRITE())
			add(solana.Meta(m.To).WRITE())
			add(solana.Meta(solana.SystemProgramID))
			continue
		}
		add(authority)
		add(solana.Meta(e.account(m.From, m.Token)).WRITE())
		add(solana.Meta(e.account(m.To, m.Token)).WRITE())
		add(solana.Meta(m.Token.Key))
		add(solana.Meta(m.Token.Owner))
	}
	data := binary.LittleEndian.AppendUint64(EffectTag[:], e.id)
	return solana.NewInstruction(s.Programs[service], accounts, data)
}

// effect finds what an instruction does, false if it was let go.
func (s *Chain) effect(id uint64) (*Effect, bool) {
	if e, ok := s.built.Get(id); ok {
		return e, true
	}
	return s.loose.Get(id)
}

// expire lets the effects of instructions go with the blockhash of the
// transaction that they became part of.
func (s *Chain) expire(instructions []solana.Instruction) {
	for _, in := range instructions {
		data, err := in.Data()
		if err != nil || len(data) != 16 || [8]byte(data[:8]) != EffectTag {
			continue
		}
		id := binary.LittleEndian.Uint64(data[8:])
		if e, ok := s.loose.Get(id); ok {
			s.loose.Delete(id)
			s.built.Put(id, e)
		}
	}
}

// runEffect is the program of every service; it signs for the service's vault.
func (s *Chain) runEffect(x *ledger.Invocation, vault solana.PublicKey) {
	ledger.FailIf(len(x.Data) != 16 || [8]byte(x.Data[:8]) != EffectTag, ledger.ErrData)
	e, ok := s.effect(binary.LittleEndian.Uint64(x.Data[8:]))
	ledger.FailIf(!ok || e.spent, ledger.Custom(6000)) // no such effect, or it has run already
	ledger.FailIf(!x.Signed(e.Owner), ledger.ErrSigner)
	if work, ok := e.Work.(Checker); ok {
		work.Check()
	}
	moves := slices.Clone(e.Moves)
	if work, ok := e.Work.(Settler); ok {
		work.Settle(moves)
	}
	for _, m := range moves {
		x.Invoke(m.instruction(e), vault)
	}
	if work, ok := e.Work.(Rehearser); ok {
		x.Rehearse(work.Rehearse)
	}
	x.After(func(r *ledger.Receipt) {
		e.spent = true
		s.loose.Delete(e.id)
		s.built.Delete(e.id)
		if work, ok := e.Work.(Doer); ok {
			work.Done(r)
		}
	})
}

// instruction returns the instruction that the program invokes for a move.
func (m Move) instruction(e *Effect) ledger.Instruction {
	if m.Token.Key.IsZero() {
		data := binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, m.Amount)
		return ledger.Instruction{Program: solana.SystemProgramID, Data: data, Accounts: []ledger.Meta{
			{Key: m.From, Signer: true, Writable: true}, {Key: m.To, Writable: true},
		}}
	}
	data := append(binary.LittleEndian.AppendUint64([]byte{12}, m.Amount), m.Token.Decimals)
	return ledger.Instruction{Program: m.Token.Owner, Data: data, Accounts: []ledger.Meta{
		{Key: e.account(m.From, m.Token), Writable: true}, {Key: m.Token.Key},
		{Key: e.account(m.To, m.Token), Writable: true}, {Key: m.From, Signer: true},
	}}
}

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

// Drain does what sandbox.Drain says.
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
		hash, _ := s.Latest()
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
