package world_test

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// exchange is a pinned program that does anything with the accounts of a call,
// as the number in the call's data says. It does so in a simulation, and then
// for those who had it simulated.
type exchange struct {
	id      solana.PublicKey
	watched bool            // a simulation runs
	seen    map[string]bool // the data of calls that were simulated
	moved   int             // calls of other programs that were carried out
}

func (e *exchange) run(x *ledger.Invocation) {
	if len(x.Data) < 9 || !e.watched && !e.seen[string(x.Data)] {
		return
	}
	number := binary.LittleEndian.Uint64(x.Data[1:])
	r := rand.New(rand.NewPCG(number, 0x65786368))
	if r.IntN(4) == 0 {
		return
	}
	for range 1 + r.IntN(2) {
		x.Invoke(e.whim(x, r))
		if !e.watched {
			e.moved++
		}
	}
}

// whim is any instruction over the accounts of the call.
func (e *exchange) whim(x *ledger.Invocation, r *rand.Rand) ledger.Instruction {
	any := func() ledger.Meta { return x.Accounts[r.IntN(len(x.Accounts))] }
	writes := func() ledger.Meta { m := any(); m.Signer, m.Writable = false, true; return m }
	signs := ledger.Meta{Key: x.Accounts[0].Key, Signer: true}
	payer := ledger.Meta{Key: x.Accounts[0].Key, Signer: true, Writable: true}
	number := func(tag ...byte) []byte { return binary.LittleEndian.AppendUint64(tag, r.Uint64N(1<<(6+r.IntN(26)))) }
	source, target := e.pair(x, r)
	token := e.programOf(x, source)
	call := func(program solana.PublicKey, data []byte, accounts ...ledger.Meta) ledger.Instruction {
		return ledger.Instruction{Program: program, Accounts: accounts, Data: data}
	}
	switch r.IntN(12) {
	case 0, 1:
		return call(solana.SystemProgramID, number(2, 0, 0, 0), payer, writes())
	case 2, 3, 4, 5:
		return call(token, number(3), source, target, signs)
	case 6:
		return call(token, number(4), source, any(), signs)
	case 7:
		return call(token, append([]byte{6, byte(2 + r.IntN(2)), 1}, target.Key[:]...), source, signs)
	case 8:
		return call(token, []byte{9}, source, writes(), signs)
	case 9:
		return call(token, number(8), source, e.mintOf(x, source), signs)
	case 10:
		return call(solana.SystemProgramID, append([]byte{1, 0, 0, 0}, e.id[:]...), payer)
	}
	return call(token, []byte{5}, source, signs)
}

// pair is a token account of the owner's and another of the same mint, if the
// call has any.
func (e *exchange) pair(x *ledger.Invocation, r *rand.Rand) (source, target ledger.Meta) {
	var held []ledger.Meta
	for _, m := range x.Accounts {
		if _, ok := ledger.AsToken(x.Peek(m.Key)); ok {
			held = append(held, m)
		}
	}
	source, target = x.Accounts[1], x.Accounts[1]
	if len(held) == 0 {
		return source, target
	}
	source = held[r.IntN(len(held))]
	target = source
	mint, _ := ledger.AsToken(x.Peek(source.Key))
	for _, m := range held {
		if t, _ := ledger.AsToken(x.Peek(m.Key)); t.Mint() == mint.Mint() && m.Key != source.Key {
			target = m
		}
	}
	return source, target
}

func (e *exchange) programOf(x *ledger.Invocation, m ledger.Meta) solana.PublicKey {
	if owner := x.Peek(m.Key).Owner; owner == solana.Token2022ProgramID {
		return owner
	}
	return solana.TokenProgramID
}

func (e *exchange) mintOf(x *ledger.Invocation, m ledger.Meta) ledger.Meta {
	if t, ok := ledger.AsToken(x.Peek(m.Key)); ok {
		return ledger.Meta{Key: t.Mint(), Writable: true}
	}
	return m
}
