package ledger

import (
	"encoding/binary"
	"sync"

	"github.com/gagliardetto/solana-go"
)

// Associated is the address of a wallet's account of a mint.
func Associated(wallet, mint, tokenProgram solana.PublicKey) solana.PublicKey {
	return derived.address([3]solana.PublicKey{wallet, tokenProgram, mint}).key
}

// derived remembers associated addresses, since a derivation takes longer than
// most instructions.
var derived derivations

// derivations are associated addresses by wallet, token program and mint.
type derivations struct {
	mu    sync.Mutex
	known map[[3]solana.PublicKey]derivedAddress
}

// derivedAddress is an address and the number that its derivation found, the highest that gives one.
type derivedAddress struct {
	key  solana.PublicKey
	bump byte
}

// mostDerived bounds how many addresses are remembered.
const mostDerived = 1 << 14

func (d *derivations) address(seeds [3]solana.PublicKey) derivedAddress {
	d.mu.Lock()
	address, ok := d.known[seeds]
	d.mu.Unlock()
	if ok {
		return address
	}
	key, bump, err := solana.FindProgramAddress(
		[][]byte{seeds[0][:], seeds[1][:], seeds[2][:]}, solana.SPLAssociatedTokenAccountProgramID)
	if err != nil {
		panic("ledger: no address for an associated token account") // one in 2^256
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil || len(d.known) == mostDerived {
		d.known = map[[3]solana.PublicKey]derivedAddress{}
	}
	d.known[seeds] = derivedAddress{key, bump}
	return d.known[seeds]
}

// runAssociated makes a wallet's account of a mint, or recovers what is in one that belongs to
// another of the wallet's accounts.
func runAssociated(x *Invocation) {
	tag := byte(0)
	if len(x.Data) > 0 {
		tag = x.Data[0]
	}
	FailIf(len(x.Data) > 1 || tag > 2, ErrData)
	x.Log([]string{"Create", "CreateIdempotent", "RecoverNested"}[tag])
	if tag == 2 {
		x.recoverNested()
		return
	}
	x.createAssociated(tag == 1)
}

// createAssociated invokes what the real program invokes, in its order. Accounts: payer, account,
// wallet, mint, system program, token program.
func (x *Invocation) createAssociated(idempotent bool) {
	x.need(6)
	payer, account, wallet, mint, program := x.key(0), x.key(1), x.key(2), x.key(3), x.key(5)
	found := derived.address([3]solana.PublicKey{wallet, program, mint})
	x.spend(deriveUnits * uint64(256-int(found.bump)))
	x.failLogging(found.key != account, errSeeds, "Error: Associated address does not match seed derivation")
	present := x.at(1)
	if t, ok := AsToken(present); ok && idempotent && present.Owner == program {
		x.failLogging(t.Owner() != wallet, Custom(0),
			"Error: Associated token account owner does not match address derivation")
		FailIf(t.Mint() != mint, errAccountData)
		return
	}
	x.spend(createUnits)
	FailIf(present.Owner != solana.SystemProgramID, errIllegalOwner)
	FailIf(!tokenProgram(program), errProgram)
	x.Invoke(Instruction{program, []Meta{{Key: mint}}, []byte{21, extensionImmutableOwner, 0}})
	m, _ := AsMint(x.at(3))
	space := TokenSpace(program, m)
	due := Rent(space) - min(Rent(space), present.Lamports)
	x.Invoke(createInstruction(payer, account, due, space, program, present.Lamports > 0), account)
	x.Log("Initialize the associated token account")
	for _, in := range []Instruction{
		{program, []Meta{{Key: account, Writable: true}}, []byte{22}},
		{program, []Meta{{Key: account, Writable: true}, {Key: mint}}, append([]byte{18}, wallet[:]...)},
	} {
		x.Invoke(in, account)
	}
}

// recoverNested empties and closes an account that belongs to an associated account. Accounts:
// the nested account, its mint, target, the account that it belongs to, that one's mint, wallet,
// token program.
func (x *Invocation) recoverNested() {
	x.need(7)
	nested, mint, target, owner, wallet, program := x.key(0), x.key(1), x.key(2), x.key(3), x.key(5), x.key(6)
	for _, a := range []struct {
		name                string
		wallet, mint, found solana.PublicKey
	}{{"Owner", wallet, x.key(4), owner}, {"Nested", owner, mint, nested}, {"Destination", wallet, mint, target}} {
		right := derived.address([3]solana.PublicKey{a.wallet, program, a.mint})
		x.spend(deriveUnits * uint64(256-int(right.bump)))
		x.failLogging(right.key != a.found, errSeeds,
			"Error: "+a.name+" associated address does not match seed derivation")
	}
	x.spend(recoverUnits)
	x.failLogging(!x.Accounts[5].Signer, ErrSigner, "Wallet of the owner associated token account must sign")
	for _, a := range []struct {
		i    int
		name string
	}{
		{4, "Owner mint"}, {3, "Owner associated token account"}, {0, "Nested associated token account"},
		{1, "Nested mint account"},
	} {
		x.failLogging(x.at(a.i).Owner != program, errIllegalOwner, a.name+" not owned by provided token program")
	}
	outer, ok := AsToken(x.at(3))
	FailIf(!ok, errAccountData)
	FailIf(outer.Owner() != wallet, Custom(0))
	inner, ok := AsToken(x.at(0))
	FailIf(!ok, errAccountData)
	FailIf(inner.Owner() != owner, Custom(0))
	m, ok := AsMint(x.at(1))
	FailIf(!ok, errAccountData)
	amount := append(binary.LittleEndian.AppendUint64([]byte{12}, inner.Amount()), m.Decimals())
	signs := Meta{Key: owner, Signer: true}
	w := func(k solana.PublicKey) Meta { return Meta{Key: k, Writable: true} }
	x.Invoke(Instruction{program, []Meta{w(nested), {Key: mint}, w(target), signs}, amount}, owner)
	x.Invoke(Instruction{program, []Meta{w(nested), w(wallet), signs}, []byte{9}}, owner)
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
