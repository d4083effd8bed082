package ledger

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// A nonce account: version, state, authority, value, fee of a signature.
const nonceSize = 80

// nonceState is a view of a nonce account's data.
type nonceState []byte

func (n nonceState) initialized() bool           { return binary.LittleEndian.Uint32(n[4:]) == 1 }
func (n nonceState) authority() solana.PublicKey { return solana.PublicKey(n[8:40]) }
func (n nonceState) value() solana.Hash          { return solana.Hash(n[40:72]) }

func (n nonceState) set(authority solana.PublicKey, value solana.Hash) {
	binary.LittleEndian.PutUint32(n, 1)
	binary.LittleEndian.PutUint32(n[4:], 1)
	copy(n[8:], authority[:])
	copy(n[40:], value[:])
	putUint64(n[72:], signatureFee)
}

// nonceAt reads the i-th account of an instruction as a nonce account.
func (x *Invocation) nonceAt(i int) nonceState {
	FailIf(!x.Accounts[i].Writable, errArgument)
	a := x.write(i)
	FailIf(a.Owner != solana.SystemProgramID, errAccountOwner)
	FailIf(len(a.Data) != nonceSize, errAccountData)
	return a.Data
}

// nonceValue is the next value of a nonce that is advanced now.
func (l *Ledger) nonceValue() solana.Hash {
	h := l.BlockhashOf(l.Slot())
	return sha256.Sum256(append([]byte("DURABLE_NONCE"), h[:]...))
}

// usesNonce reports whether the transaction uses a durable nonce instead of a
// blockhash, and remembers the account.
func (e *execution) usesNonce() bool {
	if len(e.tx.Instructions) == 0 {
		return false
	}
	in := e.tx.Instructions[0]
	if e.keys[in.Program] != solana.SystemProgramID || len(in.Data) < 4 || binary.LittleEndian.Uint32(in.Data) != 4 ||
		len(in.Accounts) == 0 {
		return false
	}
	key := e.keys[in.Accounts[0]]
	a := e.peek(key)
	if a.Owner != solana.SystemProgramID || len(a.Data) != nonceSize || !e.metas[in.Accounts[0]].Writable {
		return false
	}
	n := nonceState(a.Data)
	if !n.initialized() || n.value() != e.tx.Blockhash || n.value() == e.nonceValue() {
		return false
	}
	e.nonce = &key
	return true
}

// nonceAdvanced is the nonce account as a failed transaction leaves it.
func (e *execution) nonceAdvanced() *Account {
	a, ok := e.accounts[*e.nonce]
	if !ok {
		return nil
	}
	c := a.clone()
	n := nonceState(c.Data)
	n.set(n.authority(), e.nonceValue())
	return c
}

func nonceAdvance(x *Invocation, _ *reader) {
	n := x.nonceAt(0)
	FailIf(!n.initialized(), errAccountData)
	FailIf(!x.Signed(n.authority()), ErrSigner)
	FailIf(n.value() == x.nonceValue(), Custom(7)) // the block has not changed since
	n.set(n.authority(), x.nonceValue())
}

func nonceInitialize(x *Invocation, r *reader) {
	authority := solana.PublicKey(r.array32())
	n := x.nonceAt(0)
	FailIf(n.initialized(), errAccountData)
	FailIf(x.at(0).Lamports < Rent(nonceSize), errFunds)
	n.set(authority, x.nonceValue())
}

func nonceAuthorize(x *Invocation, r *reader) {
	authority := solana.PublicKey(r.array32())
	n := x.nonceAt(0)
	FailIf(!n.initialized(), errAccountData)
	FailIf(!x.Signed(n.authority()), ErrSigner)
	n.set(authority, n.value())
}

// nonceWithdraw takes lamports out; all of them close the account.
func nonceWithdraw(x *Invocation, r *reader) {
	lamports := r.uint64()
	n := x.nonceAt(0)
	a := x.account(x.key(0))
	signer := x.key(0)
	if n.initialized() {
		signer = n.authority()
	}
	FailIf(!x.Signed(signer), ErrSigner)
	FailIf(lamports > a.Lamports || lamports < a.Lamports && a.Lamports-lamports < Rent(nonceSize), errFunds)
	FailIf(lamports == a.Lamports && n.initialized() && n.value() == x.nonceValue(), Custom(7))
	target := x.write(1)
	a.Lamports -= lamports
	target.Lamports += lamports
	if a.Lamports == 0 {
		a.Data = nil
	}
}

// nonceUpgrade turns an account of the old version into the new one. Every
// nonce here is new.
func nonceUpgrade(x *Invocation, _ *reader) {
	x.nonceAt(0)
	panic(errArgument)
}
