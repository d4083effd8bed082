package ledger

import (
	"sync"

	"github.com/gagliardetto/solana-go"
)

// Associated is the address of a wallet's account of a mint.
func Associated(wallet, mint, tokenProgram solana.PublicKey) solana.PublicKey {
	return derived.address([3]solana.PublicKey{wallet, tokenProgram, mint})
}

// derived remembers associated addresses, since a derivation takes longer than
// most instructions.
var derived derivations

// derivations are associated addresses by wallet, token program and mint.
type derivations struct {
	mu    sync.Mutex
	known map[[3]solana.PublicKey]solana.PublicKey
}

// mostDerived bounds how many addresses are remembered.
const mostDerived = 1 << 14

func (d *derivations) address(seeds [3]solana.PublicKey) solana.PublicKey {
	d.mu.Lock()
	address, ok := d.known[seeds]
	d.mu.Unlock()
	if ok {
		return address
	}
	address, _, err := solana.FindProgramAddress(
		[][]byte{seeds[0][:], seeds[1][:], seeds[2][:]}, solana.SPLAssociatedTokenAccountProgramID)
	if err != nil {
		panic("ledger: no address for an associated token account") // one in 2^256
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil || len(d.known) == mostDerived {
		d.known = map[[3]solana.PublicKey]solana.PublicKey{}
	}
	d.known[seeds] = address
	return address
}

// runAssociated makes a wallet's account of a mint. Accounts: payer, account,
// wallet, mint, system program, token program.
func runAssociated(x *Invocation) {
	idempotent := len(x.Data) == 1 && x.Data[0] == 1
	FailIf(!idempotent && !(len(x.Data) == 0 || len(x.Data) == 1 && x.Data[0] == 0), ErrData)
	x.need(6)
	wallet, mint, program := x.key(2), x.key(3), x.key(5)
	FailIf(!tokenProgram(program), errProgram)
	FailIf(Associated(wallet, mint, program) != x.key(1), errSeeds)
	present := x.at(1)
	if idempotent && present.Owner == program {
		t, ok := AsToken(present)
		FailIf(!ok || t.Owner() != wallet, Custom(0))
		FailIf(t.Mint() != mint, errAccountData)
		return
	}
	FailIf(present.Owner != solana.SystemProgramID, errIllegalOwner)
	x.createAssociated(wallet, mint, program)
}

// createAssociated invokes what the real program invokes, in its order.
func (x *Invocation) createAssociated(wallet, mint, program solana.PublicKey) {
	payer, account := x.key(0), x.key(1)
	holder := x.at(3)
	m, ok := AsMint(holder)
	FailIf(!ok || holder.Owner != program, errProgram)
	space := TokenSpace(program, m)
	due := Rent(space) - min(Rent(space), x.at(1).Lamports)
	steps := []Instruction{
		{program, []Meta{{Key: mint}}, []byte{21, extensionImmutableOwner, 0}},
		createInstruction(payer, account, due, space, program, x.at(1).Lamports > 0),
		{program, []Meta{{Key: account, Writable: true}}, []byte{22}},
		{program, []Meta{{Key: account, Writable: true}, {Key: mint}}, append([]byte{18}, wallet[:]...)},
	}
	for _, in := range steps {
		x.Invoke(in, account)
	}
}

// createInstruction is the system instruction that makes an account, or the
// variant for an address that holds lamports already.
func createInstruction(
	payer, account solana.PublicKey, lamports uint64, space int, owner solana.PublicKey, prefunded bool,
) Instruction {
	data := make([]byte, 52)
	putUint64(data[4:], lamports)
	putUint64(data[12:], uint64(space))
	copy(data[20:], owner[:])
	accounts := []Meta{{payer, true, true}, {account, true, true}}
	if prefunded {
		data[0] = 13
		accounts = []Meta{{account, true, true}, {payer, true, true}}
	}
	return Instruction{solana.SystemProgramID, accounts, data}
}
