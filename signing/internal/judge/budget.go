package judge

import (
	"encoding/binary"

	"github.com/walletfi/walletfi-go/internal/portion"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
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

const allowedHeap = "a heap of 32,768 to 262,144 bytes, a multiple of 1,024"

// budget holds the values that a transaction's compute-budget instructions set.
type budget struct {
	set        [5]bool // by tag
	limit      uint64
	price      uint64 // micro-lamports per unit
	priceAt    int    // instruction that sets it
	signatures uint64 // that precompiles verify
	units      uint64 // by default, as the instructions add up
}

// computeBudget is the compute budget's row: each setting once.
func (c *checker) computeBudget(o *operation) *rule.Refusal {
	if o.simulated {
		return nil
	}
	const allowed = "heap, unit limit, unit price and loaded-data limit, each once"
	tag, length := o.Tag(), 5
	if tag == budgetUnitPrice {
		length = 9
	}
	if tag < budgetHeap || tag > budgetDataLimit || len(o.Data) < length {
		return o.refuse(rule.ComputeBudget, allowed, "instruction %d with %d bytes", tag, len(o.Data))
	}
	if c.budget.set[tag] {
		return o.refuse(rule.ComputeBudget, allowed, "instruction %d a second time", tag)
	}
	c.budget.set[tag] = true
	switch tag {
	case budgetUnitPrice:
		c.budget.price, c.budget.priceAt = binary.LittleEndian.Uint64(o.Data[1:]), o.instruction
	case budgetUnitLimit:
		c.budget.limit = min(maxUnits, uint64(binary.LittleEndian.Uint32(o.Data[1:])))
	case budgetHeap:
		if heap := binary.LittleEndian.Uint32(o.Data[1:]); !validHeap(heap) {
			return o.refuse(rule.ComputeBudget, allowedHeap, "a heap of %d bytes", heap)
		}
	}
	return nil
}

func validHeap(bytes uint32) bool {
	return bytes >= txwire.DefaultHeap && bytes <= maxHeap && bytes%heapStep == 0
}

// fee is the base and the priority fee of the transaction, in lamports,
// saturated.
func (c *checker) fee() (base, priority uint64) {
	base = lamportsPerSignature * (uint64(c.tx.Required) + c.budget.signatures)
	if c.tx.Version == txwire.V1 {
		return base, c.tx.Config.PriorityFeeLamports
	}
	limit := c.budget.limit
	if !c.budget.set[budgetUnitLimit] {
		limit = min(maxUnits, c.budget.units)
	}
	return base, portion.Up(c.budget.price, limit, microPerLamport)
}

// countUnits adds the default units of an instruction of the transaction.
func (b *budget) countUnits(p *program.Known) {
	if p.Builtin {
		b.units += unitsPerBuiltin
	} else {
		b.units += unitsPerInstruction
	}
}

// networkFee holds the fee against its cap, if the owner pays it.
func (c *checker) networkFee() {
	o := c.whole()
	if heap := c.tx.Config.HeapBytes; c.tx.Version == txwire.V1 && !validHeap(heap) {
		c.findings.refuse(o.refuse(rule.ComputeBudget, allowedHeap, "a heap of %d bytes", heap))
	}
	base, priority := c.fee()
	total := caps.Add(base, priority)
	t := &c.findings.Transactions[c.index]
	t.BaseFee, t.Priority = base, priority
	if *c.tx.Key(0) != c.want.owner {
		return
	}
	if priority > base && c.budget.set[budgetUnitPrice] && c.tx.Version != txwire.V1 {
		o.instruction, o.Program = c.budget.priceAt, program.ComputeBudget
	}
	if total > c.want.networkFee {
		c.findings.refuse(o.refuse(rule.NetworkFee,
			"base and priority fees within the cap of "+program.SOL(c.want.networkFee),
			"a network fee of %s, %s of it priority", program.SOL(total), program.SOL(priority)))
		return
	}
	c.ledger.networkFee = caps.Add(c.ledger.networkFee, total)
	if c.ledger.networkFee > c.want.networkFee {
		c.findings.refuse(o.refuse(rule.Set,
			"network fees of all transactions within the cap of "+program.SOL(c.want.networkFee),
			"a network fee of %s, %s in all so far", program.SOL(total), program.SOL(c.ledger.networkFee)))
	}
}
