package world

import (
	"encoding/binary"
	"strconv"
)

// Programs that transactions may call. Calls of others fail.
var (
	systemProgram = Key{}
	budgetProgram = mustKey("ComputeBudget111111111111111111111111111111")
	memoProgram   = mustKey("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
	memoProgram1  = mustKey("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo")
)

// Instructions of the System program.
const (
	systemTransfer = 2
	systemAdvance  = 4
)

// signatureFee is the fee in lamports for each signature.
const signatureFee = 5000

// Compute units, for the priority fee, of an instruction and at most.
const (
	unitsBuiltin = 3_000
	unitsProgram = 200_000
	unitsMost    = 1_400_000
)

func mustKey(text string) Key {
	k, err := ParseKey(text)
	if err != nil {
		panic(err)
	}
	return k
}

func isProgram(k Key) bool {
	return k == systemProgram || k == budgetProgram || k == memoProgram || k == memoProgram1
}

// fee returns what a transaction costs whether it fails or not.
func (m *message) fee() uint64 {
	limit, price, usual := uint64(0), uint64(0), uint64(0)
	for i := range m.steps {
		s := &m.steps[i]
		switch m.keys[s.program] {
		case budgetProgram:
			usual += unitsBuiltin
		case systemProgram:
			usual += unitsBuiltin
			continue
		default:
			usual += unitsProgram
			continue
		}
		switch {
		case len(s.data) == 5 && s.data[0] == 2:
			limit = uint64(binary.LittleEndian.Uint32(s.data[1:]))
		case len(s.data) == 9 && s.data[0] == 3:
			price = binary.LittleEndian.Uint64(s.data[1:])
		}
	}
	if limit == 0 {
		limit = usual
	}
	limit = min(limit, unitsMost)
	priority := (price%1_000_000*limit + 999_999) / 1_000_000
	return signatureFee*uint64(m.signers) + priority + price/1_000_000*limit
}

// effects are what a transaction does to balances and nonces.
type effects struct {
	before, after []uint64 // lamports of the keys of the message
	nonce         *nonceAccount
	value         Hash // the nonce's new value
	err           string
}

// failed formats the failure of an instruction.
func failed(step int, reason string) string {
	return `{"InstructionError":[` + strconv.Itoa(step) + `,` + reason + `]}`
}

// call executes one instruction.
func (e *effects) call(w *World, m *message, i int, on bank) string {
	s := &m.steps[i]
	switch m.keys[s.program] {
	case budgetProgram, memoProgram, memoProgram1:
		return ""
	case systemProgram:
	default:
		return failed(i, `"UnsupportedProgramId"`)
	}
	switch {
	case tag(s.data) == systemTransfer && len(s.data) == 12:
		return e.transfer(m, i)
	case tag(s.data) == systemAdvance:
		return e.advance(w, m, i, on)
	}
	return failed(i, `"InvalidInstructionData"`)
}

func (e *effects) transfer(m *message, i int) string {
	s := &m.steps[i]
	from, to := m.account(s, 0), m.account(s, 1)
	switch {
	case from < 0 || to < 0:
		return failed(i, `"NotEnoughAccountKeys"`)
	case from >= m.signers:
		return failed(i, `"MissingRequiredSignature"`)
	}
	amount := binary.LittleEndian.Uint64(s.data[4:])
	if amount > e.after[from] {
		return failed(i, `{"Custom":1}`)
	}
	if amount > 0 && !(m.writable(from) && m.writable(to)) {
		return failed(i, `"ReadonlyLamportChange"`)
	}
	e.after[from] -= amount
	e.after[to] += amount
	return ""
}

// advance is AdvanceNonceAccount where the transaction does not hang on it,
// or the first instruction of one that does; then it was checked before.
func (e *effects) advance(w *World, m *message, i int, on bank) string {
	s := &m.steps[i]
	account, authority := m.account(s, 0), m.account(s, 2)
	if account < 0 || authority < 0 {
		return failed(i, `"NotEnoughAccountKeys"`)
	}
	n := w.nonces[m.keys[account]]
	switch {
	case n == nil:
		return failed(i, `"InvalidAccountData"`)
	case authority >= m.signers || m.keys[authority] != n.authority:
		return failed(i, `"MissingRequiredSignature"`)
	}
	next := w.chain.nextNonce(w.chain.parent(on))
	if w.nonceAt(n, on) == next && e.nonce == nil {
		return failed(i, `{"Custom":7}`) // NonceBlockhashNotExpired
	}
	e.nonce, e.value = n, next
	return ""
}
