package corpus

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// technique is one way to rob a wallet.
type technique struct {
	name, aim  string
	rule       string
	scene      *scene
	only       []Format // nil means all
	unreadable bool
	second     bool // transaction of a set robs
}

// techniques are all tables of attacks.
func techniques(k *cast) []technique {
	return slices.Concat(
		k.encodingAttacks(), k.versionAttacks(), k.sanityAttacks(), k.sanityAttacksV0(), k.sanityAttacksV1(),
		k.signerAttacks(), k.lifetimeAttacks(), k.lookupAttacks(),
		k.setAttacks(), k.tipAttacks(),
		k.transferAttacks(), k.createAttacks(), k.assignAttacks(), k.nonceAttacks(), k.systemUnknownAttacks(),
		k.tokenTransferAttacks(), k.approveAttacks(), k.authorityAttacks(), k.closeAttacks(), k.burnAttacks(),
		k.initializeAttacks(), k.mintAttacks(), k.batchAttacks(), k.tokenUnknownAttacks(),
		k.associatedAttacks(), k.rentAttacks(), k.budgetAttacks(), k.networkFeeAttacks(),
		k.programAttacks(), k.pinnedAttacks(), k.protectedAttacks(),
		k.simulatedAttacks(), byStates(k.simulatedAttacks()), k.shownAttacks(), byStates(k.shownAttacks()),
		k.innerAttacks(), k.strandedAttacks(), k.unprovenAttacks(), k.payeeAttacks(), k.manyAttacks(),
		k.arrivalAttacks(), k.goneAttacks(), k.withheldAttacks(), k.hookAttacks(), k.complexAttacks(),
		k.blindAttacks(), k.passingForRent(), k.keptByOthers(), k.closesShown(),
	)
}

// attack is a technique of instructions under the ordinary intent.
func (k *cast) attack(rule, name, aim string, instructions ...ins) technique {
	return technique{name: name, aim: aim, rule: rule, scene: k.ordinary(instructions...)}
}

// against makes techniques that a rule has to refuse.
func (k *cast) against(rule string) func(name, aim string, instructions ...ins) technique {
	return func(name, aim string, instructions ...ins) technique {
		return k.attack(rule, name, aim, instructions...)
	}
}

// looting is against for techniques that themselves take nothing: the loot rides along.
func (k *cast) looting(rule string) func(name, aim string, instructions ...ins) technique {
	return func(name, aim string, instructions ...ins) technique {
		return k.attack(rule, name, aim, append(instructions, k.loot())...)
	}
}

// with changes the technique's scene.
func (t technique) with(change func(*scene)) technique {
	change(t.scene)
	return t
}

// as says in which formats the technique exists at all.
func (t technique) as(formats ...Format) technique {
	t.only = formats
	return t
}

// tampered changes the bytes that were written.
func (t technique) tampered(tamper func(txbuild.Format, []byte) []byte) technique {
	t.scene.last().tamper = tamper
	return t
}

// raw marks bytes that cannot be parsed.
func (t technique) raw() technique {
	t.unreadable = true
	return t
}

// formats are those that the technique is generated in. What is several
// transactions from the start is a set.
func (t technique) formats() []Format {
	switch {
	case len(t.scene.txs) > 1:
		return []Format{Set}
	case t.only == nil:
		return Formats()
	}
	if !slices.Contains(t.only, Set) && len(t.only) == 1 {
		inner := map[Format]txbuild.Format{Legacy: txbuild.Legacy, V0: txbuild.V0, V1: txbuild.V1}[t.only[0]]
		t.scene.last().needs = &inner
		return []Format{t.only[0], Set}
	}
	return t.only
}

// robs is the index of the transaction that the technique is about.
func (t technique) robs(format Format) int {
	if t.second {
		return 1
	}
	if format != Set || len(t.scene.txs) > 1 || t.scene.last().leads {
		return 0
	}
	return 1
}

// times repeats an instruction.
func times(n int, one ins) []ins { return slices.Repeat([]ins{one}, n) }

// cut takes bytes off an instruction's data.
func cut(one ins, n int) ins {
	one.Data = one.Data[:len(one.Data)-n]
	return one
}

// join concatenates lists of instructions.
func join(lists ...[]ins) []ins { return slices.Concat(lists...) }
