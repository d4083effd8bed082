package signing

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
)

// anchorBytes are how many bytes of an Anchor program's data say which instruction it is.
const anchorBytes = 8

// agreeing is how many samples have to show what is proposed: one alone may be poisoned.
const agreeing = 2

// learnedCall is a call of a program that a sample makes.
type learnedCall struct {
	sample  int
	program PublicKey
	data    []byte
	roles   []Role
}

// callsOf lists what the transactions of a sample call of pinned programs.
func callsOf(sample int, txs []*Transaction, report *Report) (calls []learnedCall) {
	for _, r := range report.Reaches {
		for i, ins := range txs[r.Transaction].Instructions() {
			if i == r.Instruction {
				calls = append(calls, learnedCall{sample, r.Program, ins.Data[:min(len(ins.Data), anchorBytes)], r.Roles})
			}
		}
	}
	return calls
}

// instruction is a program and the beginning of the data of its calls.
type instruction struct {
	program PublicKey
	begins  string
}

// shown counts the samples of each instruction. Its first eight bytes say which it is if
// samples agree on them. If as many differ after the first byte as Learn needs, they are
// arguments, and the first byte says it.
func shown(calls []learnedCall) (all []LearnedCall) {
	whole, short := map[instruction][]learnedCall{}, map[instruction][]learnedCall{}
	for _, c := range calls {
		at := instruction{c.program, string(c.data)}
		whole[at] = append(whole[at], c)
	}
	for at, of := range whole {
		if samples(of) < agreeing && len(at.begins) > 0 {
			first := instruction{at.program, at.begins[:1]}
			short[first] = append(short[first], of...)
		}
	}
	for at, of := range short {
		if samples(of) < MinSamples {
			continue
		}
		maps.DeleteFunc(whole, func(k instruction, of []learnedCall) bool {
			return k.program == at.program && samples(of) < agreeing && len(k.begins) > 0 && k.begins[0] == at.begins[0]
		})
		whole[at] = of
	}
	for at, of := range whole {
		all = append(all, counted(at, of))
	}
	slices.SortFunc(all, func(a, b LearnedCall) int {
		return cmp.Or(bytes.Compare(a.Program[:], b.Program[:]), bytes.Compare(a.Instruction, b.Instruction))
	})
	return all
}

// samples counts the different samples of calls.
func samples(of []learnedCall) int {
	different := map[int]bool{}
	for _, c := range of {
		different[c.sample] = true
	}
	return len(different)
}

// counted says how many samples make calls, and write which accounts by them.
func counted(at instruction, of []learnedCall) LearnedCall {
	call := LearnedCall{Program: at.program, Samples: samples(of), Writes: []LearnedRole{}}
	if call.Odd = call.Samples < agreeing || at.begins == ""; at.begins != "" {
		call.Instruction = Discriminator(at.begins)
	}
	writing := map[Role][]learnedCall{}
	for _, c := range of {
		for _, role := range c.roles {
			writing[role] = append(writing[role], c)
		}
	}
	for _, role := range slices.Sorted(maps.Keys(writing)) {
		call.Writes = append(call.Writes, LearnedRole{role, samples(writing[role])})
	}
	return call
}

// agreed makes a pin of each instruction that is not odd.
func agreed(all []LearnedCall) (pins []Pin) {
	for _, call := range all {
		if call.Odd {
			continue
		}
		pin := Pin{Program: call.Program, Instructions: []Discriminator{call.Instruction}, MayWrite: []Role{}}
		for _, w := range call.Writes {
			if w.Samples >= agreeing {
				pin.MayWrite = append(pin.MayWrite, w.Role)
			}
		}
		pins = append(pins, pin)
	}
	return pins
}
