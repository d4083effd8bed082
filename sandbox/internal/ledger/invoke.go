package ledger

import (
	"bytes"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// execution executes one transaction on copies of the accounts.
type execution struct {
	*Ledger
	tx      *Transaction
	keys    []solana.PublicKey
	metas   []Meta // of keys
	loaded  [2]int
	changed map[solana.PublicKey]*Account

	fee       uint64
	limit     uint64 // compute units
	dataLimit uint64 // bytes of the accounts that are loaded
	heap      uint64 // bytes of a program's memory
	price     uint64 // micro-lamports per compute unit
	units     uint64 // used so far
	nonce     *solana.PublicKey
	pre       []uint64
	preToken  []TokenBalance
	afterFee  *Account

	logs     []string
	returned []byte  // what the program that ran last returns
	failed   bool    // a program has ended with an error
	index    int     // of the instruction that runs
	inner    []Inner // of that instruction
	after    []func(*Receipt)

	rehearse []func(*Receipt) (undo func())
}

// Meta is an account of an instruction and what it may do with it.
type Meta struct {
	Key              solana.PublicKey
	Signer, Writable bool
}

// Instruction is an instruction with its keys.
type Instruction struct {
	Program  solana.PublicKey
	Accounts []Meta
	Data     []byte
}

// Program carries out an instruction. It fails by panicking with an InstructionError.
type Program func(x *Invocation)

// Invocation is the execution of one instruction.
type Invocation struct {
	*execution
	Instruction
	depth   int                           // 1 for the transaction's own
	batched bool                          // one of several in an instruction
	before  map[solana.PublicKey]*Account // what it was given to write
}

// peek returns an account for reading.
func (e *execution) peek(key solana.PublicKey) *Account {
	if a, ok := e.changed[key]; ok {
		return a
	}
	if a, ok := e.accounts[key]; ok {
		return a
	}
	return &Account{Owner: solana.SystemProgramID}
}

// account returns an account for writing.
func (e *execution) account(key solana.PublicKey) *Account {
	a, ok := e.changed[key]
	if !ok {
		a = e.peek(key).clone()
		e.changed[key] = a
	}
	return a
}

// top carries out one of the transaction's own instructions.
func (e *execution) top(in Compiled) *InstructionError {
	full := Instruction{Program: e.keys[in.Program], Data: in.Data}
	for _, i := range in.Accounts {
		full.Accounts = append(full.Accounts, e.metas[i])
	}
	return e.call(&Invocation{execution: e, Instruction: full, depth: 1})
}

func (e *execution) call(x *Invocation) *InstructionError {
	program, ok := e.programs[x.Program]
	if !ok {
		return errUnsupported
	}
	run := func() {
		x.spend(unitsOf(x.Instruction))
		program.run(x)
		x.settle()
	}
	if precompile(x.Program) { // of which the log says nothing
		return attempt(run)
	}
	x.say("%s invoke [%d]", program.name, x.depth)
	used := e.units
	e.returned = nil
	err := attempt(x.spendOnHeap)
	if err == nil {
		err = attempt(run)
	}
	if err != nil && !e.failed {
		e.failed = true
		x.explain(err)
	}
	x.logEnd(program.name, e.units-used, e.limit-used, err)
	return err
}

// outOfUnits is how a program ends that has no units left: the virtual machine stops the
// program, while a program of the runtime's own reports it.
func outOfUnits(program solana.PublicKey) *InstructionError {
	if builtin(program) {
		return errUnits
	}
	return &InstructionError{Kind: "ProgramFailedToComplete", why: "exceeded CUs meter at BPF instruction"}
}

// attempt calls f and returns the error that it failed with, if any.
func attempt(f func()) (err *InstructionError) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *InstructionError:
			err = p
		default:
			panic(p)
		}
	}()
	f()
	return nil
}

// FailIf ends the instruction that runs with an error if a condition holds.
func FailIf(is bool, err *InstructionError) {
	if is {
		panic(err)
	}
}

// Invoke executes an instruction with the privileges of this one. The program
// signs for its derived addresses that derived lists.
func (x *Invocation) Invoke(in Instruction, derived ...solana.PublicKey) {
	FailIf(x.depth >= 5, &InstructionError{Kind: "CallDepth"})
	c := Inner{Depth: x.depth + 1, Compiled: Compiled{Program: slices.Index(x.keys, in.Program), Data: in.Data}}
	named := func(m Meta) bool { return m.Key == in.Program }
	x.failSaying(!slices.ContainsFunc(x.Accounts, named), errMissing, "Unknown program %s", in.Program)
	for _, m := range in.Accounts {
		at := slices.IndexFunc(x.Accounts, func(mine Meta) bool { return mine.Key == m.Key })
		x.failSaying(at < 0, errMissing, "Instruction references an unknown account %s", m.Key)
		// The same account may be listed twice, once with more privileges.
		var mine Meta
		for _, a := range x.Accounts {
			if a.Key == m.Key {
				mine.Signer, mine.Writable = mine.Signer || a.Signer, mine.Writable || a.Writable
			}
		}
		x.failSaying(m.Writable && !mine.Writable, errPrivilege, "%s's writable privilege escalated", m.Key)
		signs := mine.Signer || slices.Contains(derived, m.Key)
		x.failSaying(m.Signer && !signs, errPrivilege, "%s's signer privilege escalated", m.Key)
		c.Accounts = append(c.Accounts, slices.Index(x.keys, m.Key))
	}
	x.settle()
	x.inner = append(x.inner, c)
	err := x.call(&Invocation{execution: x.execution, Instruction: in, depth: x.depth + 1})
	FailIf(err != nil, err)
}

// Log writes a line into the transaction's log.
func (x *Invocation) Log(line string) { x.logs = append(x.logs, "Program log: "+line) }

// After calls f if the transaction succeeds. Simulations do not call f.
func (x *Invocation) After(f func(*Receipt)) { x.after = append(x.after, f) }

// Rehearse calls f if the transaction succeeds in a simulation of several, and undo after
// the last: f changes what later ones find outside the ledger.
func (x *Invocation) Rehearse(f func(*Receipt) (undo func())) { x.rehearse = append(x.rehearse, f) }

// Signed reports whether key signs this instruction.
func (x *Invocation) Signed(key solana.PublicKey) bool {
	return slices.ContainsFunc(x.Accounts, func(m Meta) bool { return m.Key == key && m.Signer })
}

// Peek returns an account for reading, with the changes of the transaction so
// far.
func (x *Invocation) Peek(key solana.PublicKey) *Account { return x.peek(key) }

// need refuses an instruction with fewer accounts than n.
func (x *Invocation) need(n int) { FailIf(len(x.Accounts) < n, errKeys) }

// key is that of the instruction's i-th account.
func (x *Invocation) key(i int) solana.PublicKey { return x.Accounts[i].Key }

// at returns the i-th account for reading.
func (x *Invocation) at(i int) *Account { return x.peek(x.key(i)) }

// write returns the i-th account for writing. Whether the program may change what it
// changes is checked when it ends or calls another.
func (x *Invocation) write(i int) *Account {
	key := x.key(i)
	if _, ok := x.before[key]; !ok {
		if x.before == nil {
			x.before = map[solana.PublicKey]*Account{}
		}
		x.before[key] = x.peek(key).clone()
	}
	a := x.account(key)
	a.own()
	return a
}

// settle checks what the program changed, as the runtime does of a program in the virtual
// machine: account by account, lamports first.
func (x *Invocation) settle() {
	for _, m := range x.Accounts {
		before, ok := x.before[m.Key]
		if !ok {
			continue
		}
		delete(x.before, m.Key)
		a, own := x.account(m.Key), before.Owner == x.Program
		FailIf(a.Lamports < before.Lamports && !own, errSpend)
		FailIf(a.Lamports != before.Lamports && !m.Writable, errReadonlyLamports)
		if !bytes.Equal(a.Data, before.Data) {
			FailIf(!m.Writable, errReadonly)
			FailIf(!own, errExternalData)
		}
	}
}
