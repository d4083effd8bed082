package signing

import (
	"encoding/binary"
	"math/bits"
)

// The compute budget's instructions, by their u8 tag.
const (
	budgetHeap      = 1
	budgetUnitLimit = 2
	budgetUnitPrice = 3
	budgetDataLimit = 4
)

const (
	lamportsPerSignature = 5000
	maxUnits             = 1_400_000
	unitsPerBuiltin      = 3_000
	unitsPerInstruction  = 200_000
	microPerLamport      = 1_000_000
	maxHeap              = 256 * 1024
	heapStep             = 1024
)

// budget is what the compute-budget instructions of a transaction set.
type budget struct {
	set        [5]bool // by tag
	limit      uint64
	price      uint64 // micro-lamports a unit
	signatures uint64 // that precompiles verify
	units      uint64 // by default, as the instructions add up
}

// computeBudget is the compute budget's row: each setting once.
func (c *checker) computeBudget(o *operation) *GuardError {
	if o.simulated {
		return nil
	}
	const allowed = "heap, unit limit, unit price and loaded-data limit, each once"
	var tag uint8
	if len(o.data) > 0 {
		tag = o.data[0]
	}
	length := 5
	if tag == budgetUnitPrice {
		length = 9
	}
	if tag < budgetHeap || tag > budgetDataLimit || len(o.data) < length {
		return o.refuse(RuleComputeBudget, allowed, "instruction %d with %d bytes", tag, len(o.data))
	}
	if c.budget.set[tag] {
		return o.refuse(RuleComputeBudget, allowed, "instruction %d a second time", tag)
	}
	c.budget.set[tag] = true
	switch tag {
	case budgetUnitPrice:
		c.budget.price = binary.LittleEndian.Uint64(o.data[1:])
	case budgetUnitLimit:
		c.budget.limit = min(maxUnits, uint64(binary.LittleEndian.Uint32(o.data[1:])))
	case budgetHeap:
		if heap := binary.LittleEndian.Uint32(o.data[1:]); !validHeap(heap) {
			return o.refuse(RuleComputeBudget, "a heap of 32,768 to 262,144 bytes, a multiple of 1,024", "a heap of %d bytes", heap)
		}
	}
	return nil
}

func validHeap(bytes uint32) bool {
	return bytes >= defaultHeap && bytes <= maxHeap && bytes%heapStep == 0
}

// fee is the base and the priority fee of the transaction, in lamports,
// saturated.
func (c *checker) fee() (base, priority uint64) {
	base = lamportsPerSignature * (uint64(c.tx.required) + c.budget.signatures)
	if config, ok := c.tx.Config(); ok {
		return base, config.PriorityFeeLamports
	}
	limit := c.budget.limit
	if !c.budget.set[budgetUnitLimit] {
		limit = min(maxUnits, c.budget.units)
	}
	high, low := bits.Mul64(c.budget.price, limit)
	low, carry := bits.Add64(low, microPerLamport-1, 0)
	if high += carry; high >= microPerLamport {
		return base, ^uint64(0)
	}
	priority, _ = bits.Div64(high, low, microPerLamport)
	return base, priority
}

// countUnits adds the default units of an instruction of the transaction.
func (b *budget) countUnits(p *knownProgram) {
	if p.builtin {
		b.units += unitsPerBuiltin
	} else {
		b.units += unitsPerInstruction
	}
}

// networkFee holds the fee against its cap, where the owner pays it.
func (c *checker) networkFee() *GuardError {
	o := operation{check: c, instruction: EnvelopeInstruction}
	if config, ok := c.tx.Config(); ok && !validHeap(config.HeapBytes) {
		if err := o.refuse(RuleComputeBudget, "a heap of 32,768 to 262,144 bytes, a multiple of 1,024", "a heap of %d bytes", config.HeapBytes); err != nil {
			return err
		}
	}
	base, priority := c.fee()
	total := addSaturated(base, priority)
	c.report.fee(c, base, priority)
	if c.tx.FeePayer() == c.want.owner && total > c.want.networkFee {
		return o.refuse(RuleNetworkFee, "base and priority fee within the cap of "+lamports(c.want.networkFee), "a network fee of %s, %s of it priority", lamports(total), lamports(priority))
	}
	return nil
}
