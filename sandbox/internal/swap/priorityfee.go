package swap

import (
	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

// levels are the priority fees by level, lamports.
var levels = map[string]uint64{"medium": 10_000, "high": 50_000, "veryHigh": 200_000}

// mostFee bounds a priority fee: 1,000 SOL.
const mostFee = 1_000_000_000_000

// fees holds the fees of a transaction besides its signatures.
type fees struct {
	unitLimit uint32
	unitPrice uint64 // micro-lamports a unit
	lamports  uint64 // in all
	tip       uint64 // lamports, paid by a transfer
	kind      string
}

// units are compute-unit limits. They divide a million, so that a fee of
// any number of lamports can be paid exactly.
const (
	unitsFixed = 500_000
	unitsFew   = 125_000
	unitsMore  = 200_000
)

// simulated is the number of units of a trade over so many pools.
func simulatedUnits(hops int) int { return 55_000 + 25_000*hops }

// units is the limit of a transaction: fixed, or as little as will do.
func units(hops int, dynamic bool) uint32 {
	switch {
	case !dynamic:
		return unitsFixed
	case simulatedUnits(hops) > unitsFew:
		return unitsMore
	}
	return unitsFew
}

// Congestion is the fee that the network asks for at present.
func (w *Service) Congestion() uint64 { return 8_000 + w.CurrentSlot()%16*500 }

// fees works a priority fee out. Without any, the service chooses.
func (w *Service) fees(p *priority, limit uint32) fees {
	f := fees{unitLimit: limit, kind: "compute-budget"}
	if p == nil {
		p = &priority{}
	}
	kit.BadIf(p.lamports > mostFee || p.multiplier > mostFee,
		"the priority fee is more than %d lamports", uint64(mostFee))
	lamports := w.Congestion()
	switch p.form {
	case disabled:
		return f
	case tip:
		f.tip, f.lamports, f.kind = p.lamports, p.lamports, "bundle-tip"
		return f
	case level:
		lamports = levels[p.level]
	case exact:
		lamports = p.lamports
	case multiplied:
		lamports = min(uint64(float64(lamports)*p.multiplier), p.lamports)
	}
	f.unitPrice = lamports * 1_000_000 / uint64(limit)
	f.lamports = lamports
	return f
}

// priced is the fees of a caller who names the price of a unit.
func priced(price uint64, limit uint32) fees {
	lamports := market.Share(price, uint64(limit), 1_000_000)
	if price%1_000_000*uint64(limit)%1_000_000 != 0 {
		lamports++
	}
	return fees{unitLimit: limit, unitPrice: price, lamports: lamports, kind: "compute-budget"}
}

// tipping is the transfer of a tip, none if there is no tip.
func (w *Service) tipping(f fees, payer solana.PublicKey) []solana.Instruction {
	if f.tip == 0 {
		return nil
	}
	return []solana.Instruction{
		system.NewTransferInstruction(f.tip, payer, build.PublicKey(w.Keypair("swap tips"))).Build(),
	}
}

// budgeting returns the instructions that build would put in front of a transaction.
func (f fees) budgeting() (all []solana.Instruction) {
	all = append(all, computebudget.NewSetComputeUnitLimitInstruction(f.unitLimit).Build())
	if f.unitPrice > 0 {
		all = append(all, computebudget.NewSetComputeUnitPriceInstruction(f.unitPrice).Build())
	}
	return all
}
