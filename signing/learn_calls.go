package signing

import (
	"bytes"
	"cmp"
	"slices"
)

// anchorBytes are how many bytes of an Anchor program's data say which instruction it is.
const anchorBytes = 8

// learnedCall is a call of a program that a sample makes.
type learnedCall struct {
	program PublicKey
	data    []byte
	roles   []Role
}

// callsOf lists what transactions call of pinned programs.
func callsOf(txs []*Transaction, report *Report) (calls []learnedCall) {
	for _, r := range report.Reaches {
		for i, ins := range txs[r.Transaction].Instructions() {
			if i == r.Instruction {
				calls = append(calls, learnedCall{r.Program, ins.Data[:min(len(ins.Data), anchorBytes)], r.Roles})
			}
		}
	}
	return calls
}

// learnedPins makes a pin of each instruction that the calls make.
func learnedPins(calls []learnedCall) (pins []Pin) {
	for _, call := range calls {
		begins := beginning(call, calls)
		i := slices.IndexFunc(pins, func(p Pin) bool {
			return p.Program == call.program && len(p.Instructions) == len(begins) &&
				(len(begins) == 0 || bytes.Equal(p.Instructions[0], begins[0]))
		})
		if i < 0 {
			pins = append(pins, Pin{Program: call.program, Instructions: begins, MayWrite: []Role{}})
			i = len(pins) - 1
		}
		for _, role := range call.roles {
			if !slices.Contains(pins[i].MayWrite, role) {
				pins[i].MayWrite = append(pins[i].MayWrite, role)
			}
		}
	}
	for _, p := range pins {
		slices.Sort(p.MayWrite)
	}
	slices.SortStableFunc(pins, func(a, b Pin) int {
		return cmp.Or(bytes.Compare(a.Program[:], b.Program[:]), slices.CompareFunc(a.Instructions, b.Instructions,
			func(x, y Discriminator) int { return bytes.Compare(x, y) }))
	})
	return pins
}

// beginning says which instruction a call makes: the first eight bytes, or the first
// if the bytes after it are arguments, which differ from call to call. It is empty if the
// call has no data.
func beginning(call learnedCall, calls []learnedCall) []Discriminator {
	if len(call.data) == 0 {
		return nil
	}
	varies := slices.ContainsFunc(calls, func(c learnedCall) bool {
		return c.program == call.program && len(c.data) > 0 && c.data[0] == call.data[0] && !bytes.Equal(c.data, call.data)
	})
	if varies {
		return []Discriminator{call.data[:1]}
	}
	return []Discriminator{call.data}
}
