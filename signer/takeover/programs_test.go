package takeover

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/walletfi/walletfi-go/signing"
)

var (
	errCall    = errors.New("call")
	errFunds   = errors.New("funds")
	errAllowed = errors.New("not allowed")
)

var order = binary.LittleEndian

// A view is a transaction as it runs.
type view struct {
	c         *chain
	p         *parsed
	base, now map[key]account
	outer     int
	inner     []signing.InnerInstruction
	simulated bool
}

func (v *view) get(k key) account {
	if a, ok := v.now[k]; ok {
		return a
	}
	return v.base[k]
}

// put changes an account that the call may write.
func (v *view) put(m meta, a account) error {
	if !m.writable {
		return errAllowed
	}
	v.now[m.key] = a
	return nil
}

func (v *view) move(from, to meta, lamports uint64) error {
	a := v.get(from.key)
	if a.lamports < lamports {
		return errFunds
	}
	a.lamports -= lamports
	if err := v.put(from, a); err != nil {
		return err
	}
	b := v.get(to.key)
	b.lamports += lamports
	return v.put(to, b)
}

func (v *view) invoke(c call) error {
	switch c.program {
	case signing.SystemProgram:
		return v.system(c)
	case signing.TokenProgram, signing.Token2022Program:
		return v.token(c)
	case signing.AssociatedTokenProgram:
		return v.associated(c)
	case signing.ComputeBudgetProgram, signing.MemoProgram:
		return nil
	case vault, wild:
		return v.vault(c)
	}
	return errCall
}

func (v *view) system(c call) error {
	if len(c.data) < 4 || len(c.metas) < 2 {
		return errCall
	}
	from, to := c.metas[0], c.metas[1]
	switch kind := order.Uint32(c.data); {
	case kind == 2 && len(c.data) == 12:
		if !from.signer || len(v.get(from.key).data) > 0 || v.get(from.key).owner != signing.SystemProgram {
			return errAllowed
		}
		return v.move(from, to, order.Uint64(c.data[4:]))
	case kind == 0 && len(c.data) == 52:
		if !from.signer || !to.signer || v.get(to.key).lamports > 0 {
			return errAllowed
		}
		if err := v.move(from, to, order.Uint64(c.data[4:])); err != nil {
			return err
		}
		a := v.get(to.key)
		a.owner, a.data = key(c.data[20:]), make([]byte, min(order.Uint64(c.data[12:]), 10_000))
		return v.put(to, a)
	case kind == 4 && v.outer == 0:
		return nil // done with the blockhash
	}
	return errCall
}

// A token is the data of a token account.
type token []byte

// named is the mint, if it is a token account at all.
func (t token) named() (mint key) {
	if t.ok() {
		mint = t.mint()
	}
	return mint
}

func (t token) ok() bool     { return len(t) >= 165 && t[108] > 0 }
func (t token) mint() key    { return key(t[:32]) }
func (t token) owner() key   { return key(t[32:64]) }
func (t token) native() bool { return t[109] == 1 }

func (t token) amount() uint64 {
	if !t.ok() {
		return 0
	}
	return order.Uint64(t[64:])
}

// delegate is who may take how much besides the owner.
func (t token) delegate() (key, uint64) {
	if t[72] == 0 {
		return key{}, 0
	}
	return key(t[76:108]), order.Uint64(t[121:])
}

func (t token) closer() key {
	if t[129] == 0 {
		return t.owner()
	}
	return key(t[133:165])
}

// with returns a copy with a number at an offset.
func with(b []byte, at int, n uint64) []byte {
	b = slices.Clone(b)
	order.PutUint64(b[at:], n)
	return b
}

// opened is the data of a new token account.
func opened(mint, owner key, program key, lamports uint64) []byte {
	b := make([]byte, 165)
	if program == signing.Token2022Program {
		b = make([]byte, 170)
		b[165], b[166] = 2, 7
	}
	copy(b, mint[:])
	copy(b[32:], owner[:])
	b[108] = 1
	if mint == signing.NativeMint {
		b[109] = 1
		order.PutUint64(b[113:], rent)
		order.PutUint64(b[64:], lamports-min(lamports, rent))
	}
	return b
}

const rent = 2_039_280

func (v *view) token(c call) error {
	if len(c.data) == 0 || len(c.metas) == 0 || v.get(c.metas[0].key).owner != c.program {
		return errCall
	}
	at := c.metas[0]
	a := v.get(at.key)
	number := func() uint64 {
		if len(c.data) < 9 {
			return 1 << 63
		}
		return order.Uint64(c.data[1:])
	}
	n := len(c.metas)
	switch c.data[0] {
	case 18: // initialize, for an owner
		if n < 2 || len(c.data) < 33 || len(a.data) < 165 || token(a.data).ok() {
			return errCall
		}
		a.data = opened(c.metas[1].key, key(c.data[1:33]), c.program, a.lamports)
		return v.put(at, a)
	case 3, 12: // transfer, and checked
		if c.data[0] == 12 && n == 4 && c.metas[1].key == token(a.data).named() {
			return v.pay(at, c.metas[2], c.metas[3], number())
		}
		if c.data[0] == 3 && n == 3 {
			return v.pay(at, c.metas[1], c.metas[2], number())
		}
	}
	t := token(a.data)
	if !t.ok() {
		return errCall
	}
	if c.data[0] == 17 && t.native() { // sync
		a.data = with(a.data, 64, a.lamports-rent)
		return v.put(at, a)
	}
	if n < 2 {
		return errCall
	}
	by := c.metas[n-1]
	if !by.signer {
		return errAllowed
	}
	mine := by.key == t.owner()
	a.data = slices.Clone(a.data)
	switch c.data[0] {
	case 4, 13: // approve
		if !mine {
			return errAllowed
		}
		to := c.metas[n-2].key
		a.data[72] = 1
		copy(a.data[76:], to[:])
		order.PutUint64(a.data[121:], number())
	case 5: // revoke
		if !mine {
			return errAllowed
		}
		a.data[72] = 0
	case 6: // authority
		return v.authority(c, at, a, by.key)
	case 8, 15: // burn
		if !mine || t.amount() < number() || t.native() || c.metas[1].key != t.mint() {
			return errAllowed
		}
		order.PutUint64(a.data[64:], t.amount()-number())
	case 9: // close
		if n < 3 || by.key != t.closer() || !t.native() && t.amount() > 0 {
			return errAllowed
		}
		if err := v.move(at, c.metas[1], a.lamports); err != nil {
			return err
		}
		return v.put(at, account{})
	default:
		return errCall
	}
	return v.put(at, a)
}

func (v *view) authority(c call, at meta, a account, by key) error {
	t := token(a.data)
	if len(c.data) < 35 || c.data[2] != 1 {
		return errCall
	}
	switch {
	case c.data[1] == 2 && by == t.owner():
		copy(a.data[32:], c.data[3:35])
		a.data[72] = 0
	case c.data[1] == 3 && by == t.closer():
		a.data[129] = 1
		copy(a.data[133:], c.data[3:35])
	default:
		return errAllowed
	}
	return v.put(at, a)
}

// pay moves tokens by the word of their owner or a delegate.
func (v *view) pay(from, to, by meta, amount uint64) error {
	a, b := v.get(from.key), v.get(to.key)
	s, d := token(a.data), token(b.data)
	if !s.ok() || !d.ok() || s.mint() != d.mint() || a.owner != b.owner || !by.signer {
		return errCall
	}
	if s.amount() < amount {
		return errFunds
	}
	a.data = with(a.data, 64, s.amount()-amount)
	if who, most := s.delegate(); by.key != s.owner() {
		if by.key != who || most < amount {
			return errAllowed
		}
		a.data = with(a.data, 121, most-amount)
	}
	if from.key == to.key {
		return nil
	}
	b.data = with(b.data, 64, d.amount()+amount)
	if s.native() {
		a.lamports -= amount
		b.lamports += amount
	}
	if err := v.put(from, a); err != nil {
		return err
	}
	return v.put(to, b)
}

func (v *view) associated(c call) error {
	if len(c.metas) < 6 || !c.metas[0].signer {
		return errCall
	}
	payer, at, owner, mint, program := c.metas[0], c.metas[1], c.metas[2].key, c.metas[3].key, c.metas[5].key
	if at.key != signing.AssociatedTokenAddress(owner, mint, program) || v.get(mint).owner != program {
		return errCall
	}
	if len(v.get(at.key).data) > 0 {
		if len(c.data) == 1 && c.data[0] == 1 {
			return nil
		}
		return errAllowed
	}
	if err := v.move(payer, at, rent); err != nil {
		return err
	}
	a := v.get(at.key)
	a.owner, a.data = program, opened(mint, owner, program, a.lamports)
	return v.put(at, a)
}
