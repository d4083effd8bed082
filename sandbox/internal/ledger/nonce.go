package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

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

// nonceAt reads the first account of an instruction as a nonce account. Whose it is shows when
// it is written.
func (x *Invocation) nonceAt(doing string) nonceState {
	x.failSaying(!x.Accounts[0].Writable, errArgument, "%s nonce account: Account %s must be writeable", doing, x.key(0))
	data := x.at(0).Data
	FailIf(!sound(data), errAccountData)
	return data
}

// sound reports whether the data begins with a nonce account's state.
func sound(data []byte) bool {
	return len(data) >= nonceSize && data[0] <= 1 && data[4] <= 1 && zeroed(data[1:4]) && zeroed(data[5:8]) ||
		len(data) >= 8 && data[0] <= 1 && zeroed(data[1:8])
}

// store writes the state back.
func (x *Invocation) store(authority solana.PublicKey, value solana.Hash) {
	a := x.write(0)
	FailIf(a.Owner != x.Program, errExternalData)
	FailIf(len(a.Data) < nonceSize, errDataSmall)
	nonceState(a.Data).set(authority, value)
}

// sysvar refuses an instruction whose i-th account is not the sysvar.
func (x *Invocation) sysvar(i int, key solana.PublicKey) {
	FailIf(i >= len(x.Accounts), errMissing)
	FailIf(x.key(i) != key, errArgument)
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
	signs := func(i int) bool { return e.metas[i].Signer && e.keys[i] == n.authority() }
	if !n.initialized() || n.value() != e.tx.Blockhash || n.value() == e.nonceValue() ||
		!slices.ContainsFunc(in.Accounts, signs) {
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

func (x *Invocation) nonceIs(right bool, doing string) {
	x.failSaying(!right, errAccountData, "%s nonce account: Account %s state is invalid", doing, x.key(0))
}

func (x *Invocation) nonceSigned(authority solana.PublicKey, doing string) {
	x.failSaying(!x.Signed(authority), ErrSigner, "%s nonce account: Account %s must sign", doing, authority)
}

func (x *Invocation) nonceHas(lamports uint64, doing string) {
	has := x.at(0).Lamports
	x.failSaying(has < lamports, errFunds, "%s nonce account: insufficient lamports %d, need %d", doing, has, lamports)
}

// nonceMoved refuses a nonce whose block is still the latest.
func (x *Invocation) nonceMoved(n nonceState, doing string) {
	x.failSaying(n.value() == x.nonceValue(), Custom(7),
		"%s nonce account: nonce can only advance once per slot", doing)
}

func nonceAdvance(x *Invocation, _ *reader) {
	x.sysvar(1, solana.SysVarRecentBlockHashesPubkey)
	n := x.nonceAt("Advance")
	x.nonceIs(n.initialized(), "Advance")
	authority := n.authority()
	x.failSaying(!x.Signed(authority), ErrSigner, "Advance nonce account: Account %s must be a signer", authority)
	x.nonceMoved(n, "Advance")
	x.store(n.authority(), x.nonceValue())
}

func nonceInitialize(x *Invocation, r *reader) {
	authority := solana.PublicKey(r.array32())
	x.sysvar(1, solana.SysVarRecentBlockHashesPubkey)
	x.sysvar(2, solana.SysVarRentPubkey)
	n := x.nonceAt("Initialize")
	x.nonceIs(!n.initialized(), "Initialize")
	x.nonceHas(Rent(len(n)), "Initialize")
	x.store(authority, x.nonceValue())
}

func nonceAuthorize(x *Invocation, r *reader) {
	authority := solana.PublicKey(r.array32())
	n := x.nonceAt("Authorize")
	x.nonceIs(n.initialized(), "Authorize")
	x.nonceSigned(n.authority(), "Authorize")
	x.store(authority, n.value())
}

// nonceWithdraw takes lamports out; all of them close the account.
func nonceWithdraw(x *Invocation, r *reader) {
	lamports := r.uint64()
	x.sysvar(2, solana.SysVarRecentBlockHashesPubkey)
	x.sysvar(3, solana.SysVarRentPubkey)
	n, a := x.nonceAt("Withdraw"), x.at(0)
	signer, kept := x.key(0), uint64(0)
	if n.initialized() {
		signer = n.authority()
		if lamports == a.Lamports {
			x.nonceMoved(n, "Withdraw")
			FailIf(a.Owner != x.Program, errExternalData)
			copy(x.write(0).Data, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		} else {
			kept = Rent(len(n))
		}
	}
	FailIf(lamports+kept < lamports, errFunds)
	x.nonceHas(lamports+kept, "Withdraw")
	x.nonceSigned(signer, "Withdraw")
	x.pay(0, 1, lamports)
}

// nonceUpgrade turns an account of the old version into the new one. Every
// nonce here is new.
func nonceUpgrade(x *Invocation, _ *reader) {
	FailIf(x.at(0).Owner != x.Program, errAccountOwner)
	FailIf(!x.Accounts[0].Writable, errArgument)
	x.nonceAt("Upgrade")
	panic(errArgument)
}
