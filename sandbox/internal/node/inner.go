package node

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// innerOf writes the inner instructions of a simulation: parsed, or compiled if
// Config.CompiledInner is set.
func (c *call) innerOf(r *ledger.Receipt) []any {
	if c.Config.CompiledInner {
		return inner(r, innerCompiled)
	}
	return inner(r, innerParsed(r))
}

func innerParsed(r *ledger.Receipt) func(in ledger.Inner) any {
	return func(in ledger.Inner) any { return parsedInstruction(r.Keys, in.Compiled, in.Depth) }
}

func inner(r *ledger.Receipt, write func(ledger.Inner) any) []any {
	return kit.List(r.Inner, func(set ledger.InnerSet) any {
		return map[string]any{"index": set.Index, "instructions": kit.List(set.Instructions, write)}
	})
}
