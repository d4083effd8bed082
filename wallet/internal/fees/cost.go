// Package fees finds the price that a transaction's landing takes, puts it into the requests of
// builders, and reads out of the bytes what is paid.
package fees

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/walletfi/walletfi-go/internal/portion"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing"
)

const (
	microPerLamport = 1_000_000
	mostUnits       = 1_400_000 // that a transaction can have
	guessedUnits    = 200_000   // of a transaction that was never seen
	baseFee         = 5_000     // lamports a signature
)

// Cost says what the owner pays for the landing of one transaction, at most.
type Cost struct {
	Price    uint64 // micro-lamports per compute unit
	Units    uint64 // the compute limit
	Base     uint64 // lamports, for the signatures
	Priority uint64 // lamports
}

// Lamports is all of it.
func (c Cost) Lamports() uint64 { return plus(c.Base, c.Priority) }

// Lamports adds up the costs.
func Lamports(costs []Cost) (sum uint64) {
	for _, c := range costs {
		sum = plus(sum, c.Lamports())
	}
	return sum
}

// LeastPrice is that of the transaction that pays least, which decides over the whole set.
func LeastPrice(costs []Cost) uint64 {
	least := slices.MinFunc(costs, func(a, b Cost) int { return cmp.Compare(a.Price, b.Price) })
	return least.Price
}

func plus(a, b uint64) uint64 { return a + min(b, math.MaxUint64-a) }

// Units that an instruction counts for if nothing sets a limit.
const (
	unitsOfBuiltin = 3_000
	unitsOfOther   = 200_000
)

var (
	budgetProgram = signing.MustPublicKey("ComputeBudget111111111111111111111111111111")
	builtins      = []signing.PublicKey{
		budgetProgram, signing.MustPublicKey("11111111111111111111111111111111"), ed25519Program, secp256k1Program,
	}
	ed25519Program   = signing.MustPublicKey("Ed25519SigVerify111111111111111111111111111")
	secp256k1Program = signing.MustPublicKey("KeccakSecp256k11111111111111111111111111111")
	precompiles      = []signing.PublicKey{
		ed25519Program, secp256k1Program, signing.MustPublicKey("Secp256r1SigVerify1111111111111111111111111"),
	}
)

// Of reads the cost of a transaction for its owner. It is 0 if another one pays.
func Of(tx *signing.Transaction, owner signing.PublicKey) Cost {
	c := Cost{}
	signatures, units, limited := uint64(len(tx.Signers())), uint64(0), false
	for _, i := range tx.Instructions() {
		counts := uint64(unitsOfOther)
		if slices.Contains(builtins, i.Program) {
			counts = unitsOfBuiltin
		}
		units += counts
		switch {
		case len(i.Data) == 0:
		case slices.Contains(precompiles, i.Program):
			signatures += uint64(i.Data[0])
		case i.Program != budgetProgram:
		case i.Data[0] == 2 && len(i.Data) >= 5:
			c.Units, limited = uint64(binary.LittleEndian.Uint32(i.Data[1:])), true
		case i.Data[0] == 3 && len(i.Data) >= 9:
			c.Price = binary.LittleEndian.Uint64(i.Data[1:])
		}
	}
	if !limited {
		c.Units = units
	}
	c.Units, c.Base = min(c.Units, mostUnits), signatures*baseFee
	if config, v1 := tx.Config(); v1 {
		if config.ComputeUnitLimit > 0 {
			c.Units = uint64(config.ComputeUnitLimit)
		}
		c.Priority = uint64(config.PriorityFeeLamports)
		c.Price = portion.Down(c.Priority, microPerLamport, max(c.Units, 1))
	} else {
		c.Priority = portion.Up(c.Price, c.Units, microPerLamport)
	}
	if tx.FeePayer() != owner {
		c.Base, c.Priority = 0, 0
	}
	return c
}

// Resolver tells the addresses of a lookup table.
type Resolver func(table signing.PublicKey) (signing.LookupTable, error)

// Writable lists the accounts that transactions write, base58, each once: those that others may
// write too, so without the signers'. A table that is not known is left out.
func Writable(txs []*signing.Transaction, resolve Resolver) []string {
	known := map[signing.PublicKey]bool{}
	for _, tx := range txs {
		raw := txwire.Transaction{Raw: tx.Bytes()}
		if raw.Parse() != nil {
			continue
		}
		for i := raw.Signers(); i < raw.KeyCount; i++ {
			if raw.Writable(i) {
				known[signing.PublicKey(*raw.Key(i))] = true
			}
		}
		for _, l := range tx.Lookups() {
			table, err := resolve(l.Table)
			if err != nil {
				continue
			}
			for _, i := range l.Writable {
				if int(i) < len(table.Addresses) {
					known[table.Addresses[i]] = true
				}
			}
		}
	}
	all := make([]string, 0, len(known))
	for key := range known {
		all = append(all, key.String())
	}
	slices.Sort(all)
	return all
}

// Units are the compute limits of all of them.
func Units(costs []Cost) (sum uint64) {
	for _, c := range costs {
		sum += c.Units
	}
	return sum
}
