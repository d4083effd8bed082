package sandbox

import (
	"encoding/binary"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// effect is what a service's program does when a transaction that the service
// built is executed. It happens at most once.
type effect struct {
	// owner must sign the transaction.
	owner solana.PublicKey
	// moves are carried out in order, all or none.
	moves []move
	// check may refuse at execution, when what was true at building is true no
	// more. It must change nothing: simulations ask too. May be nil.
	check func() *ledger.InstructionError
	// settle sets the moves' amounts at execution, on a copy of them, where they
	// depend on what is true then. It may refuse and must change nothing else,
	// as check. May be nil.
	settle func(moves []move) *ledger.InstructionError
	// holders are token accounts that stand in for wallets' associated ones.
	// May be nil.
	holders map[holder]solana.PublicKey
	// done is told that the transaction was executed, whole. It is where the
	// service changes its books. May be nil.
	done func(*ledger.Receipt)

	id    uint64
	spent bool
}

// move is a transfer between two wallets, or a wallet and a vault: of lamports
// where the token is the zero one, otherwise between the wallets' associated
// accounts. Its source is the effect's owner, the service's vault, or signs.
type move struct {
	from, to solana.PublicKey
	token    Token
	amount   uint64
}

// holder is a wallet as a holder of one mint.
type holder struct{ wallet, mint solana.PublicKey }

// account is where the effect finds a wallet's tokens.
func (e *effect) account(wallet solana.PublicKey, t Token) solana.PublicKey {
	if a, ok := e.holders[holder{wallet, t.key}]; ok {
		return a
	}
	return t.account(wallet)
}

// effectTag marks the data of a service's instruction; the effect's id follows.
var effectTag = [8]byte{'s', 'a', 'n', 'd', 'b', 'o', 'x', 1}

// instruct registers an effect and returns the instruction of the service's
// program that brings it about. Every account that its moves touch is in it.
func (s *Sandbox) instruct(service Service, e effect) solana.Instruction {
	e.id = s.random()
	s.chain.effects[e.id] = &e
	accounts := solana.AccountMetaSlice{solana.Meta(e.owner).WRITE().SIGNER()}
	add := func(m *solana.AccountMeta) {
		at := slices.IndexFunc(accounts, func(a *solana.AccountMeta) bool { return a.PublicKey == m.PublicKey })
		if at < 0 {
			accounts = append(accounts, m)
			return
		}
		accounts[at].IsWritable = accounts[at].IsWritable || m.IsWritable
		accounts[at].IsSigner = accounts[at].IsSigner || m.IsSigner
	}
	vault := s.vault(service)
	for _, m := range e.moves {
		authority := solana.Meta(m.from)
		if m.from != vault {
			authority = authority.SIGNER()
		}
		if m.token.key.IsZero() {
			add(authority.WRITE())
			add(solana.Meta(m.to).WRITE())
			add(solana.Meta(solana.SystemProgramID))
			continue
		}
		add(authority)
		add(solana.Meta(e.account(m.from, m.token)).WRITE())
		add(solana.Meta(e.account(m.to, m.token)).WRITE())
		add(solana.Meta(m.token.key))
		add(solana.Meta(m.token.owner))
	}
	data := binary.LittleEndian.AppendUint64(effectTag[:], e.id)
	return solana.NewInstruction(s.chain.programs[service], accounts, data)
}

// runEffect is the program of every service.
func (s *Sandbox) runEffect(x *ledger.Invocation) *ledger.InstructionError {
	if len(x.Data) != 16 || [8]byte(x.Data[:8]) != effectTag {
		return ledger.ErrInstruction
	}
	e, ok := s.chain.effects[binary.LittleEndian.Uint64(x.Data[8:])]
	if !ok || e.spent {
		return ledger.Custom(6000) // no such order, or carried out already
	}
	if !x.Signed(e.owner) {
		return ledger.ErrSigner
	}
	if e.check != nil {
		if err := e.check(); err != nil {
			return err
		}
	}
	vault, _, err := solana.FindProgramAddress([][]byte{[]byte("vault")}, x.Program)
	if err != nil {
		return ledger.ErrInstruction
	}
	moves := slices.Clone(e.moves)
	if e.settle != nil {
		if err := e.settle(moves); err != nil {
			return err
		}
	}
	for _, m := range moves {
		if err := x.Invoke(m.instruction(e), vault); err != nil {
			return err
		}
	}
	x.After(func(r *ledger.Receipt) {
		e.spent = true
		if e.done != nil {
			e.done(r)
		}
	})
	return nil
}

// instruction is what the program invokes for a move.
func (m move) instruction(e *effect) ledger.Instruction {
	if m.token.key.IsZero() {
		data := binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, m.amount)
		return ledger.Instruction{Program: solana.SystemProgramID, Data: data, Accounts: []ledger.Meta{
			{Key: m.from, Signer: true, Writable: true}, {Key: m.to, Writable: true},
		}}
	}
	data := append(binary.LittleEndian.AppendUint64([]byte{12}, m.amount), m.token.Decimals)
	return ledger.Instruction{Program: m.token.owner, Data: data, Accounts: []ledger.Meta{
		{Key: e.account(m.from, m.token), Writable: true}, {Key: m.token.key},
		{Key: e.account(m.to, m.token), Writable: true}, {Key: m.from, Signer: true},
	}}
}
